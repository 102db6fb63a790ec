"""A frozen Hugging Face encoder: one forward pass gives every layer under every token pooling."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.device import DTYPES, resolve_device
from bertflow_core.encoders.block import Block, whole_block
from bertflow_core.encoders.catalog import resolve_model
from bertflow_core.encoders.checks import (
    check_finite,
    check_sentences,
    check_tokenizer,
    check_tokens,
    check_vocabulary,
    check_weights,
)
from bertflow_core.encoders.faults import model_faults
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.encoders.loading import load_network, loading
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.pooling import POOLINGS, TokenPooling, pool_tokens
from bertflow_core.encoders.workers import encoding_threads
from bertflow_core.errors import InputError
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

__all__ = ["TransformerEncoder", "equal_lengths"]

PASS_VERSION = 1
"""Raised whenever the numbers of a forward pass change, so that stored ones are not mixed in."""

_CPU_TOKENS, _GPU_TOKENS = 512, 32_768
_TOKENIZE_AT_ONCE, _CHARACTERS_AT_ONCE = 1024, 1_000_000
_BLOCK_BYTES = 16 << 20


class TransformerEncoder:
    """An encoder that is never trained: weights frozen, dropout off, inference mode.

    Sentences run in groups of exactly equal token length, so nothing is padded or masked and a
    sentence's vector does not depend on its company beyond float error. On the CPU one Python
    thread a core runs small groups with one torch thread each, which is faster than the reverse.

    Nothing is loaded before the first sentence is encoded.

    Args:
        model: The model's folder, from `resolve_model`, or what that takes: a name of the
            catalogue, a local folder or a hub id.
        max_length: Longest input in tokens, special tokens included; the paper's is 64. What is
            longer is cut and reported.
        device: `cpu`, `cuda`, `cuda:N` or `mps`; None takes the best of this machine.
        dtype: `float32` or `bfloat16` (about twice as fast, cosine to float32 above 0.9999).
        batch_tokens: Most tokens in a group; None suits the device.
    """

    def __init__(
        self,
        model: ModelFolder | Path | str,
        *,
        max_length: int = 64,
        device: str | None = None,
        dtype: str = "float32",
        batch_tokens: int | None = None,
    ) -> None:
        if not isinstance(model, ModelFolder):
            model = resolve_model(str(model))
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
    def tensors(self) -> tuple[str, ...]:
        """The names of a block's vectors: each layer under each token pooling."""
        return tuple(
            _tensor_name(layer, pooling)
            for layer in range(self.n_layers + 1)
            for pooling in POOLINGS
        )

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the names of the vectors whose mean a layer set and a token pooling are.

        Raises:
            InputError: A layer set or pooling that there is not.
        """
        pooling = TokenPooling.parse(tokens)
        return tuple(_tensor_name(k, pooling) for k in LayerSet(layers).indices(self.n_layers))

    @property
    def bytes_per_sentence(self) -> int:
        """Size of one sentence's vectors, all layers and poolings."""
        return (self.n_layers + 1) * len(POOLINGS) * self.dim * 4

    def encode(self, sentences: Sequence[str], *, progress: Progress = silent) -> Block:
        """Encode sentences into one block in their own order.

        Raises:
            InputError: A sentence without text, or a model that cannot be loaded as an encoder.
        """
        blocks = self.encode_blocks(sentences, progress=progress)
        return whole_block(self._empty(0).shape, blocks)

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

        with loading(self.model):
            tokenizer = AutoTokenizer.from_pretrained(
                self.model.path, trust_remote_code=False, local_files_only=True
            )
            check_tokenizer(tokenizer, self.max_length, self.model)
        return tokenizer

    @cached_property
    def _network(self) -> "PreTrainedModel":
        network, made_up = load_network(self.model, self.model.loader, self.dtype)
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


def _tensor_name(layer: int, pooling: TokenPooling) -> str:
    return f"layer.{layer}.{pooling}"


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
