"""Exact nearest neighbours: float32 products find candidates, float64 decides among them.

The cost of a row x to a query q is half its squared distance minus the part common to all rows,
|x|^2 / 2 - q.x, or -q.x for dot products: one matrix product for a block of queries. Its float32
rounding error is at most `slack`. Exact distances in float64 follow for the k + 1 rows of smallest
cost, one of which may be the query itself, and for every row whose cost exceeds the k-th smallest
exact cost by at most the slack. No other row can be nearer, so the result is exact.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.runtime import context

AT_ONCE = 1 << 23  # costs in a block of queries
_GROUP = 32  # rows per group; only the smallest cost of a group is checked first
_IN_CACHE = 512  # rows converted to float64 at once

# Bounds on the rounding errors in float32 and float64, with a margin; and the smallest slack.
_ROUNDING, _ROUNDING_64, _TINY = 2.0**-23, 2.0**-50, 2.0**-120
_ANY = 1e37  # above every cost of centred and scaled rows


class Distance(StrEnum):
    """The measure of how near rows are."""

    L2 = "l2"
    DOT = "dot"


@dataclass(frozen=True)
class Neighbours:
    """Each query's nearest rows, nearest first, and their distances or dot products, (n, k)."""

    metric: Distance
    rows: Rows
    values: FloatArray


def nearest_neighbours(
    x: FloatArray,
    queries: FloatArray,
    k: int,
    *,
    metric: str = Distance.L2,
    own: npt.ArrayLike | None = None,
) -> Neighbours:
    """Find the k rows of `x`, (V, D), nearest to each query, (n, D), by L2 distance or dot product.

    Numbers and their squares are finite, and k is at most the number of rows that are not excluded.
    Distances or products are in float64; of equal ones the earlier row comes first. `own`, (n,),
    has the row of `x` that is the query itself and is excluded, or -1.
    """
    kind, queries = Distance(metric), np.asarray(queries)
    excluded = np.full(len(queries), -1) if own is None else np.asarray(own, np.int64)
    kept = _not_too_often(x, k + 1)
    place = np.full(len(x) + 1, -1)  # the last element is for row -1
    place[kept] = np.arange(len(kept))
    rows, costs = _search(kind, x if len(kept) == len(x) else x[kept], queries, k, place[excluded])
    return Neighbours(kind, kept[rows], -costs if kind is Distance.DOT else costs)


def knn(x: FloatArray, k: int) -> tuple[FloatArray, Rows]:
    """Return L2 distances to the `k` nearest other rows of `x`, ascending, and their indices."""
    nearest = nearest_neighbours(x, x, k, own=np.arange(len(x)))
    return nearest.values, nearest.rows


def _not_too_often(x: FloatArray, most: int) -> Rows:
    """Return the rows with fewer than `most` copies before them; further ones are never needed."""
    if np.unique(x[:, 0], return_counts=True)[1].max() <= most:
        return np.arange(len(x))
    whole = np.ascontiguousarray(x).view(f"V{x.shape[1] * x.itemsize}")[:, 0]
    _, group, counts = np.unique(whole, return_inverse=True, return_counts=True)
    earlier = np.empty(len(x), np.int64)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    earlier[np.argsort(group, kind="stable")] = np.arange(len(x)) - first
    return np.flatnonzero(earlier < most)


def _search(
    metric: Distance, x: FloatArray, queries: FloatArray, k: int, own: Rows
) -> tuple[Rows, FloatArray]:
    """Return every query's nearest rows and their distances, or negated products, both (n, k).

    Rows are centred and scaled so that no number exceeds 1. Distances do not depend on the centre,
    and products change equally for all rows.
    """
    is_l2, (n, d) = metric is Distance.L2, x.shape
    centre = x.mean(axis=0, dtype=np.float64)
    origin = centre * is_l2
    counted = ((x, centre), (queries, origin)) if len(queries) else ((x, centre),)
    scale = float(np.max([(a.max(0) - at, at - a.min(0)) for a, at in counted])) or 1.0
    size = _GROUP if n > _GROUP * k else 1  # so that there are more than k groups
    table, longest = _table(x, centre, scale, size, is_l2=is_l2)
    far, last = float(np.linalg.norm(centre / scale)), min(k, n - 1)
    rows, costs = np.empty((len(queries), k), np.int64), np.empty((len(queries), k))
    step = max(1, AT_ONCE // len(table))
    for start in range(0, len(queries), step):
        context.report(start, len(queries), "queries")
        block = slice(start, start + step)
        framed = (queries[block] - origin) / scale
        bounds = np.column_stack([framed, np.ones(len(framed))]).astype(np.float32) @ table.T
        groups = bounds.reshape(len(framed), size, -1)
        tops = groups.min(axis=1)
        lengths = np.linalg.norm(framed, axis=1)
        sums = lengths * longest + 0.5 * (lengths**2 + longest**2) * is_l2
        slack = _ROUNDING * sums + _ROUNDING_64 * (sums + far * (lengths + longest)) + _TINY
        chosen = np.argpartition(tops, last, axis=1)[:, : last + 1]
        members = groups[np.arange(len(framed))[:, None], :, chosen].argmin(axis=2)
        some = chosen + groups.shape[2] * members
        of = np.repeat(np.arange(len(framed)), last + 1)
        exact = _costs(metric, x, queries[block], of, some.ravel()).reshape(some.shape)
        exact[some == own[block, None]] = np.inf
        reached = np.partition(exact, k - 1, axis=1)[:, k - 1] / scale
        if is_l2:
            reached = 0.5 * (np.square(reached) - lengths**2)
        else:
            reached = reached / scale + framed @ (centre / scale)
        # If rounding hides every cost, all rows are within the limit; padding never is.
        limit = np.fmin(reached + (d + 9) * slack, _ANY).astype(np.float32)
        which, group = np.nonzero(tops <= limit[:, None])
        pair, member = np.nonzero(groups[which, :, group] <= limit[which, None])
        query, row = which[pair], group[pair] + groups.shape[2] * member
        near = row != own[block][query]
        rows[block], costs[block] = _first(metric, x, queries[block], query[near], row[near], k)
    context.report(len(queries), len(queries), "queries")
    return rows, costs


def _table(
    x: FloatArray, centre: FloatArray, scale: float, size: int, *, is_l2: bool
) -> tuple[FloatArray, float]:
    """Return the padded table of negated rows and half squared norms, and the largest norm."""
    n, d = x.shape
    table, longest, start = np.zeros((-(-n // size) * size, d + 1), np.float32), 0.0, 0
    table[n:, d] = np.inf
    for rows in row_blocks(x, _IN_CACHE):
        framed = (rows - centre) / scale
        squares = np.einsum("nd,nd->n", framed, framed)
        part = slice(start, start + len(rows))
        table[part, :d], table[part, d] = -framed, 0.5 * squares * is_l2
        longest, start = max(longest, float(squares.max()) ** 0.5), part.stop
    return table, longest


def _first(
    metric: Distance, x: FloatArray, queries: FloatArray, query: Rows, row: Rows, k: int
) -> tuple[Rows, FloatArray]:
    """Return each query's k nearest of its candidate rows, and their `_costs`, both (b, k)."""
    costs = _costs(metric, x, queries, query, row)
    order = np.lexsort((row, costs, query))
    starts = np.flatnonzero(np.diff(query[order], prepend=-1))
    first = order[starts[:, None] + np.arange(k)]
    return row[first], costs[first]


def _costs(
    metric: Distance, x: FloatArray, queries: FloatArray, query: Rows, row: Rows
) -> FloatArray:
    """Return the distances of pairs, or negated products, in float64, shape (P,)."""
    costs = np.empty(len(row))
    for start in range(0, len(row), _IN_CACHE):
        part = slice(start, start + _IN_CACHE)
        near = np.asarray(x[row[part]], np.float64)
        own = np.asarray(queries[query[part]], np.float64)
        if metric is Distance.L2:
            near -= own
            costs[part] = np.sqrt(np.einsum("pd,pd->p", near, near))
        else:  # in a matrix product, a row's rounding would depend on the other rows
            costs[part] = -np.einsum("pd,pd->p", near, own)
    return costs
