"""A frozen Hugging Face encoder: one forward pass gives any layers under any token poolings."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from importlib.metadata import version
from itertools import groupby
from numbers import Integral
from pathlib import Path
from types import NoneType
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
from bertflow_core.encoders.early_exit import EarlyExit
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.encoders.loading import load_network, loading, model_faults, use_onednn
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.pooling import POOLINGS, TokenPooling, pool_tokens
from bertflow_core.encoders.running import portions, run_in_groups, to_device, to_host
from bertflow_core.errors import InputError, check_type
from bertflow_core.files import PATHS
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

__all__ = ["TransformerEncoder"]

Kind = tuple[int, TokenPooling]

PASS_VERSION = 1
"""Raised whenever the numbers of a forward pass change, so that stored ones are not mixed in."""

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
        dtype: Precision of the arithmetic: `float32`; `bfloat16`, faster where the processor has
            instructions for it (cosine to float32 of the embedded model above 0.9999); `float16`.
        batch_tokens: Most tokens in a group; None suits the device.

    Example:
        >>> from bertflow_core import TransformerEncoder
        >>> block = TransformerEncoder("minilm").encode(["A dog runs.", "Rain falls."])
        >>> block.vectors.shape  # layers 0 to 6, four token poolings, sentences, features
        (7, 4, 2, 384)
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
        check_type(model, (*PATHS, ModelFolder), "a model", "a name, a folder or a hub id")
        check_type(max_length, Integral, "max_length", "a whole number of tokens")
        check_type(device, (str, NoneType), "device", "a name such as cpu, or None")
        check_type(batch_tokens, (Integral, NoneType), "batch_tokens", "a whole number, or None")
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

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        """Layer and token pooling of each kind of vector, by its name."""
        layers = range(self.n_layers + 1)
        return {_kind(layer, pooling): (layer, pooling) for layer in layers for pooling in POOLINGS}

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of every kind of vector: each layer under each token pooling."""
        return tuple(self._kinds)

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the names of the vectors whose mean a layer set and a token pooling are.

        Raises:
            InputError: A layer set or pooling that there is not.
        """
        pooling = TokenPooling.parse(tokens)
        return tuple(_kind(layer, pooling) for layer in LayerSet(layers).indices(self.n_layers))

    def encode(self, sentences: Sequence[str]) -> Block:
        """Encode sentences into one block of every kind of vector, in their own order.

        Returns:
            Vectors of shape (L + 1, 4, N, D), by layer (0 is the embedding output) and token
            pooling (mean, cls, max, last).

        Raises:
            InputError: A sentence without text, or a model that cannot be loaded as an encoder.
        """
        blocks = self.encode_blocks(sentences)
        whole = whole_block((len(self.tensors), 0, self.dim), blocks)
        shape = (self.n_layers + 1, len(POOLINGS), len(whole.rows), self.dim)
        return replace(whole, vectors=whole.vectors.reshape(shape))

    def encode_blocks(
        self,
        sentences: Sequence[str],
        *,
        kinds: Sequence[str] | None = None,
    ) -> Iterator[Block]:
        """Encode sentences and yield finished blocks, longest sentences last.

        A block has at most 16 MB, on the CPU at most 1,024 sentences, so that a store can write
        what is finished and work survives a kill. Layers above the deepest of `kinds` are not
        computed.

        Args:
            sentences: N texts.
            kinds: Some of `tensors`; None takes all.
        """
        check_sentences(sentences)
        wanted = [self._kinds[kind] for kind in (self.tensors if kinds is None else kinds)]
        tokens, cut = self._tokenize(sentences)
        n_tokens = np.array([len(ids) for ids in tokens], np.int32)
        check_tokens(n_tokens)
        most = _BLOCK_BYTES // (4 * self.dim * len(wanted))
        run = self._pass(wanted)  # loaded here, by one thread
        yield from run_in_groups(
            n_tokens,
            cut,
            max(32, most),
            lambda rows: np.array([tokens[row] for row in rows]),
            partial(self._forward_group, run),
            device=self._device,
            batch_tokens=self._batch_tokens,
        )

    @cached_property
    def _device(self) -> "torch.device":
        return resolve_device(self._device_name)

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
        use_onednn(frozen)
        return frozen

    @cached_property
    def _layers(self) -> EarlyExit:
        with model_faults(self.model, "encode these sentences"):
            return EarlyExit(self._network, self.n_layers)

    @cached_property
    def _vocabulary_size(self) -> int:
        embeddings: Any = self._network.get_input_embeddings()
        return int(embeddings.weight.shape[0])

    def _tokenize(self, sentences: Sequence[str]) -> tuple[list[list[int]], np.ndarray]:
        """Return token ids, cut to the maximum length, and which sentences were cut, shape (N,)."""
        tokens: list[list[int]] = []
        cut: list[bool] = []
        for portion in portions(sentences):
            with model_faults(self.model, "divide these sentences into tokens"):
                batch = self._tokenizer(portion, truncation=True, max_length=self.max_length)
                tokens.extend(batch["input_ids"])
                cut.extend(bool(encoding.overflowing) for encoding in batch.encodings)
        return tokens, np.array(cut, bool)

    def _pass(self, wanted: Sequence[Kind]) -> Callable[[np.ndarray], np.ndarray]:
        """Return what makes vectors, (K, n, D), of the token ids of equally long sentences."""
        return partial(_run, self._layers, wanted, self._device)

    def _forward_group(
        self, run: Callable[[np.ndarray], np.ndarray], ids: np.ndarray
    ) -> np.ndarray:
        """Run sentences of equal length, token ids (n, T); return their vectors, (K, n, D)."""
        import torch

        with torch.inference_mode(), model_faults(self.model, "encode these sentences"):
            check_vocabulary(int(ids.max()), self._vocabulary_size, self.model)
            vectors = run(ids)
        check_finite(vectors, self.model)
        return vectors


def _run(
    layers: EarlyExit, wanted: Sequence[Kind], device: "torch.device", ids: np.ndarray
) -> np.ndarray:
    import torch

    deepest = max(layer for layer, _ in wanted)
    states = partial(layers.hidden_states, deepest=deepest)
    return to_host(_pooled(states, wanted, to_device(torch.from_numpy(ids), device)))


def _pooled(
    states: "Callable[[torch.Tensor], Sequence[torch.Tensor]]",
    wanted: Sequence[Kind],
    input_ids: "torch.Tensor",
) -> "torch.Tensor":
    """Return layers under token poolings, shape (K, n, D), in the pass that computes them."""
    import torch

    hidden = states(input_ids)
    pooled = [
        pool_tokens(hidden[layer], poolings=[pooling for _, pooling in kinds])
        for layer, kinds in groupby(wanted, key=lambda kind: kind[0])
    ]
    return torch.cat(pooled)


def _kind(layer: int, pooling: TokenPooling) -> str:
    return f"layer.{layer}.{pooling}"
