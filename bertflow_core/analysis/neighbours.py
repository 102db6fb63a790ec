"""Exact nearest neighbours: float32 products say which rows can be near, float64 which are.

The cost of a row x to a query q is half its squared distance less what is the same for every row,
|x|^2 / 2 - q.x, or -q.x where products are asked for: one matrix product for a block of queries.
What float32 may round is bounded. The rows of a few small costs are computed in float64; then every
row whose cost is not above the k-th of these by more than the bound. No other can be nearer, so
that the result is exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.errors import InputError, choose
from bertflow_core.linalg import FloatArray, Rows

AT_ONCE = 1 << 23
"""Costs of a block of queries."""

_LARGEST = 1e150  # number, of which squares can be summed
_REPEATED = 32  # equal rows from which on each is looked for once; fewer cost less than that
_GROUP = 32  # rows of which only the smallest cost is looked at first
_IN_CACHE = 512  # rows that are float64 at once

# Of every product and sum in float32 and in float64, with room; what may be taken for zero.
_ROUNDING, _ROUNDING_64, _TINY = 2.0**-23, 2.0**-50, 2.0**-120
_ANY = 1e37  # above every cost in the frame


class Metric(StrEnum):
    """By what measure rows are near."""

    L2 = "l2"
    DOT = "dot"


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
        InputError: Values that are not finite or too large, or k out of its range.
    """
    kind, queries = choose(Metric, metric, "metric"), np.asarray(queries)
    for a in (x, queries):  # NaN is not below anything
        if not (-_LARGEST < float(a.min(initial=0)) and float(a.max(initial=0)) < _LARGEST):
            raise InputError(
                f"neighbours need finite vectors of numbers below {_LARGEST:g}, got NaN, infinity "
                "or larger ones"
            )
    excluded = np.full(len(queries), -1) if own is None else np.asarray(own, np.int64)
    most = len(x) - int((excluded >= 0).any())
    if not 1 <= k <= most:
        raise InputError(f"k must be from 1 to {most}, got {k}")
    members = _equal_rows(x)
    if members is None:
        rows, costs = _search(kind, x, queries, k, excluded)
    else:
        first = np.array([rows[0] for rows in members])
        none = np.full(len(queries), -1)
        found = _search(kind, x[first], queries, min(k + 1, len(first)), none)
        rows, costs = _among_equal(members, *found, excluded, k)
    return Neighbours(kind, rows, -costs if kind is Metric.DOT else costs)


def knn(x: FloatArray, k: int, *, queries: FloatArray | None = None) -> tuple[FloatArray, Rows]:
    """Return the L2 distances to the `k` nearest rows of `x`, rising, and which rows they are.

    Args:
        x: Embeddings, shape (N, D).
        k: Neighbours.
        queries: Rows to look from, shape (Q, D); None looks from each row of `x` at the others.

    Returns:
        Distances and indices of rows of `x`, each of shape (Q, k) or (N, k).
    """
    own = np.arange(len(x)) if queries is None else None
    nearest = nearest_neighbours(x, x if queries is None else queries, k, own=own)
    return nearest.values, nearest.rows


def _equal_rows(x: FloatArray) -> list[Rows] | None:
    """Return the rows of each group of equal ones by its first row; None if no group is large."""
    if np.unique(x[:, 0], return_counts=True)[1].max() <= _REPEATED:
        return None
    whole = np.ascontiguousarray(x).view(f"V{x.shape[1] * x.itemsize}")[:, 0]
    _, group, counts = np.unique(whole, return_inverse=True, return_counts=True)
    if counts.max() <= _REPEATED:
        return None
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(counts)[:-1])
    return sorted(members, key=lambda rows: int(rows[0]))


def _among_equal(
    members: list[Rows], groups: Rows, costs: FloatArray, own: Rows, k: int
) -> tuple[Rows, FloatArray]:
    """Return the k nearest rows of queries whose k + 1 nearest groups, or all, are known."""
    found_rows, found_costs = np.empty((len(own), k), np.int64), np.empty((len(own), k))
    for query in range(len(own)):
        parts = [members[group][: k + 1] for group in groups[query]]
        rows, repeated = np.concatenate(parts), np.repeat(costs[query], list(map(len, parts)))
        order = np.lexsort((rows, repeated))
        order = order[rows[order] != own[query]][:k]
        found_rows[query], found_costs[query] = rows[order], repeated[order]
    return found_rows, found_costs


def _search(
    metric: Metric, x: FloatArray, queries: FloatArray, k: int, own: Rows
) -> tuple[Rows, FloatArray]:
    """Return rows and distances, or products times -1, of every query, each of shape (n, k)."""
    frame = _Frame.of(metric, x, queries)
    rows, costs = np.empty((len(queries), k), np.int64), np.empty((len(queries), k))
    for block in _blocks(len(queries), max(1, AT_ONCE // len(frame.table))):
        part = frame.queries[block]
        bounds, slack = frame.costs(part)
        groups = bounds.reshape(len(part), _GROUP, -1)
        tops = groups.min(axis=1)
        some = _smallest(groups, tops, min(k + 1, len(x)))  # one of them may be left out
        of = np.repeat(np.arange(len(part)), some.shape[1])
        exact = _exact(metric, x, part, of, some.ravel()).reshape(some.shape)
        exact[some == own[block, None]] = np.inf
        reached = np.partition(exact, k - 1, axis=1)[:, k - 1]
        # Where rounding hides every cost, all rows are within the limit, but no padding.
        limit = np.fmin(frame.framed(reached, part) + slack, _ANY).astype(np.float32)
        which, group = np.nonzero(tops <= limit[:, None])
        pair, member = np.nonzero(groups[which, :, group] <= limit[which, None])
        query, row = which[pair], group[pair] + groups.shape[2] * member
        kept = row != own[block][query]
        rows[block], costs[block] = _first(metric, x, part, query[kept], row[kept], k)
    return rows, costs


def _blocks(n: int, size: int) -> Iterator[slice]:
    """Yield blocks of queries and report each."""
    for start in range(0, n, size):
        context.report(start, n, "queries")
        yield slice(start, min(n, start + size))
    context.report(n, n, "queries")


@dataclass(frozen=True, eq=False)
class _Frame:
    """Rows counted from their centre in a unit in which no number is above 1, ready to multiply.

    No distance depends on the centre, and products only by what is the same for every row.

    Attributes:
        is_l2: Whether costs are distances.
        queries: As given, shape (n, D).
        centre: Of the rows, shape (D,).
        origin: From which queries are counted, shape (D,).
        scale: The unit.
        table: The rows times -1 with half their square, shape (W, D + 1), padded to whole groups.
        longest: The length of the longest row in the frame.
    """

    is_l2: bool
    queries: FloatArray
    centre: FloatArray
    origin: FloatArray
    scale: float
    table: FloatArray
    longest: float

    @classmethod
    def of(cls, metric: Metric, x: FloatArray, queries: FloatArray) -> "_Frame":
        (n, d), is_l2 = x.shape, metric is Metric.L2
        centre = x.mean(axis=0, dtype=np.float64)
        origin = centre * is_l2
        counted = ((x, centre), (queries, origin)) if len(queries) else ((x, centre),)
        scale = float(np.max([(a.max(0) - at, at - a.min(0)) for a, at in counted])) or 1.0
        table, longest = np.zeros((-(-n // _GROUP) * _GROUP, d + 1), np.float32), 0.0
        table[n:, d] = np.inf
        for start in range(0, n, _IN_CACHE):
            part = slice(start, min(n, start + _IN_CACHE))
            framed = (x[part] - centre) / scale
            squares = np.einsum("nd,nd->n", framed, framed)
            table[part, :d], table[part, d] = -framed, 0.5 * squares * is_l2
            longest = max(longest, float(squares.max()) ** 0.5)
        return cls(is_l2, queries, centre, origin, scale, table, longest)

    def costs(self, queries: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return costs in float32, shape (b, W), and by how much they may be above, shape (b,)."""
        framed = (queries - self.origin) / self.scale
        costs = np.column_stack([framed, np.ones(len(framed))]).astype(np.float32) @ self.table.T
        lengths, far = np.linalg.norm(framed, axis=1), np.linalg.norm(self.centre / self.scale)
        sums = lengths * self.longest
        if self.is_l2:
            sums += 0.5 * (lengths**2 + self.longest**2)
        slack = _ROUNDING * sums + _ROUNDING_64 * (sums + far * (lengths + self.longest)) + _TINY
        return costs, (self.table.shape[1] + 8) * slack

    def framed(self, costs: FloatArray, queries: FloatArray) -> FloatArray:
        """Return distances, or products times -1, of b queries as costs in the frame, (b,)."""
        framed = (queries - self.origin) / self.scale
        if self.is_l2:
            squares = np.einsum("nd,nd->n", framed, framed)
            found: FloatArray = 0.5 * (np.square(costs / self.scale) - squares)
        else:
            found = costs / self.scale / self.scale + framed @ (self.centre / self.scale)
        return found


def _smallest(groups: FloatArray, tops: FloatArray, n: int) -> Rows:
    """Return n rows of small costs, each of another group where there are so many, shape (b, n)."""
    if tops.shape[1] <= n:
        groups = groups.reshape(len(groups), 1, -1)
        tops = groups[:, 0]
    chosen = np.argpartition(tops, n - 1, axis=1)[:, :n]
    members = groups[np.arange(len(groups))[:, None], :, chosen].argmin(axis=2)
    rows: Rows = chosen + tops.shape[1] * members
    return rows


def _first(
    metric: Metric, x: FloatArray, queries: FloatArray, query: Rows, row: Rows, k: int
) -> tuple[Rows, FloatArray]:
    """Return the k nearest of pairs of a query and a row, by query, each of shape (b, k)."""
    costs = _exact(metric, x, queries, query, row)
    order = np.lexsort((row, costs, query))
    starts = np.flatnonzero(np.diff(query[order], prepend=-1))
    first = order[starts[:, None] + np.arange(k)]
    return row[first], costs[first]


def _exact(
    metric: Metric, x: FloatArray, queries: FloatArray, query: Rows, row: Rows
) -> FloatArray:
    """Return the distances of pairs, or products times -1, in float64, shape (P,)."""
    costs = np.empty(len(row))
    for start in range(0, len(row), _IN_CACHE):
        part = slice(start, start + _IN_CACHE)
        near = np.asarray(x[row[part]], np.float64)
        own = np.asarray(queries[query[part]], np.float64)
        if metric is Metric.L2:
            near -= own
            costs[part] = np.sqrt(np.einsum("pd,pd->p", near, near))
        else:  # a matrix product rounds a row by what stands beside it
            costs[part] = -np.einsum("pd,pd->p", near, own)
    return costs
