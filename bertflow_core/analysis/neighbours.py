"""Exact nearest neighbours: a product in low precision says which rows can be near, float64 which.

The cost of a row x to a query q is half its squared distance, |q|^2 / 2 + |x|^2 / 2 - q.x, or -q.x
where products are asked for. Of the rounded x' and q' only q'.x' is known, but

    q.x <= q'.x' + |q - q'| |x| + |q'| |x - x'|    (Cauchy-Schwarz)

so with these lengths as two more features one product bounds the cost of every pair from below.
Some rows of small bounds are computed in float64, and then every row whose bound is not above the
k-th cost of these: no other can be nearer, so that the result is exact in any precision.
"""

import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.device import AUTO, settle_precision
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.wording import quoted

__all__ = ["Metric", "Neighbours", "knn", "nearest_neighbours"]

WORTH_BFLOAT16 = 10**9  # multiplications from which on rounding to bfloat16 pays ...
WORTH_TORCH = 4 * 10**11  # ... and from which on importing torch for it does
AT_ONCE = 1 << 23  # bounds of a block of queries

_LARGEST = 1e150  # number, of which squares can be summed
_REPEATED = 32  # equal rows from which on each is looked for once; fewer cost less than that
_GROUP = 32  # rows of which only the smallest bound is looked at first
_MANY = 256  # such groups near a query from which on it takes a better precision
_EVEN = 64  # of any other number of queries, products in bfloat16 take a third longer
_IN_CACHE = 512  # rows that are float64 at once

_STEP = 2.0**-8  # the largest share by which bfloat16 moves a number
_ROUNDING, _ROUNDING_64 = 2.0**-22, 2.0**-50  # of a sum in float32 and float64, with room
_TINY, _ANY = 2.0**-120, 1e37  # what a processor may take for zero; above every cost in the frame

Bounds: TypeAlias = npt.NDArray[np.float32 | np.int16]


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
        InputError: Shapes that do not fit, values that are not finite, or k out of its range.
    """
    if metric not in tuple(Metric):
        raise InputError(f"unknown metric {quoted(metric)}: expected one of {', '.join(Metric)}")
    kind, queries = Metric(metric), np.asarray(queries)
    excluded = _checked(x, queries, k, own)
    if not len(queries):
        return Neighbours(kind, np.empty((0, k), np.int64), np.empty((0, k)))
    members = _equal_rows(x)
    if members is None:
        rows, costs = _Search.of(kind, x, queries, k, excluded).result()
    else:
        first = np.array([rows[0] for rows in members])
        none = np.full(len(queries), -1)
        found = _Search.of(kind, x[first], queries, min(k + 1, len(first)), none).result()
        rows, costs = _among_equal(members, *found, excluded, k)
    return Neighbours(kind, rows, -costs if kind is Metric.DOT else costs)


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
    nearest = nearest_neighbours(x, x if queries is None else queries, k, own=own)
    return nearest.values, nearest.rows


def _checked(x: FloatArray, queries: FloatArray, k: int, own: npt.ArrayLike | None) -> Rows:
    if x.ndim != 2 or queries.ndim != 2 or x.shape[1] != queries.shape[1] or not x.size:
        raise InputError(
            f"neighbours need rows (V, D) and queries (n, D), got {x.shape} and {queries.shape}"
        )
    for a in (x, queries):  # NaN is not below anything
        if not (-_LARGEST < float(a.min(initial=0)) and float(a.max(initial=0)) < _LARGEST):
            raise InputError(
                f"neighbours need finite vectors of numbers below {_LARGEST:g}, got NaN, infinity "
                "or larger ones"
            )
    excluded = np.full(len(queries), -1) if own is None else np.asarray(own, np.int64)
    if excluded.shape != (len(queries),) or (excluded >= len(x)).any() or (excluded < -1).any():
        raise InputError(f"own must name a row of {len(x)}, or -1, for each of {len(queries)}")
    most = len(x) - int((excluded >= 0).any())
    if not 1 <= k <= most:
        raise InputError(f"k must be from 1 to {most}, got {k}")
    return excluded


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


@dataclass(frozen=True)
class _Search:
    """What is looked for among which rows, and a frame in which no number is above 1.

    In the frame rows are counted from a centre, on which no distance depends, and products only by
    what is the same for every row.
    """

    is_l2: bool
    x: FloatArray = field(repr=False)
    queries: FloatArray = field(repr=False)
    k: int
    own: Rows = field(repr=False)
    centre: FloatArray = field(repr=False)
    origin: FloatArray = field(repr=False)  # from which queries are counted
    scale: float

    @classmethod
    def of(cls, metric: Metric, x: FloatArray, queries: FloatArray, k: int, own: Rows) -> "_Search":
        centre = x.mean(axis=0, dtype=np.float64)
        origin = centre * (metric is Metric.L2)
        counted = ((x, centre), (queries, origin))
        scale = np.max([(a.max(axis=0) - at, at - a.min(axis=0)) for a, at in counted])
        return cls(metric is Metric.L2, x, queries, k, own, centre, origin, float(scale) or 1.0)

    def result(self) -> tuple[Rows, FloatArray]:
        """Return rows and distances, or products times -1, of every query."""
        n = len(self.queries)
        rows, costs = np.empty((n, self.k), np.int64), np.empty((n, self.k))
        waiting = np.arange(n)
        if _is_bfloat16_worth(n * self.x.size):
            waiting = self.settle(waiting, rows, costs, bfloat16=True)
        if len(waiting):
            self.settle(waiting, rows, costs, bfloat16=False)
        context.report(n, n, "queries")
        return rows, costs

    def settle(self, waiting: Rows, rows: Rows, costs: FloatArray, *, bfloat16: bool) -> Rows:
        """Put the nearest rows of queries in place; return those with too much near in bfloat16."""
        screen = _Screen.of(self, bfloat16)
        step = AT_ONCE // len(screen.table)
        room = screen.room(min(len(waiting), step // _EVEN * _EVEN or step or 1))
        left: list[Rows] = []
        for start in range(0, len(waiting), len(room)):
            settled = len(rows) - len(waiting) + start - sum(map(len, left))
            context.report(settled, len(rows), "queries")
            block = waiting[start : start + len(room)]
            framed = (self.queries[block] - self.origin) / self.scale
            bounds, added = screen.bounds(framed, room)
            groups = bounds.reshape(len(block), _GROUP, -1)
            tops = groups.min(axis=1)
            limit = screen.ordered(self._reached(block, framed, groups, tops) + added)
            near = tops <= limit[:, None]
            done = near.sum(axis=1) <= (_MANY + self.k if bfloat16 else len(self.x))
            left.append(block[~done])
            which, group = np.nonzero(near & done[:, None])
            pair, member = np.nonzero(groups[which, :, group] <= limit[which, None])
            found = group[pair] + groups.shape[2] * member
            rows[block[done]], costs[block[done]] = self._first(block[which[pair]], found)
        return np.concatenate(left)

    def _reached(self, block: Rows, framed: FloatArray, groups: Bounds, tops: Bounds) -> FloatArray:
        """Return a cost in the frame that at least k rows do not exceed, shape (n,)."""
        wanted = min(self.k + 1, len(self.x))  # one of them may be left out
        if tops.shape[1] <= wanted:
            groups = groups.reshape(len(block), 1, -1)
            tops = groups[:, 0]
        chosen = np.argpartition(tops, wanted - 1, axis=1)[:, :wanted]
        members = groups[np.arange(len(block))[:, None], :, chosen].argmin(axis=2)
        rows = chosen + tops.shape[1] * members
        costs = self._costs(np.repeat(block, wanted), rows.ravel()).reshape(rows.shape)
        costs[rows == self.own[block, None]] = np.inf
        reached = np.partition(costs, self.k - 1, axis=1)[:, self.k - 1] / self.scale
        if self.is_l2:
            return 0.5 * np.square(reached)
        return reached / self.scale + framed @ (self.centre / self.scale)

    def _first(self, queries: Rows, rows: Rows) -> tuple[Rows, FloatArray]:
        """Return the k nearest of pairs of a query and a row, by query, each of shape (n, k)."""
        kept = rows != self.own[queries]
        queries, rows = queries[kept], rows[kept]
        costs = self._costs(queries, rows)
        order = np.lexsort((rows, costs, queries))
        starts = np.flatnonzero(np.diff(queries[order], prepend=-1))
        first = order[starts[:, None] + np.arange(self.k)]
        return rows[first], costs[first]

    def _costs(self, queries: Rows, rows: Rows) -> FloatArray:
        """Return the distances of pairs, or products times -1, in float64, shape (P,)."""
        costs = np.empty(len(rows))
        for start in range(0, len(rows), _IN_CACHE):
            part = slice(start, start + _IN_CACHE)
            near = np.asarray(self.x[rows[part]], np.float64)
            own = np.asarray(self.queries[queries[part]], np.float64)
            if self.is_l2:
                near -= own
                costs[part] = np.sqrt(np.einsum("pd,pd->p", near, near))
            else:  # a matrix product rounds a row by what stands beside it
                costs[part] = -np.einsum("pd,pd->p", near, own)
        return costs


@dataclass(frozen=True)
class _Screen:
    """All rows of a search, ready to be multiplied with queries in one precision.

    Attributes:
        table: The rows and their further features, shape (W, D + 5), of numpy or torch, with
            padding that costs more than any row.
        longest: The length of the longest row in the frame.
        far: The length of the centre in the frame.
    """

    bfloat16: bool
    is_l2: bool
    table: Any = field(repr=False)
    longest: float
    far: float

    @classmethod
    def of(cls, search: _Search, bfloat16: bool) -> "_Screen":
        n, d = search.x.shape
        table, longest = np.zeros((-(-n // _GROUP) * _GROUP, d + 5), np.float32), 0.0
        table[n:, d] = _ANY
        for start in range(0, n, _IN_CACHE):
            part = slice(start, min(n, start + _IN_CACHE))
            framed = (search.x[part] - search.centre) / search.scale
            rounded, lengths, lost = _rounded(framed, bfloat16)
            bias = 0.5 * np.square(lengths) * search.is_l2
            most = _low(bias, bfloat16)
            ones = np.ones(len(bias))
            further = most, bias - most, -_above(lengths), -_above(lost), ones
            table[part] = np.column_stack([-rounded, *further])
            longest = max(longest, float(lengths.max()))
        far = float(np.linalg.norm(search.centre / search.scale))
        return cls(bfloat16, search.is_l2, _stored(table, bfloat16), longest, far)

    def room(self, n: int) -> Any:  # noqa: ANN401 - of numpy or torch
        """Return room for the bounds of n queries."""
        return _stored(np.empty((n, len(self.table)), np.float32), self.bfloat16)

    def bounds(self, queries: FloatArray, room: Any) -> tuple[Bounds, FloatArray]:  # noqa: ANN401
        """Return bounds of the costs of queries, shape (n, W), and by how much they may be above.

        That is rounding, and what is added so that hardly a bound is below 0: the bits of positive
        numbers in bfloat16 have their order, and those of negative ones come before all others.
        """
        rounded, lengths, lost = _rounded(queries, self.bfloat16)
        own = 0.5 * np.square(lengths) * self.is_l2
        base = _low(_above(own if self.is_l2 else lengths * self.longest), self.bfloat16)
        ones = np.ones(len(queries))
        further = ones, ones, _above(lost), _above(lengths), base
        left = _stored(np.column_stack([rounded, *further]), self.bfloat16)
        if self.bfloat16:
            import torch

            product = torch.mm(left, self.table.T, out=room[: len(queries)])
        else:
            product = np.matmul(left, self.table.T, out=room[: len(queries)])
        bias = 0.5 * self.longest**2 * self.is_l2
        sums = lengths * self.longest + bias + own + base
        slack = _ROUNDING * sums + _ROUNDING_64 * (sums + self.far * (lengths + self.longest))
        slack = (slack + _TINY) * self.table.shape[1] + _STEP**2 * bias
        return _bits(product), base - own + slack

    def ordered(self, limit: FloatArray) -> Bounds:
        """Round what is to be compared with bounds."""
        # Where rounding hides every cost, all rows are within the limit, but no padding.
        return _bits(_stored(np.fmin(limit, _ANY / 2), self.bfloat16))


def _is_bfloat16_worth(multiplications: int) -> bool:
    worth = WORTH_BFLOAT16 if "torch" in sys.modules else WORTH_TORCH
    return multiplications >= worth and settle_precision(AUTO, "cpu") == "bfloat16"


def _stored(a: FloatArray, bfloat16: bool) -> Any:  # noqa: ANN401 - of numpy or torch
    a = np.asarray(a, np.float32)
    if not bfloat16:
        return a
    import torch

    return torch.from_numpy(a).bfloat16()


def _bits(a: Any) -> Bounds:  # noqa: ANN401 - of numpy or torch
    """Return numbers that have the order of stored ones."""
    if isinstance(a, np.ndarray):
        return a
    import torch

    bits: Bounds = a.view(torch.int16).numpy()
    return bits


def _low(a: FloatArray, bfloat16: bool) -> FloatArray:
    """Return rounded numbers."""
    stored = _stored(a, bfloat16)
    return np.asarray(stored.float() if bfloat16 else stored)


def _rounded(a: FloatArray, bfloat16: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return rows rounded, and the lengths of the rows and of what rounding took from them."""
    rounded = _low(a, bfloat16)
    return rounded, np.linalg.norm(a, axis=1), np.linalg.norm(a - rounded, axis=1)


def _above(lengths: FloatArray) -> FloatArray:
    """Return what is no smaller than `lengths`, of rounded rows too, when it is rounded itself."""
    return lengths * (1 + 3 * _STEP)
