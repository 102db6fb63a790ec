"""The plain output of a model: the vectors that sentence-transformers' `encode` returns."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.encoders.declared_folder import DeclaredFolder
from bertflow_core.encoders.fast_pass import use_onednn
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.loading import (
    check_finite,
    check_words,
    load_network,
    loading,
    model_faults,
)
from bertflow_core.encoders.running import Block, portions
from bertflow_core.encoders.template import filled
from bertflow_core.encoders.transformer import TransformerEncoder
from bertflow_core.errors import InputError
from bertflow_core.runtime import context
from bertflow_core.runtime.shipped import version_of
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_ENDLESS = 1 << 30  # a tokenizer without a maximum length says 1e30 tokens
_PORTION = 128


class DeclaredEncoder(TransformerEncoder):
    """An encoder that follows its folder's own settings: prompt, lengths, pooling, dense layers.

    It has one kind of vector, whose layer set and token pooling are both called `model`. If only
    token pooling, and perhaps scaling to unit length, follows the transformer, it runs as in
    `TransformerEncoder`. Any other model is run by sentence-transformers; code in the folder is
    never run. As a last step, only the first `truncate_dim` features are kept; 0 uses the folder's
    setting. A `template` replaces the folder's prompt. The folder is opened for queries, for
    documents, or for texts that are neither (`open_declared`).
    """

    def __init__(
        self,
        folder: DeclaredFolder,
        *,
        device: str | None = None,
        dtype: str = "float32",
        batch_tokens: int | None = None,
        truncate_dim: int = 0,
        template: str | None = None,
    ) -> None:
        self._open(folder.model, device, dtype, batch_tokens, template)
        self._kinds = {PLAIN_LAYERS: (self.n_layers, folder.pooling or "")}
        self.tensors = (PLAIN_LAYERS,)
        self._shape = (1,)
        self._n_kept = truncate_dim or folder.n_kept or None
        self.folder = folder
        self.prompt = folder.prompt
        self.truncate_dim = truncate_dim

    @property
    def _choices(self) -> dict[str, Any]:
        choices: dict[str, Any] = {
            "declared": str(self.folder),
            "modules_digest": self.folder.digest,
            "prompt": self.prompt,
            "truncate_dim": self.truncate_dim,
        }
        if self.folder.route:
            choices["route"] = self.folder.route
        if not self.folder.pooling:
            choices["sentence-transformers"] = version_of("sentence-transformers")
        return choices

    @property
    def _loads(self) -> tuple[Hashable, ...]:
        return (*super()._loads, *([] if self.folder.pooling else [self.folder.digest]))

    @cached_property
    def dim(self) -> int:  # type: ignore[override]
        """Number of features, D; a model with further modules is loaded to find it out."""
        n_features = self.model.dim if self.folder.pooling else self._run(["a"], None).shape[1]
        if n_features < self.truncate_dim:
            raise InputError(
                f"{self.model} has {n_features} features: truncate_dim must be at most that, got "
                f"{self.truncate_dim}"
            )
        return min(n_features, self._n_kept or n_features)

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the name of the only kind of vector."""
        return self.tensors

    def encode_blocks(
        self,
        sentences: Sequence[str],
        *,
        kinds: Sequence[str] | None = None,  # there is only one kind
    ) -> Iterator[Block]:
        """Yield finished blocks of the plain output."""
        if self.folder.pooling:
            yield from super().encode_blocks(sentences)
            return
        done = 0
        context.report(done, len(sentences), "sentences")
        for portion in portions(sentences, _PORTION):
            vectors, n_tokens = self._run(portion, self._n_kept), self._count(portion)
            longest = self._bound(self._library.max_seq_length)
            if self.template is not None and n_tokens.max() > longest:
                raise InputError(
                    f"{quoted(portion[int(np.argmax(n_tokens))])} and its template have "
                    f"{n_tokens.max():,} tokens, and {self.model} reads {longest:,}: leave "
                    "the sentence out, or choose the layer set 'last', which truncates long "
                    "sentences"
                )
            rows = np.arange(done, done + len(portion))
            yield Block(rows, vectors[None], np.minimum(n_tokens, longest), n_tokens > longest)
            done += len(portion)
            context.report(done, len(sentences), "sentences")

    def finished(self, x: np.ndarray) -> np.ndarray:
        """Turn pooled vectors of the last layer, shape (..., D), into the plain output."""
        if self.folder.has_unit_length:
            x = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)
        return x[..., : self._n_kept]

    def _longest(self) -> int:
        return self._bound(self._tokenizer.model_max_length)

    def _bound(self, most: float | None) -> int:
        """Return the maximum input length in tokens; a limit of the folder replaces `most`."""
        bounds = (self.folder.max_length or most, self.model.max_positions, _ENDLESS)
        return int(min(bound for bound in bounds if bound))

    def _run(self, sentences: list[str], n_kept: int | None) -> np.ndarray:
        """Return the library's vectors of sentences, shape (n, D)."""
        texts = [filled(self.template, sentence) for sentence in sentences]
        task: dict[str, Any] = {"task": self.folder.task} if self.folder.task else {}
        with model_faults(self.model, "encode these sentences"):
            vectors = self._library.encode(
                texts, prompt=self.prompt, truncate_dim=n_kept, show_progress_bar=False, **task
            )
        check_finite(vectors, self.model)
        return np.asarray(vectors, np.float32)

    @cached_property
    def n_chat_tokens(self) -> int:
        """Number of tokens that the folder's chat template puts around a text."""
        (n_tokens,) = self._count(["a"])
        tokenizer: Any = self._library[0].tokenizer
        text = self.prompt + filled(self.template, "a")
        return int(n_tokens) - len(tokenizer(text, add_special_tokens=False)["input_ids"])

    def _count(self, sentences: Sequence[str]) -> np.ndarray:
        """Return the number of tokens of each sentence before cutting, shape (n,)."""
        first: Any = self._library[0]
        route = first.sub_modules[self.folder.route][0] if self.folder.route else first
        tokenizer = route.tokenizer
        texts = [filled(self.template, sentence) for sentence in sentences]
        if self.folder.has_chat:
            whole = {"text": {"truncation": False}}
            inputs: Any = self._library.preprocess(
                texts, prompt=self.prompt or None, processing_kwargs=whole
            )
            return np.asarray(inputs["attention_mask"].sum(1).cpu(), np.int32)
        texts = [self.prompt + text for text in texts]
        if self.n_layers:
            tokens = tokenizer(texts, verbose=False)["input_ids"]
        elif hasattr(tokenizer, "encode_batch"):
            tokens = tokenizer.encode_batch(texts, add_special_tokens=False)
        else:
            tokens = [tokenizer.tokenize(text) for text in texts]
        return np.array([*map(len, tokens)], np.int32)

    @cached_property
    def _library(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer  # late: its import takes seconds

        options: dict[str, Any] = {}
        if self.n_layers:
            load_network(self.model, self.dtype)  # the library hides missing weights
            options = {"dtype": self.dtype, "use_safetensors": True}
        with loading(self.model):
            network = SentenceTransformer(
                str(self.model.path),
                device=str(self.device),
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs=options,
            )
        if self.n_layers:  # for RoBERTa the library allows two tokens too many
            network.max_seq_length = self._bound(network.max_seq_length)
            check_words(self.model, network[0].tokenizer)
        network.eval().requires_grad_(False)
        use_onednn(network)
        return network
