"""An encoder that looks up vectors in files and knows no other sentences."""

import hashlib
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.vectors import VectorFile
from bertflow_core.encoders.given import GivenEncoder
from bertflow_core.encoders.running import Block
from bertflow_core.errors import InputError
from bertflow_core.runtime import context
from bertflow_core.wording import quoted

_NEARLY_EQUAL = 1e-2
"""Vectors at most this far apart, relative to their length, count as equal: services round them."""


class RowVectors(GivenEncoder):
    """An encoder whose vectors are the rows of files, one for each given sentence."""

    def __init__(
        self,
        name: str,
        files: Sequence[VectorFile],
        sentences: Sequence[Sequence[str]],  # for the rows of each file
        *,
        n_named: int,  # number of leading files that the name lists
        revision: str | None = None,
    ) -> None:
        digests = [file.source.sha256 for file in files]
        digest = hashlib.sha256("".join(digests[:n_named]).encode()).hexdigest()
        super().__init__(name, digest, revision, digests)
        widths = {file.x.shape[1] for file in files}
        if len(widths) > 1:
            raise InputError(
                f"vectors of {min(widths):,} and of {max(widths):,} features: expected the "
                "same width, since one encoder makes all of them"
            )
        self.dim = int(widths.pop())
        self.sides = tuple(files[:n_named])
        self._files = tuple(files)
        self._rows: dict[str, int] = {}
        for row, sentence in enumerate(chain.from_iterable(sentences)):
            first = self._rows.setdefault(sentence, row)
            if first != row:
                self._check_equal(sentence, first, row)

    @property
    def description(self) -> dict[str, Any]:
        """What determines the vectors, JSON-able."""
        files = [
            {"name": file.name, "sha256": file.source.sha256, "shape": file.shape}
            for file in self._files
        ]
        return {**super().description, "files": files}

    def encode(self, sentences: Sequence[str]) -> Block:
        """Look sentences up; refuse one without a vector."""
        rows = np.array([self._rows.get(sentence, -1) for sentence in sentences], np.int64)
        unknown = np.flatnonzero(rows < 0)
        if len(unknown):
            raise InputError(
                f"{len(unknown):,} of {len(rows):,} sentences have no vector in "
                f"{quoted(self.model.name)}, the first of them {quoted(sentences[unknown[0]])}: "
                "add their vectors, or choose 'vectors' as the fit corpus"
            )
        n = len(rows)
        context.report(n, n, "sentences")
        return Block(
            np.arange(n), self._gather(rows)[None], np.zeros(n, np.int32), np.zeros(n, bool)
        )

    def _check_equal(self, sentence: str, first: int, second: int) -> None:
        x, y = self._gather(np.array([first, second])).astype(np.float64)
        if np.linalg.norm(x - y) > _NEARLY_EQUAL * max(np.linalg.norm(x), np.linalg.norm(y)):
            raise InputError(
                f"{quoted(sentence)} has two different vectors, in rows {first + 1:,} and "
                f"{second + 1:,} of {quoted(self.model.name)}: expected one for each sentence; "
                "to match vectors by row, leave out the column of sentences"
            )

    def _gather(self, rows: np.ndarray) -> FloatArray:
        """Return rows in float32, shape (n, D), without a copy if they are a whole float32 file."""
        whole = self._files[0].x
        if len(rows) == len(whole) and np.array_equal(rows, np.arange(len(rows))):
            return np.asarray(whole, np.float32)
        x, start = np.empty((len(rows), self.dim), np.float32), 0
        for file in self._files:
            own = (rows >= start) & (rows < start + len(file.x))
            x[own] = file.x[rows[own] - start]
            start += len(file.x)
        return x
