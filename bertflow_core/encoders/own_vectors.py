"""Vectors that somebody else computed, looked up by sentence."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.encoders.block import Block
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.static import StaticModel, check_static_layers
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

_NEARLY_EQUAL = 1e-2
"""Largest distance, relative to their length, of two vectors that are taken for one sentence's:
services round and repeat with small errors."""


class OwnVectors:
    """An encoder that knows the vectors of some sentences, and of no others.

    Its vectors are under the layer set and the token pooling named `model`.

    Args:
        model: Its name, and the digest of its files.
        parts: Arrays of one width D, each of shape (N_i, D); they are not copied.
        sentences: The sentence of every row of all parts, in order.
        files: What the recipe of a result says of the files, JSON-able.

    Raises:
        InputError: Different widths, or one sentence with two different vectors.

    Example:
        >>> import io
        >>> import numpy as np
        >>> from bertflow_core import Lab, Recipe
        >>> from bertflow_core.datasets import RawFile
        >>> content = io.BytesIO()
        >>> np.save(content, np.eye(3))
        >>> lab = Lab(files={"x.npy": RawFile("x.npy", content.getvalue())})
        >>> encoder = lab.encoder(Recipe(model="vectors", dataset="x.npy"))
        >>> encoder.encode(encoder.sentences[:2]).vectors.shape
        (1, 2, 3)
    """

    tensors = (DECLARED,)

    def __init__(
        self,
        model: StaticModel,
        parts: Sequence[FloatArray],
        sentences: Sequence[str],
        files: Sequence[Mapping[str, Any]],
    ) -> None:
        widths = {x.shape[1] for x in parts}
        if len(widths) > 1:
            raise InputError(
                f"vectors of {min(widths):,} and of {max(widths):,} features: expected one width, "
                "those of one encoder"
            )
        self.model = model
        self.dim = int(widths.pop())
        self._parts = tuple(parts)
        self._starts = np.cumsum([0, *(len(x) for x in parts)])
        self._rows = self._first_rows(sentences)
        self._files = [dict(file) for file in files]

    @property
    def description(self) -> dict[str, Any]:
        """What decides the vectors, JSON-able."""
        return {"model": self.model.name, "files": self._files, "dim": self.dim}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the files' digests: equal files under two names share one."""
        key = [file["sha256"] for file in self._files]
        return hashlib.sha256(json.dumps(key).encode()).hexdigest()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences whose vectors are known, once each."""
        return tuple(self._rows)

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the name of the vectors.

        Raises:
            InputError: Another layer set.
        """
        check_static_layers(self.model.name, layers)
        return self.tensors

    def encode(self, sentences: Sequence[str]) -> Block:
        """Look sentences up, in their own order.

        Raises:
            InputError: A sentence without a vector.
        """
        rows = self._look_up(sentences)
        context.report(len(rows), len(rows), "sentences")
        n = len(rows)
        return Block(
            np.arange(n), self._gather(rows)[None], np.zeros(n, np.int32), np.zeros(n, bool)
        )

    def encode_blocks(
        self,
        sentences: Sequence[str],
        *,
        kinds: Sequence[str] | None = None,  # there is one
    ) -> Iterator[Block]:
        """Yield all sentences' vectors as one block."""
        yield self.encode(sentences)

    def _first_rows(self, sentences: Sequence[str]) -> dict[str, int]:
        rows: dict[str, int] = {}
        for row, sentence in enumerate(sentences):
            first = rows.setdefault(sentence, row)
            if first != row:
                self._check_equal(sentence, first, row)
        return rows

    def _check_equal(self, sentence: str, first: int, second: int) -> None:
        x, y = self._gather(np.array([first, second])).astype(np.float64)
        if np.linalg.norm(x - y) > _NEARLY_EQUAL * max(np.linalg.norm(x), np.linalg.norm(y)):
            raise InputError(
                f"{quoted(sentence)} has two different vectors, in rows {first + 1:,} and "
                f"{second + 1:,} of {quoted(self.model.name)}: expected one for each sentence; "
                "leave the sentences out to compare row by row"
            )

    def _look_up(self, sentences: Sequence[str]) -> np.ndarray:
        rows = np.array([self._rows.get(sentence, -1) for sentence in sentences], np.int64)
        unknown = np.flatnonzero(rows < 0)
        if len(unknown):
            raise InputError(
                f"{len(unknown):,} of {len(rows):,} sentences have no vector in "
                f"{quoted(self.model.name)}, the first of them {quoted(sentences[unknown[0]])}: "
                "give their vectors, or fit on those that are there: the fit corpus vectors"
            )
        return rows

    def _gather(self, rows: np.ndarray) -> FloatArray:
        """Return rows in float32, shape (n, D); the file's own memory where that is all of it."""
        whole = self._parts[0]
        if len(rows) == len(whole) and np.array_equal(rows, np.arange(len(rows))):
            return np.asarray(whole, np.float32)
        x = np.empty((len(rows), self.dim), np.float32)
        part_of = np.searchsorted(self._starts, rows, side="right") - 1
        for i, part in enumerate(self._parts):
            chosen = np.flatnonzero(part_of == i)
            x[chosen] = part[rows[chosen] - self._starts[i]]
        return x
