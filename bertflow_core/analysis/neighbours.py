"""Exact nearest neighbours: low precision finds which rows can be near, float64 settles it.

A block of queries is multiplied with all rows in low precision, which bounds from below how far
away each row is. The rows that seem nearest are computed in float64, and then every row whose bound
is not above the k-th of them; no other can be nearer, so the result is exact.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.analysis.precisions import Ordered, Precision, precisions
from bertflow_core.analysis.screening import GROUP, Bounds, Frame, Metric, Screen
from bertflow_core.analysis.ties import EqualRows, leading
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.wording import quoted

__all__ = ["Metric", "Neighbours", "knn", "nearest_neighbours"]

_BLOCK_BYTES = 32 << 20  # of the bounds of a block of queries

_MOST_PAIRS = 1 << 22  # that a block of queries may have to be computed in float64

_EVEN = 64  # of any other number of queries, products in bfloat16 take a third longer

_AT_ONCE = 512  # pairs that are float64 at once

_LARGEST = 1e150  # number, of which squares can be summed

_REPEATED = 32  # equal rows from which on each is looked for once; fewer cost less than that

_MANY = 256  # groups of rows near a query from which on it takes a better precision


@dataclass(frozen=True)
class Neighbours:
    """The nearest rows of each query, nearest first.

    Attributes:
        metric: `l2` or `dot`.
        rows: Which rows, shape (n, k).
        values: Their L2 distances, rising, or dot products, falling; float64, shape (n, k).
    """

    metric: Metric
    rows: Rows
    values: FloatArray


def nearest_neighbours(
    x: FloatArray,
    queries: FloatArray,
    k: int,
    *,
    metric: str = Metric.L2,
    own: npt.ArrayLike | None = None,
) -> Neighbours:
    """Find the k rows of `x` nearest to each query, by L2 distance or by dot product.

    Args:
        x: Rows to choose among, shape (V, D).
        queries: Shape (n, D).
        k: How many, at least 1 and at most V (V - 1 where `own` excludes one).
        metric: `l2`, the smallest distances, or `dot`, the largest products.
        own: The row of `x` that each query is and that is not its own neighbour, shape (n,); -1
            where it is none. None excludes nothing.

    Returns:
        Distances or products as float64 gives them; of equal ones the earlier row comes first.

    Raises:
        InputError: Shapes that do not fit, values that are not finite, or k out of its range.
    """
    kind = _metric(metric)
    excluded = _checked(x, queries, k, own)
    if not len(queries):
        return Neighbours(kind, np.empty((0, k), np.int64), np.empty((0, k)))
    equal = EqualRows.of(x)
    if equal.counts.max() <= _REPEATED:
        return _Search.of(kind, x, queries, k, excluded).result()
    none = np.full(len(queries), -1)
    among = _Search.of(kind, x[equal.first], queries, min(k + 1, len(equal.first)), none)
    found = among.result()
    rows, values = equal.k_nearest(found.rows, among.signed(found.values), excluded, k)
    return Neighbours(kind, rows, among.signed(values))


def _metric(name: str) -> Metric:
    if name not in tuple(Metric):
        raise InputError(f"unknown metric {quoted(name)}: expected one of {', '.join(Metric)}")
    return Metric(name)


def _checked(x: FloatArray, queries: FloatArray, k: int, own: npt.ArrayLike | None) -> Rows:
    if x.ndim != 2 or queries.ndim != 2 or x.shape[1] != queries.shape[1] or not x.size:
        raise InputError(
            f"neighbours need rows (V, D) and queries (n, D), got {x.shape} and {queries.shape}"
        )
    if not (_can_be_squared(x) and _can_be_squared(queries)):
        raise InputError(
            f"neighbours need finite vectors of numbers below {_LARGEST:g}, got NaN, infinity or "
            "larger ones"
        )
    excluded = np.full(len(queries), -1) if own is None else np.asarray(own, np.int64)
    if excluded.shape != (len(queries),) or (excluded >= len(x)).any() or (excluded < -1).any():
        raise InputError(f"own must name a row of {len(x)}, or -1, for each of {len(queries)}")
    most = len(x) - int((excluded >= 0).any())
    if not 1 <= k <= most:
        raise InputError(f"k must be from 1 to {most}, got {k}")
    return excluded


def _can_be_squared(a: FloatArray) -> bool:
    return -_LARGEST < float(a.min(initial=0)) and float(a.max(initial=0)) < _LARGEST  # not if NaN


@dataclass(frozen=True)
class _Search:
    """What is looked for among which rows, and the frame in which costs are bounded."""

    metric: Metric
    x: FloatArray = field(repr=False)
    queries: FloatArray = field(repr=False)
    k: int
    own: Rows = field(repr=False)
    frame: Frame

    @classmethod
    def of(cls, metric: Metric, x: FloatArray, queries: FloatArray, k: int, own: Rows) -> "_Search":
        return cls(metric, x, np.asarray(queries), k, own, Frame.of(x, queries, metric))

    def result(self) -> Neighbours:
        """Search, first in low precision, and what that leaves among all rows in float64."""
        n = len(self.queries)
        rows, values = np.empty((n, self.k), np.int64), np.empty((n, self.k))
        waiting = np.arange(n)
        for precision in precisions(n * self.x.size):
            waiting = self.settle(waiting, precision, rows, values)
        for done, query in enumerate(waiting.tolist(), start=n - len(waiting)):
            context.report(done, n, "queries")
            rows[query], values[query] = self.among_all(query)
        context.report(n, n, "queries")
        return Neighbours(self.metric, rows, values)

    def settle(
        self,
        waiting: Rows,
        precision: Precision,
        rows: Rows,
        values: FloatArray,
    ) -> Rows:
        """Put the nearest rows of queries and their values in place; return the queries left."""
        if not len(waiting):
            return waiting
        screen = Screen.of(self.x, self.frame, precision)
        width = len(screen.table)
        most_near = min(width, GROUP * max(_MANY, self.k))  # of one query, in `_of_block`
        per_block = min(_BLOCK_BYTES // (precision.n_bytes * width), _MOST_PAIRS // most_near) or 1
        per_block = min(per_block // _EVEN * _EVEN or per_block, len(waiting))
        room = precision.empty(per_block, width)
        left: list[Rows] = []
        for start in range(0, len(waiting), per_block):
            settled = len(self.queries) - len(waiting) + start - sum(map(len, left))
            context.report(settled, len(self.queries), "queries")
            block = waiting[start : start + per_block]
            found, found_rows, found_values = self._of_block(screen, block, room[: len(block)])
            rows[block[found]], values[block[found]] = found_rows, found_values
            left.append(block[~found])
        return np.concatenate(left)

    def _of_block(
        self, screen: Screen, block: Rows, room: object
    ) -> tuple[npt.NDArray[np.bool_], Rows, FloatArray]:
        """Return which queries are settled, and their rows and values, each of shape (m, k)."""
        framed = self.frame.queries(self.queries[block])
        bounds = screen.bounds(framed, room)
        masked = np.flatnonzero(self.own[block] >= 0)
        bounds.leave_out(masked, self.own[block[masked]])
        groups = bounds.least.reshape(len(block), GROUP, -1)
        tops = groups.min(axis=1)
        limit = bounds.limit(self.frame.costs(self._reached(block, bounds, tops), framed))
        near = tops <= limit[:, None]
        settled = near.sum(axis=1) <= max(_MANY, self.k)
        which, group = np.nonzero(near & settled[:, None])
        pair, member = np.nonzero(groups[which, :, group] <= limit[which, None])
        places = np.cumsum(settled)[which[pair]] - 1
        rows = group[pair] + groups.shape[2] * member
        return settled, *self._first(block[settled], places, rows)

    def _reached(self, block: Rows, bounds: Bounds, tops: Ordered) -> FloatArray:
        """Return a distance that k rows are not beyond, or a product that k reach, shape (n,)."""
        wanted = min(self.k + 1, len(self.x) - int((self.own[block] >= 0).any()))
        rows = _smallest(bounds.least, tops, wanted)
        values = self._values(np.repeat(block, wanted), rows.ravel()).reshape(rows.shape)
        return self.signed(np.partition(self.signed(values), self.k - 1, axis=1)[:, self.k - 1])

    def _first(self, block: Rows, places: Rows, rows: Rows) -> tuple[Rows, FloatArray]:
        """Return the k nearest of pairs (place in the block, row), each of shape (n, k)."""
        values = self._values(block[places], rows)
        first = leading(places, rows, self.signed(values), self.k)
        return rows[first], values[first]

    def _values(self, queries: Rows, rows: Rows) -> FloatArray:
        """Return the distances or products of pairs in float64, each of shape (P,)."""
        values = np.empty(len(rows))
        for start in range(0, len(rows), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            near = np.asarray(self.x[rows[part]], np.float64)
            own = np.asarray(self.queries[queries[part]], np.float64)
            if self.metric is Metric.DOT:  # a matrix product rounds a row by what stands beside it
                values[part] = np.einsum("pd,pd->p", near, own)
            else:
                near -= own
                values[part] = np.sqrt(np.einsum("pd,pd->p", near, near))
        return values

    def signed(self, values: FloatArray) -> FloatArray:
        """Return what is the smaller the nearer a row is; done twice, it is undone."""
        return -values if self.metric is Metric.DOT else values

    def among_all(self, query: int) -> tuple[Rows, FloatArray]:
        """Return the k nearest of all rows to one query in float64, each of shape (k,)."""
        rows = np.flatnonzero(np.arange(len(self.x)) != self.own[query])
        return self._first(np.array([query]), np.zeros_like(rows), rows)


def _smallest(least: Ordered, tops: Ordered, wanted: int) -> Rows:
    """Return the rows of some of the smallest bounds, shape (n, wanted), of groups or of all."""
    if tops.shape[1] <= wanted:
        smallest: Rows = np.argpartition(least, wanted - 1, axis=1)[:, :wanted]
        return smallest
    chosen = np.argpartition(tops, wanted - 1, axis=1)[:, :wanted]
    groups = least.reshape(len(least), GROUP, -1)
    members = groups[np.arange(len(least))[:, None], :, chosen].argmin(axis=2)
    rows: Rows = chosen + tops.shape[1] * members
    return rows


def knn(
    x: FloatArray, k: int, *, queries: FloatArray | None = None
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return the L2 distances to the `k` nearest rows of `x`, rising, and which rows they are.

    Args:
        x: Embeddings, shape (N, D).
        k: Neighbours.
        queries: Rows to look from, shape (Q, D); None looks from each row of `x` at the others.

    Returns:
        Distances and indices of rows of `x`, each of shape (Q, k) or (N, k).

    Raises:
        InputError: `x` has not so many rows to find, or as `nearest_neighbours`.
    """
    x = np.asarray(x)
    own = np.arange(len(x)) if queries is None else None
    nearest = nearest_neighbours(x, x if queries is None else np.asarray(queries), k, own=own)
    return nearest.values, nearest.rows
