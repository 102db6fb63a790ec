"""A model as its makers meant it: the vectors that sentence-transformers' `encode` gives."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core import context
from bertflow_core.device import resolve_device, resolve_dtype
from bertflow_core.encoders.block import Block, check_sentences, whole_block
from bertflow_core.encoders.declared_folder import DeclaredFolder
from bertflow_core.encoders.forward import use_onednn
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.loading import load_network, loading, model_faults
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.network import PASS_VERSION, Network, check_finite
from bertflow_core.encoders.pooling import pool_tokens
from bertflow_core.encoders.running import portions
from bertflow_core.encoders.transformer import fingerprint_of
from bertflow_core.errors import InputError, check_type
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

_ENDLESS = 1 << 30  # tokenizers without a bound name one of 1e30 tokens
_PORTION = 128


class DeclaredEncoder:
    """An encoder with everything that its folder declares: prompt, lengths, pooling, dense layers.

    It has one kind of vector, under the layer set and the token pooling named `model`. A
    transformer whose tokens are pooled, to unit length or not, runs as in `TransformerEncoder`;
    whatever else a folder declares is run by sentence-transformers. Nothing is loaded before the
    first sentence is encoded, and code in the folder is never run.

    Args:
        folder: From `open_declared`.
        device: As `TransformerEncoder`.
        dtype: As `TransformerEncoder`.
        batch_tokens: As `TransformerEncoder`; not of use to sentence-transformers.
        truncate_dim: How many features are kept, the first ones, after all that the folder
            declares, as sentence-transformers does; 0 keeps what the folder says.

    Example:
        >>> from bertflow_core.encoders import DeclaredEncoder, open_declared, resolve_model
        >>> encoder = DeclaredEncoder(open_declared(resolve_model("minilm")))
        >>> encoder.description["declared"]
        'last layer, mean tokens, unit length'
    """

    tensors = (DECLARED,)

    def __init__(
        self,
        folder: DeclaredFolder,
        *,
        device: str | None = None,
        dtype: str = "float32",
        batch_tokens: int | None = None,
        truncate_dim: int = 0,
    ) -> None:
        check_type(folder, DeclaredFolder, "folder", "what open_declared returned")
        self._network = Network(folder.model, device, dtype, batch_tokens)
        self._n_kept = truncate_dim or folder.n_kept
        self._device_name = device
        self.folder = folder
        self.dtype = dtype
        self.truncate_dim = truncate_dim

    @property
    def model(self) -> ModelFolder:
        """The model's folder."""
        return self.folder.model

    @property
    def description(self) -> dict[str, Any]:
        """What decides the vectors, JSON-able."""
        library = [] if self.folder.poolings else ["sentence-transformers"]
        return {
            "model": self.model.name,
            "revision": self.model.revision,
            "digest": self.model.digest,
            "declared": str(self.folder),
            "modules_digest": self.folder.digest,
            "prompt": self.folder.prompt,
            "truncate_dim": self.truncate_dim,
            "dtype": self.dtype,
            "pass_version": PASS_VERSION,
            **{name: version(name) for name in ("torch", "transformers", *library)},
        }

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what decides the vectors: equal models under two names share one."""
        return fingerprint_of(self.description)

    @cached_property
    def dim(self) -> int:
        """Number of features, D; where other modules follow, the model is loaded to learn it.

        Raises:
            InputError: It has fewer than are to be kept.
        """
        if self.folder.poolings:
            n_features = len(self.folder.poolings) * self.model.dim
        else:
            n_features = self._by_library(["a"], None).shape[1]
        if n_features < self.truncate_dim:
            raise InputError(
                f"model {quoted(self.model.name)} has {n_features} features: truncate_dim must be "
                f"at most that, got {self.truncate_dim}"
            )
        return min(n_features, self._n_kept or n_features)

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the name of the one vector there is.

        Raises:
            InputError: Another layer set or token pooling than `model`.
        """
        if (layers, tokens) != (DECLARED, DECLARED):
            raise InputError(
                f"this encoder gives what its folder declares: expected layers and tokens "
                f"{DECLARED}, got {quoted(layers)} and {quoted(tokens)}"
            )
        return self.tensors

    def encode(self, sentences: Sequence[str]) -> Block:
        """Encode sentences into one block in their own order.

        Raises:
            InputError: A sentence without text, or a model that cannot be loaded.
        """
        return whole_block((1, 0, self.dim), self.encode_blocks(sentences))

    def encode_blocks(
        self,
        sentences: Sequence[str],
        *,
        kinds: Sequence[str] | None = None,  # there is one
    ) -> Iterator[Block]:
        """Encode sentences and yield finished blocks; their order is the encoder's own.

        Vectors are those of sentence-transformers' `encode` beyond float error.
        """
        check_sentences(sentences)
        if not self.folder.poolings:
            return self._library_blocks(sentences)
        return self._network.blocks(
            sentences,
            self._pooled,
            n_values=self.dim,
            max_length=self._longest(self._network.tokenizer.model_max_length),
            prompt=self.folder.prompt,
        )

    def _longest(self, of_tokenizer: float) -> int:
        """Return the longest input in tokens; what the folder names goes before its tokenizer."""
        bounds = (self.folder.max_length or of_tokenizer, self.model.max_positions, _ENDLESS)
        return int(min(bound for bound in bounds if bound))

    def _pooled(self, input_ids: "torch.Tensor") -> "torch.Tensor":
        """Return the vectors of token ids (n, T), shape (1, n, D)."""
        import torch

        tokens = self._network.last_layer(input_ids)
        x = torch.cat(pool_tokens(tokens, self.folder.poolings or ()), dim=1)
        if self.folder.has_unit_length:
            x = torch.nn.functional.normalize(x, dim=1)
        return x[None, :, : self._n_kept]

    def _library_blocks(self, sentences: Sequence[str]) -> Iterator[Block]:
        done = 0
        context.report(done, len(sentences), "sentences")
        for portion in portions(sentences, _PORTION):
            vectors = self._by_library(portion, self._n_kept)
            n_tokens = self._count(portion)
            longest = self._longest(self._library.max_seq_length or _ENDLESS)
            rows = np.arange(done, done + len(portion))
            yield Block(rows, vectors[None], np.minimum(n_tokens, longest), n_tokens > longest)
            done += len(portion)
            context.report(done, len(sentences), "sentences")

    def _by_library(self, sentences: list[str], n_kept: int | None) -> np.ndarray:
        with model_faults(self.model, "encode these sentences"):
            vectors = self._library.encode(
                sentences, prompt=self.folder.prompt, truncate_dim=n_kept, show_progress_bar=False
            )
        check_finite(vectors, self.model)
        return np.asarray(vectors, np.float32)

    def _count(self, sentences: Sequence[str]) -> np.ndarray:
        """Return the tokens of each sentence before cutting, shape (n,)."""
        from transformers import PreTrainedTokenizerBase

        tokenizer: Any = self._library[0].tokenizer
        texts = [self.folder.prompt + sentence for sentence in sentences]
        if isinstance(tokenizer, PreTrainedTokenizerBase):
            tokens = tokenizer(texts, verbose=False)["input_ids"]
        elif hasattr(tokenizer, "encode_batch"):
            tokens = tokenizer.encode_batch(texts, add_special_tokens=False)
        else:
            tokens = [tokenizer.tokenize(text) for text in texts]
        return np.array([*map(len, tokens)], np.int32)

    @cached_property
    def _library(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer

        options: dict[str, Any] = {}
        if self.model.n_layers:
            load_network(self.model, self.dtype)  # the library says nothing of what it makes up
            options = {"dtype": resolve_dtype(self.dtype), "use_safetensors": True}
        with loading(self.model):
            network = SentenceTransformer(
                str(self.model.path),
                device=str(resolve_device(self._device_name)),
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs=options,
            )
        if self.model.n_layers:  # of RoBERTa the library takes two too many
            network.max_seq_length = self._longest(network.max_seq_length or _ENDLESS)
        network.eval().requires_grad_(False)
        use_onednn(network)
        return network
