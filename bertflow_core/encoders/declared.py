"""A model as its makers meant it: the vectors that sentence-transformers' `encode` gives."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.device import resolve_device, resolve_dtype
from bertflow_core.encoders.block import Block, whole_block
from bertflow_core.encoders.checks import check_finite, check_sentences, check_tokens, check_weights
from bertflow_core.encoders.declared_folder import DeclaredFolder
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.loading import load_network, loading, model_faults, use_onednn
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.running import portions, run_in_groups, to_device, to_host
from bertflow_core.errors import InputError, check_type
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

__all__ = ["DeclaredEncoder"]

_ENDLESS = 1 << 30  # tokenizers without a bound name one of 1e30 tokens


class DeclaredEncoder:
    """An encoder with everything that its folder declares: prompt, lengths, pooling, dense layers.

    It has one kind of vector, under the layer set and the token pooling named `model`. Nothing is
    loaded before the first sentence is encoded, and code in the folder is never run.

    Args:
        folder: From `open_declared`.
        device: As `TransformerEncoder`.
        dtype: As `TransformerEncoder`.
        batch_tokens: As `TransformerEncoder`.
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
        self.folder = folder
        self.dtype = dtype
        self.truncate_dim = truncate_dim
        self._device_name = device
        self._batch_tokens = batch_tokens

    @property
    def model(self) -> ModelFolder:
        """The model's folder."""
        return self.folder.model

    @property
    def description(self) -> dict[str, Any]:
        """What decides the vectors, JSON-able."""
        return {
            "model": self.model.name,
            "revision": self.model.revision,
            "digest": self.model.digest,
            "declared": str(self.folder),
            "modules_digest": self.folder.digest,
            "prompt": self.folder.prompt,
            "truncate_dim": self.truncate_dim,
            "dtype": self.dtype,
            **{name: version(name) for name in ("torch", "transformers", "sentence-transformers")},
        }

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what decides the vectors: equal models under two names share one."""
        key = {k: v for k, v in self.description.items() if k not in ("model", "revision")}
        return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()

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
        """Encode sentences and yield finished blocks, longest sentences last.

        Sentences run in groups of exactly equal token length, as in `TransformerEncoder`, so that
        nothing is padded; their vectors are those of `encode` beyond float error.
        """
        check_sentences(sentences)
        n_tokens, cut = self._count(sentences)
        check_tokens(n_tokens)
        yield from run_in_groups(
            n_tokens,
            cut,
            None,
            lambda rows: self._features([sentences[row] for row in rows]),
            self._forward_group,
            device=self._network.device,
            batch_tokens=self._batch_tokens,
        )

    def _features(self, sentences: list[str]) -> dict[str, Any]:
        """Return what the library makes of sentences for a forward pass; by one thread at a time.

        A tokenizer cannot be used by two threads at once.
        """
        with model_faults(self.model, "divide these sentences into tokens"):
            return self._network.preprocess(sentences, prompt=self.folder.prompt or None)

    def _run(self, features: dict[str, Any]) -> np.ndarray:
        import torch

        device = self._network.device
        moved: dict[str, Any] = {
            name: to_device(value, device) if isinstance(value, torch.Tensor) else value
            for name, value in features.items()
        }
        return to_host(self._declared(moved, moved.pop("input_ids")))

    def _declared(self, features: dict[str, Any], input_ids: "torch.Tensor") -> "torch.Tensor":
        """Return what the modules make of token ids (n, T) and other features, shape (1, n, D)."""
        import torch

        given = {"attention_mask": torch.ones_like(input_ids), **features, "input_ids": input_ids}
        vectors: torch.Tensor = self._network(given)["sentence_embedding"]
        return vectors[:, : self._network.truncate_dim].float()[None]

    def _forward_group(self, features: dict[str, Any]) -> np.ndarray:
        """Run sentences of equal length as `encode` does; return their vectors, (1, n, D)."""
        import torch

        with torch.inference_mode(), model_faults(self.model, "encode these sentences"):
            vectors = self._run(features)
        check_finite(vectors, self.model)
        return vectors

    def _count(self, sentences: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return the tokens of each sentence after cutting, and which were cut, each (n,)."""
        longest = min(self._network.max_seq_length or _ENDLESS, _ENDLESS)
        lengths: list[int] = []
        for portion in portions(sentences):
            with model_faults(self.model, "divide these sentences into tokens"):
                texts = [self.folder.prompt + sentence for sentence in portion]
                batch = self._network.tokenizer(texts, verbose=False)
                lengths.extend(map(len, batch["input_ids"]))
        counted = np.array(lengths, np.int64)
        return np.minimum(counted, longest).astype(np.int32), counted > longest

    @cached_property
    def dim(self) -> int:
        """Number of features, D; the model is loaded to learn it.

        Raises:
            InputError: It has fewer than are to be kept.
        """
        with model_faults(self.model, "say how many features it has"):
            n_features = int(self._network.encode(["a"], show_progress_bar=False).shape[1])
        if n_features < self.truncate_dim:
            raise InputError(
                f"model {quoted(self.model.name)} has {n_features} features: truncate_dim must be "
                f"at most that, got {self.truncate_dim}"
            )
        return n_features

    @cached_property
    def _network(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer

        # The library says nothing of weights that it makes up.
        check_weights(load_network(self.model, self.model.loader, self.dtype)[1], self.model)
        with loading(self.model):
            network = SentenceTransformer(
                str(self.model.path),
                device=str(resolve_device(self._device_name)),
                trust_remote_code=False,
                local_files_only=True,
                truncate_dim=self.truncate_dim or None,
                model_kwargs={"dtype": resolve_dtype(self.dtype), "use_safetensors": True},
            )
        declared, positions = network.max_seq_length, self.model.max_positions
        if positions is not None:  # of RoBERTa the library takes two too many
            network.max_seq_length = min(positions, declared or positions)
        network.eval().requires_grad_(False)
        use_onednn(network)
        return network
