"""A sample of rows that depends on their ids and a seed alone, not on how they are sharded.

Each row draws a number from its id; the rows with the smallest numbers are the sample, in the order
of these numbers (a bottom-k sample; Cohen and Kaplan, 2007, https://doi.org/10.1145/1281100.1281133).
"""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from bertflow_core.errors import InputError, listed
from bertflow_core.linalg import FloatArray
from bertflow_core.scale.columns import Batch
from bertflow_core.scale.columns import ids as ids_of
from bertflow_core.scale.columns import vectors as vectors_of
from bertflow_core.scale.names import ID, VECTOR
from bertflow_core.scale.parts import parts_of
from bertflow_core.scale.widths import width_of

__all__ = ["Draw", "Drawn", "sample", "sampled"]

_HIGHEST = 2**64
Parts = Callable[["Draw"], Sequence["Drawn"]]
"""Applies a draw to every batch of a corpus."""


@dataclass(frozen=True)
class Drawn:
    """Rows of a batch or a shard that drew small numbers.

    Attributes:
        numbers: From 0 to 2^64 - 1, shape (n,).
        x: Vectors, float32, shape (n, D).
        n_usable: Rows that drew.
        refused: Rows without a usable vector.
        reason: Of the first of them; empty where there is none.
    """

    numbers: np.ndarray
    x: FloatArray
    n_usable: int
    refused: int
    reason: str


@dataclass(frozen=True)
class Draw:
    """Lets the rows of a batch draw, and keeps those whose number is below a bound.

    Attributes:
        seed: From 0.
        bound: At most 2^64.
        column: The vectors.
        key: The ids, one a row, each its own.
        width: D; None takes that of most rows of a batch.
    """

    seed: int
    bound: int
    column: str = VECTOR
    key: str = ID
    width: int | None = None

    def __call__(self, batch: Batch) -> Drawn:
        """Return the rows that are kept.

        Raises:
            InputError: A column is missing.
        """
        sifted = vectors_of(batch, self.column, self.width)
        ids = ids_of(batch, self.key)
        numbers = _numbers([ids[row] for row in sifted.rows], self.seed)
        kept = numbers <= np.uint64(self.bound - 1)
        reason = next(iter(sifted.refused.values()), "")
        n_refused = len(sifted.refused)
        return Drawn(numbers[kept], sifted.values[kept], len(kept), n_refused, reason)


def sample(
    dataset: Any,  # noqa: ANN401 - of Ray, an extra
    n: int,
    *,
    seed: int = 0,
    column: str = VECTOR,
    key: str = ID,
) -> FloatArray:
    """Return `n` rows of a Ray dataset, or all if it has fewer, float32, shape (n, D).

    The rows and their order follow from the ids and the seed. Rows without a usable vector are
    passed over, with a warning that says how many; how wide a vector is, most of the first rows
    decide.

    Args:
        dataset: With a column of vectors and one of ids.
        n: At least 1.
        seed: Another seed gives another sample.
        column: The vectors.
        key: The ids.

    Example:
        >>> import ray  # doctest: +SKIP
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import sample
        >>> x = ray.data.read_parquet("vectors")  # doctest: +SKIP
        >>> flow = build_calibrator("flow").fit(sample(x, 100_000))  # doctest: +SKIP

    Raises:
        InputError: A column is missing, no row can be used, or the vectors' widths differ.
    """
    width = width_of(dataset, column)
    whole = sampled(
        lambda draw: list(parts_of(dataset, draw)), n, dataset.count(), seed, column, key, width
    )
    if whole.refused:
        warnings.warn(f"{whole.refused:,} rows are left out ({whole.reason})", stacklevel=2)
    return whole.x


def sampled(
    parts: Parts,
    n: int,
    total: int,
    seed: int,
    column: str,
    key: str,
    width: int | None = None,
) -> Drawn:
    """Return the `n` rows of a corpus with the smallest numbers, in the order of these.

    Args:
        parts: Applies a draw to all of it.
        n: At least 1.
        total: About how many rows there are, which decides no more than the work.
        seed: From 0.
        column: The vectors.
        key: The ids.
        width: D; None takes that of most rows of a batch.

    Raises:
        InputError: As `sample`.
    """
    if n < 1:
        raise InputError(f"a sample needs at least 1 row, got {n}")
    bound = _first_bound(n, total)
    while True:
        drawn = list(parts(Draw(seed, bound, column, key, width)))
        if bound == _HIGHEST or sum(len(each.numbers) for each in drawn) >= n:
            return _bottom(drawn, n)
        bound = min(_HIGHEST, 4 * bound)


def _first_bound(n: int, total: int) -> int:
    """Return a bound that `n` of `total` rows almost surely stay below, and not many more."""
    wanted = n + 6 * math.sqrt(n) + 16
    return _HIGHEST if wanted >= total else int(_HIGHEST * (wanted / total))


def _bottom(drawn: Sequence[Drawn], n: int) -> Drawn:
    full = [each for each in drawn if len(each.x)]
    widths = sorted({each.x.shape[1] for each in full})
    reason = next((each.reason for each in drawn if each.reason), "")
    if not full:
        raise InputError(f"no row has a usable vector ({reason or 'there are no rows'})")
    if len(widths) > 1:
        raise InputError(f"the vectors have different widths ({listed(widths)}): expected one")
    numbers = np.concatenate([each.numbers for each in full])
    order = np.lexsort((_ties(full, numbers), numbers))[:n]
    places = np.full(len(numbers), -1)
    places[order] = np.arange(len(order))
    x = np.empty((len(order), widths[0]), np.float32)
    start = 0
    for each in full:
        own = places[start : start + len(each.x)]
        x[own[own >= 0]] = each.x[own >= 0]
        start += len(each.x)
    return Drawn(
        numbers[order],
        x,
        sum(each.n_usable for each in drawn),
        sum(each.refused for each in drawn),
        reason,
    )


def _ties(full: Sequence[Drawn], numbers: np.ndarray) -> np.ndarray:
    """Order rows of one id by their vectors, so that the order of the shards plays no part."""
    ties = np.zeros(len(numbers), np.uint64)
    _, place, times = np.unique(numbers, return_inverse=True, return_counts=True)
    starts = np.cumsum([0, *(len(each.x) for each in full)])
    for row in np.flatnonzero(times[place] > 1):
        part = int(np.searchsorted(starts, row, side="right")) - 1
        ties[row] = _number(full[part].x[row - starts[part]].tobytes(), b"")
    return ties


def _numbers(ids: Sequence[object], seed: int) -> np.ndarray:
    """Return the number that each id draws, shape (n,)."""
    key = seed.to_bytes(8, "little")
    drawn = (_number(str(each).encode("utf-8", "surrogatepass"), key) for each in ids)
    return np.fromiter(drawn, np.uint64, len(ids))


def _number(content: bytes, key: bytes) -> int:
    return int.from_bytes(blake2b(content, digest_size=8, key=key).digest(), "little")
