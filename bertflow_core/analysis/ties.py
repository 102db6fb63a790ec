"""Rows in order of their values, and equal rows, which are looked for once.

Of rows with equal values the earlier one comes first.
"""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.linalg import FloatArray, Rows

__all__ = ["EqualRows", "leading"]

_AT_ONCE = 1 << 20  # candidates that are put in order at once

_MARKED = 8  # columns by which most rows that differ are told apart


def leading(queries: Rows, rows: Rows, values: FloatArray, k: int) -> Rows:
    """Return which candidates are the k first of each query, smallest values first.

    Args:
        queries: The query of each candidate, shape (P,); each has at least k candidates.
        rows: The rows they are, shape (P,).
        values: Shape (P,).
        k: How many.

    Returns:
        Places among the candidates, shape (n, k), a line for each query in the order of queries.
    """
    order = np.lexsort((rows, values, queries))
    of_query = queries[order]
    starts = np.flatnonzero(np.diff(of_query, prepend=-1))
    first: Rows = order[starts[:, None] + np.arange(k)]
    return first


@dataclass(frozen=True)
class EqualRows:
    """Which of some rows are equal.

    Attributes:
        first: Of each group of equal rows the first, shape (U,).
        counts: How many rows each group has, shape (U,).
    """

    first: Rows
    counts: Rows
    _sorted: Rows = field(repr=False)

    @classmethod
    def of(cls, x: FloatArray) -> "EqualRows":
        """Compare rows, shape (V, D), bit by bit."""
        first = np.arange(len(x))
        _, group, counts = np.unique(_marks(x), return_inverse=True, return_counts=True)
        doubtful = np.flatnonzero(counts[group] > 1)
        whole = np.ascontiguousarray(x[doubtful]).view(f"V{x.shape[1] * x.itemsize}")[:, 0]
        _, starts, group = np.unique(whole, return_index=True, return_inverse=True)
        first[doubtful] = doubtful[starts[group]]
        distinct, counts = np.unique(first, return_counts=True)
        return cls(distinct, counts, np.argsort(first, kind="stable"))

    def k_nearest(
        self, groups: Rows, values: FloatArray, own: Rows, k: int
    ) -> tuple[Rows, FloatArray]:
        """Return the k nearest rows of queries whose k + 1 nearest groups are known.

        Args:
            groups: Groups, shape (n, k + 1), or all of them where there are fewer.
            values: What the smaller the nearer a group is, same shape.
            own: The row that each query is and that is left out, or -1, shape (n,).
            k: How many.

        Returns:
            Rows and their values, each of shape (n, k).
        """
        rows, nearest = np.empty((len(own), k), np.int64), np.empty((len(own), k))
        step = max(1, _AT_ONCE // (groups.shape[1] * (k + 1)))
        for start in range(0, len(own), step):
            part = slice(start, start + step)
            rows[part], nearest[part] = self._spread(groups[part], values[part], own[part], k)
        return rows, nearest

    def _spread(
        self, groups: Rows, values: FloatArray, own: Rows, k: int
    ) -> tuple[Rows, FloatArray]:
        counts = np.minimum(self.counts, k + 1)[groups.ravel()]
        before = np.cumsum(self.counts) - self.counts
        places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._sorted[np.repeat(before[groups.ravel()], counts) + places]
        queries = np.repeat(np.arange(groups.size) // groups.shape[1], counts)
        spread = np.repeat(values.ravel(), counts)
        kept = rows != own[queries]
        rows, queries, spread = rows[kept], queries[kept], spread[kept]
        first = leading(queries, rows, spread, k)
        return rows[first], spread[first]


def _marks(x: FloatArray) -> FloatArray:
    """Return a number for each row, equal for equal rows and for few others, shape (V,)."""
    some = np.asarray(x[:, :_MARKED], np.float64)
    marks: FloatArray = (some * np.sqrt(np.arange(2, some.shape[1] + 2))).sum(axis=1)
    return marks
