"""A frozen Hugging Face encoder: one forward pass gives any layers under any token poolings."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from importlib.metadata import version
from itertools import groupby
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.encoders.block import Block, check_sentences, whole_block
from bertflow_core.encoders.catalog import resolve_model
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.network import PASS_VERSION, Network
from bertflow_core.encoders.pooling import POOLINGS, TokenPooling, pool_tokens
from bertflow_core.errors import InputError, check_type
from bertflow_core.files import PATHS
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch

Kind = tuple[int, TokenPooling]


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

    Raises:
        InputError: A model without layers, or a choice that it cannot follow.

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
        if not isinstance(model, ModelFolder):
            model = resolve_model(str(model))
        if model.n_layers == 0:
            raise InputError(
                f"model {quoted(model.name)} is a table of words: it has no transformer, and so "
                "no layers: choose layers model"
            )
        longest = model.max_positions or 1 << 20
        if not 3 <= max_length <= longest:
            raise InputError(
                f"max_length must be from 3 to {longest} tokens for {quoted(model.name)}, "
                f"got {max_length}"
            )
        self._network = Network(model, device, dtype, batch_tokens)
        self.model = model
        self.max_length = max_length
        self.dtype = dtype
        self.n_layers = model.n_layers
        self.dim = model.dim

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
        return fingerprint_of(self.description)

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

        Blocks are small, so that a store can write what is finished and work survives a kill.
        Layers above the deepest of `kinds` are not computed.

        Args:
            sentences: N texts.
            kinds: Some of `tensors`; None takes all.
        """
        check_sentences(sentences)
        longest = self._network.tokenizer.model_max_length
        if self.max_length > longest:
            raise InputError(
                f"max_length must be at most {longest} tokens for {quoted(self.model.name)}, "
                f"got {self.max_length}"
            )
        wanted = [self._kinds[kind] for kind in (self.tensors if kinds is None else kinds)]
        return self._network.blocks(
            sentences,
            partial(self._pooled, wanted),
            n_values=self.dim * len(wanted),
            max_length=self.max_length,
        )

    def _pooled(self, wanted: Sequence[Kind], input_ids: "torch.Tensor") -> "torch.Tensor":
        """Return layers under token poolings, shape (K, n, D), in the pass that computes them."""
        import torch

        deepest = max(layer for layer, _ in wanted)
        hidden = self._network.layers.hidden_states(input_ids, deepest)
        pooled: list[torch.Tensor] = []
        for layer, kinds in groupby(wanted, key=lambda kind: kind[0]):
            pooled += pool_tokens(hidden[layer], [pooling for _, pooling in kinds])
        return torch.stack(pooled)


def fingerprint_of(description: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what decides vectors, whatever the model is called."""
    key = {k: v for k, v in description.items() if k not in ("model", "revision")}
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()


def _kind(layer: int, pooling: TokenPooling) -> str:
    return f"layer.{layer}.{pooling}"
