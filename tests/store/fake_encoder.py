"""An encoder without a network: vectors from a hash, and a log of what it computed."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.encoders import LayerSet, TokenPooling
from bertflow_core.encoders.running import Block
from bertflow_core.runtime import context

POOLINGS = ("mean", "cls", "max")


def vector(name: str, sentence: str, layer: int, pooling: str, dim: int) -> np.ndarray:
    """Return the vector that the fake encoder `name` gives a sentence, shape (dim,)."""
    text = f"{name} {sentence} {layer} {pooling}".encode("utf-8", "surrogatepass")
    seed = int.from_bytes(hashlib.sha256(text).digest()[:8], "little")
    return np.random.default_rng(seed).standard_normal(dim, np.float32)


def expected(sentences: Sequence[str], *, layer: int = 2, pooling: str = "mean") -> np.ndarray:
    """Return the vectors that a `FakeEncoder` gives sentences, shape (N, 4)."""
    return np.array([vector("fake", s, layer, pooling, 4) for s in sentences])


@dataclass
class FakeEncoder:
    """An encoder for a store; it records every sentence that it computes."""

    name: str = "fake"  # decides the vectors and the fingerprint
    n_layers: int = 2
    dim: int = 4
    per_block: int = 3
    log: Path | None = None  # gets a line for every sentence, for other processes to read
    is_broken: bool = False  # fails at the first sentence
    computed: list[str] = field(default_factory=list)
    kinds: list[tuple[str, ...]] = field(default_factory=list)  # of each block

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.name.encode()).hexdigest()

    @property
    def tensors(self) -> tuple[str, ...]:
        return tuple(f"layer.{k}.{p}" for k in range(self.n_layers + 1) for p in POOLINGS)

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        indices = LayerSet(layers).indices(self.n_layers)
        return tuple(f"layer.{k}.{TokenPooling.parse(tokens)}" for k in indices)

    @property
    def description(self) -> dict[str, Any]:
        return {"model": self.name}

    def encode_blocks(
        self, sentences: Sequence[str], *, kinds: Sequence[str] | None = None
    ) -> Iterator[Block]:
        """Yield blocks of the sentences in reverse order."""
        assert not self.is_broken, f"{list(sentences)[:3]} should have been stored"
        order = np.arange(len(sentences))[::-1]
        context.report(0, len(order), "sentences")
        for start in range(0, len(order), self.per_block):
            rows = order[start : start + self.per_block]
            yield self._block(rows, [sentences[row] for row in rows], kinds or self.tensors)
            context.report(min(start + self.per_block, len(order)), len(order), "sentences")

    def _block(self, rows: np.ndarray, sentences: Sequence[str], kinds: Sequence[str]) -> Block:
        self.computed.extend(sentences)
        self.kinds.append(tuple(kinds))
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as stream:
                stream.writelines(json.dumps(sentence) + "\n" for sentence in sentences)
        places = [(int(layer), pooling) for _, layer, pooling in (k.split(".") for k in kinds)]
        vectors = [[vector(self.name, s, *place, self.dim) for s in sentences] for place in places]
        n_tokens = np.array([len(s.split()) + 2 for s in sentences], np.int32)
        return Block(rows, np.array(vectors, np.float32), n_tokens, n_tokens > 6)
