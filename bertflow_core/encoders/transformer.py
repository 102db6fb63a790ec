"""A frozen Hugging Face encoder: one forward pass gives every layer under every token pooling."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.device import DTYPES, resolve_device, resolve_dtype
from bertflow_core.encoders.checks import (
    check_finite,
    check_sentences,
    check_tokenizer,
    check_tokens,
    check_vocabulary,
    check_weights,
)
from bertflow_core.encoders.faults import model_faults
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.pooling import POOLINGS, pool_tokens
from bertflow_core.encoders.workers import encoding_threads
from bertflow_core.errors import InputError
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

__all__ = ["Block", "TransformerEncoder", "equal_lengths", "load_network"]

PASS_VERSION = 1
"""Raised whenever the numbers of a forward pass change, so that stored ones are not mixed in."""

_CPU_TOKENS, _GPU_TOKENS = 512, 32_768
_TOKENIZE_AT_ONCE, _CHARACTERS_AT_ONCE = 1024, 1_000_000
_BLOCK_BYTES = 16 << 20


@dataclass(frozen=True)
class Block:
    """Some sentences' vectors from one forward pass.

    Attributes:
        rows: Positions of the sentences in the list that was encoded, shape (n,).
        vectors: Float32, shape (L + 1, 3, n, D): layer (0 is the embedding output), token pooling
            (mean, cls, max), sentence, feature.
        n_tokens: Tokens of each sentence after cutting, shape (n,).
        cut: Whether a sentence was longer than the maximum length, shape (n,).
    """

    rows: np.ndarray
    vectors: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray


class TransformerEncoder:
    """An encoder that is never trained: weights frozen, dropout off, inference mode.

    Sentences run in groups of exactly equal token length, so nothing is padded or masked and a
    sentence's vector does not depend on its company beyond float error. On the CPU one Python
    thread a core runs small groups with one torch thread each, which is faster than the reverse.

    Nothing is loaded before the first sentence is encoded.

    Args:
        model: The model's folder, from `resolve_model`.
        max_length: Longest input in tokens, special tokens included; the paper's is 64. What is
            longer is cut and reported.
        device: `cpu`, `cuda`, `cuda:N` or `mps`; None takes the best of this machine.
        dtype: `float32` or `bfloat16` (about twice as fast, cosine to float32 above 0.9999).
        batch_tokens: Most tokens in a group; None suits the device.
    """

    def __init__(
        self,
        model: ModelFolder,
        *,
        max_length: int = 64,
        device: str | None = None,
        dtype: str = "float32",
        batch_tokens: int | None = None,
    ) -> None:
        longest = model.max_positions or 1 << 20
        if not 3 <= max_length <= longest:
            raise InputError(
                f"max_length must be from 3 to {longest} tokens for {quoted(model.name)}, "
                f"got {max_length}"
            )
        if batch_tokens is not None and batch_tokens < 1:
            raise InputError(f"batch size must be at least 1, got {batch_tokens}")
        if dtype not in DTYPES:
            raise InputError(f"unknown dtype {quoted(dtype)}: expected one of {', '.join(DTYPES)}")
        self.model = model
        self.max_length = max_length
        self.dtype = dtype
        self.n_layers = model.n_layers
        self.dim = model.dim
        self._device_name = device
        self._batch_tokens = batch_tokens

    @property
    def description(self) -> dict[str, Any]:
        """What decides the vectors, JSON-able."""
        return {
            "model": self.model.name,
            "revision": self.model.revision,
            "digest": self.model.digest,
            "n_layers": self.n_layers,
            "dim": self.dim,
            "max_length": self.max_length,
            "dtype": self.dtype,
            "pass_version": PASS_VERSION,
            "torch": version("torch"),
            "transformers": version("transformers"),
        }

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what decides the vectors: equal models under two names share one."""
        key = {k: v for k, v in self.description.items() if k not in ("model", "revision")}
        return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()

    @property
    def bytes_per_sentence(self) -> int:
        """Size of one sentence's vectors, all layers and poolings."""
        return (self.n_layers + 1) * len(POOLINGS) * self.dim * 4

    def encode(self, sentences: Sequence[str], *, progress: Progress = silent) -> Block:
        """Encode sentences into one block in their own order.

        Raises:
            InputError: A sentence without text, or a model that cannot be loaded as an encoder.
        """
        n = len(sentences)
        shape = (self.n_layers + 1, len(POOLINGS), n, self.dim)
        whole = Block(
            np.arange(n), np.empty(shape, np.float32), np.empty(n, np.int32), np.empty(n, bool)
        )
        for block in self.encode_blocks(sentences, progress=progress):
            whole.vectors[:, :, block.rows] = block.vectors
            whole.n_tokens[block.rows] = block.n_tokens
            whole.cut[block.rows] = block.cut
        return whole

    def encode_blocks(
        self, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Iterator[Block]:
        """Encode sentences and yield finished blocks of about 16 MB, longest sentences last.

        The order lets a store write each block as it comes, so that work survives a kill.
        """
        check_sentences(sentences)
        tokens, cut = self._tokenize(sentences)
        n_tokens = np.array([len(ids) for ids in tokens], np.int32)
        check_tokens(n_tokens)
        order = np.argsort(n_tokens, kind="stable")
        per_block = max(32, _BLOCK_BYTES // self.bytes_per_sentence)
        done = 0
        progress(done, len(order), "sentences")
        _ = self._network  # loaded here, by one thread
        with encoding_threads(on_cpu=self._device.type == "cpu") as pool:
            for start in range(0, len(order), per_block):
                rows = order[start : start + per_block]
                block = Block(rows, self._empty(len(rows)), n_tokens[rows], cut[rows])
                for group, vectors in pool.map(
                    self._forward_group, equal_lengths(tokens, rows, self._group_tokens)
                ):
                    block.vectors[:, :, group] = vectors
                    done += len(group)
                    progress(done, len(order), "sentences")
                check_finite(block.vectors, self.model)
                yield block

    def _empty(self, n: int) -> np.ndarray:
        return np.empty((self.n_layers + 1, len(POOLINGS), n, self.dim), np.float32)

    @cached_property
    def _device(self) -> "torch.device":
        return resolve_device(self._device_name)

    @property
    def _group_tokens(self) -> int:
        default = _CPU_TOKENS if self._device.type == "cpu" else _GPU_TOKENS
        return self._batch_tokens or default

    @cached_property
    def _tokenizer(self) -> Any:  # noqa: ANN401 - transformers has no common typed base
        from transformers import AutoTokenizer

        with _loading(self.model):
            tokenizer = AutoTokenizer.from_pretrained(
                self.model.path, trust_remote_code=False, local_files_only=True
            )
            check_tokenizer(tokenizer, self.max_length, self.model)
        return tokenizer

    @cached_property
    def _network(self) -> "PreTrainedModel":
        network, made_up = load_network(self.model, "AutoModel", self.dtype)
        check_weights(made_up, self.model)
        loaded: Any = network  # whose `to` is untyped
        frozen: PreTrainedModel = loaded.to(self._device)
        return frozen

    @cached_property
    def _vocabulary_size(self) -> int:
        embeddings: Any = self._network.get_input_embeddings()
        return int(embeddings.weight.shape[0])

    def _tokenize(self, sentences: Sequence[str]) -> tuple[list[list[int]], np.ndarray]:
        """Return token ids, cut to the maximum length, and which sentences were cut, shape (N,)."""
        tokens: list[list[int]] = []
        cut: list[bool] = []
        for portion in _portions(sentences):
            with model_faults(self.model, "divide these sentences into tokens"):
                batch = self._tokenizer(portion, truncation=True, max_length=self.max_length)
                tokens.extend(batch["input_ids"])
                cut.extend(bool(encoding.overflowing) for encoding in batch.encodings)
        return tokens, np.array(cut, bool)

    def _forward_group(
        self, group: tuple[np.ndarray, list[list[int]]]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Run sentences of equal length: their places in the block, and (L + 1, 3, n, D)."""
        import torch

        places, ids = group
        with torch.inference_mode(), model_faults(self.model, "encode these sentences"):
            input_ids = torch.tensor(ids)
            check_vocabulary(int(input_ids.max()), self._vocabulary_size, self.model)
            input_ids = input_ids.to(self._device)
            output = self._network(
                input_ids=input_ids,
                attention_mask=torch.ones_like(input_ids),
                output_hidden_states=True,
                return_dict=True,
            )
            pooled = torch.stack([pool_tokens(hidden) for hidden in output.hidden_states])
            return places, pooled.cpu().numpy()


def _portions(sentences: Sequence[str]) -> Iterator[list[str]]:
    """Cut sentences into lists of bounded length and size, since each character takes memory."""
    portion: list[str] = []
    n_characters = 0
    for sentence in sentences:
        n_characters += len(sentence)
        if len(portion) == _TOKENIZE_AT_ONCE or n_characters > _CHARACTERS_AT_ONCE:
            yield portion
            portion, n_characters = [], len(sentence)
        portion.append(sentence)
    if portion:
        yield portion


def equal_lengths(
    tokens: Sequence[list[int]], rows: np.ndarray, at_most: int
) -> Iterator[tuple[np.ndarray, list[list[int]]]]:
    """Cut rows, sorted by length, into groups of one length and at most `at_most` tokens."""
    lengths = np.array([len(tokens[row]) for row in rows])
    for places in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(lengths)) + 1):
        per_group = max(1, at_most // lengths[places[0]])
        for start in range(0, len(places), per_group):
            chosen = places[start : start + per_group]
            yield chosen, [tokens[row] for row in rows[chosen]]


def load_network(
    model: ModelFolder, kind: str, dtype: str = "float32"
) -> "tuple[PreTrainedModel, set[str]]":
    """Load a model's network, frozen and in evaluation, on the CPU.

    Args:
        model: Its folder.
        kind: The class of transformers that decides which head it has, such as `AutoModel`.
        dtype: Its precision.

    Returns:
        The network, and the names of its weights that the folder lacks and that are random.

    Raises:
        InputError: It cannot be loaded.
    """
    import transformers

    with _loading(model):
        network, report = getattr(transformers, kind).from_pretrained(
            model.path,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            dtype=resolve_dtype(dtype),
            ignore_mismatched_sizes=True,  # refused by the caller, with the weight's name
            output_loading_info=True,
        )
    network.requires_grad_(False)
    return network.eval(), report["missing_keys"] | {key for key, *_ in report["mismatched_keys"]}


_LOADING = Lock()  # transformers loads under settings that all threads share


@contextmanager
def _loading(model: ModelFolder) -> Iterator[None]:
    """Load in silence, one at a time, with a sentence about what fails."""
    from transformers.utils import logging

    with _LOADING:
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        verbosity = logging.get_verbosity()
        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        try:
            with model_faults(model, "be loaded as an encoder"):
                yield
        finally:
            logging.set_verbosity(verbosity)
