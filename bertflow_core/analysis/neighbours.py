"""Exact nearest neighbours: float32 products find the candidates, float64 settles them.

A block of queries is multiplied with all rows in float32. The largest scores of each query are
computed again in float64. Where float32 rounding could still hide a nearer row, by its a priori
bound, the whole query is done again in float64; so the result is exact, not nearly so.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

__all__ = ["Metric", "Neighbours", "knn", "nearest_neighbours"]


_BLOCK_BYTES = 64 << 20

_CHUNK = 8192  # rows that are float64 at once

_SPARE = 5  # candidates beyond k, so that rounding rarely leaves a doubt

_GROUPS = 32  # scores per group, of which only the largest is examined first

_NEVER = np.float32(-1e37)  # below every score, of which none is larger than about D


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
    progress: Progress = silent,
) -> Neighbours:
    """Find the k rows of `x` nearest to each query, by L2 distance or by dot product.

    Args:
        x: Rows to choose among, shape (V, D).
        queries: Shape (n, D).
        k: How many, at least 1 and at most V (V - 1 where `own` excludes one).
        metric: `l2`, the smallest distances, or `dot`, the largest products.
        own: The row of `x` that each query is and that is not its own neighbour, shape (n,); -1
            where it is none. None excludes nothing.
        progress: Called with `(done, total, "queries")`; may raise `Cancelled`.

    Returns:
        Distances or products as float64 gives them; of equal ones the earlier row comes first,
        but for those at the k-th place, of which any may be the one that is named.

    Raises:
        InputError: Shapes that do not fit, values that are not finite, or k out of its range.
    """
    kind = _metric(metric)
    excluded = _checked(x, queries, k, own)
    if not len(queries):
        return Neighbours(kind, np.empty((0, k), np.int64), np.empty((0, k)))
    space = _Space.of(x, queries, kind)
    per_block = max(1, _BLOCK_BYTES // (4 * len(space.rows)))
    scores = np.empty((min(per_block, len(queries)), len(space.rows)), np.float32)
    results = []
    for start in range(0, len(queries), per_block):
        progress(start, len(queries), "words")
        block = slice(start, start + per_block)
        results.append(_of_block(space, queries[block], k, excluded[block], scores))
    progress(len(queries), len(queries), "words")
    rows, values = (np.concatenate(parts) for parts in zip(*results, strict=True))
    return Neighbours(kind, rows, values)


def _metric(name: str) -> Metric:
    if name not in tuple(Metric):
        raise InputError(f"unknown metric {quoted(name)}: expected one of {', '.join(Metric)}")
    return Metric(name)


def _checked(x: FloatArray, queries: FloatArray, k: int, own: npt.ArrayLike | None) -> Rows:
    if x.ndim != 2 or queries.ndim != 2 or x.shape[1] != queries.shape[1] or not x.size:
        raise InputError(
            f"neighbours need rows (V, D) and queries (n, D), got {x.shape} and {queries.shape}"
        )
    if not np.isfinite(x).all() or not np.isfinite(queries).all():
        raise InputError("neighbours need finite vectors, got NaN or infinity")
    excluded = np.full(len(queries), -1) if own is None else np.asarray(own, np.int64)
    if excluded.shape != (len(queries),) or (excluded >= len(x)).any() or (excluded < -1).any():
        raise InputError(f"own must name a row of {len(x)}, or -1, for each of {len(queries)}")
    most = len(x) - int((excluded >= 0).any())
    if not 1 <= k <= most:
        raise InputError(f"k must be from 1 to {most}, got {k}")
    return excluded


@dataclass(frozen=True)
class _Space:
    """The rows as a product wants them.

    With c a centre and s a scale, a row is (x - c) / s followed by a bias, and a query is followed
    by 1. The product is the score: q.x, or q.x - |x|^2 / 2, which falls as the distance rises.
    """

    metric: Metric
    x: FloatArray = field(repr=False)
    centre: FloatArray
    scale: float
    rows: FloatArray = field(repr=False)
    longest: float
    bias: float

    @classmethod
    def of(cls, x: FloatArray, queries: FloatArray, metric: Metric) -> "_Space":
        """Centre for distances, which no shift changes; scale, so that nothing overflows."""
        n, d = x.shape
        centre = np.zeros(d)
        if metric is Metric.L2:
            centre = x.mean(axis=0, dtype=np.float64)
        scale = max(_reach(each, centre) for each in (x, queries)) or 1.0
        rows = np.zeros((-(-n // _GROUPS) * _GROUPS, d + 1), np.float32)
        for start in range(0, n, _CHUNK):  # the differences are float64 only while they are made
            rows[start : min(start + _CHUNK, n), :d] = (x[start : start + _CHUNK] - centre) / scale
        squares = np.einsum("nd,nd->n", rows[:n, :d], rows[:n, :d], dtype=np.float64)
        rows[:, d] = _NEVER
        rows[:n, d] = -0.5 * squares if metric is Metric.L2 else 0.0
        longest = float(np.sqrt(squares.max()))
        return cls(metric, x, centre, scale, rows, longest, float(-rows[:n, d].min()))

    def scaled(self, queries: FloatArray) -> FloatArray:
        """Return queries with their 1, float64, shape (n, D + 1)."""
        moved = (np.asarray(queries, np.float64) - self.centre) / self.scale
        return np.column_stack([moved, np.ones(len(moved))])

    def rounding(self, scaled: FloatArray) -> FloatArray:
        """Bound the error of a float32 score, the casts and the bias included, shape (n,)."""
        lengths = np.linalg.norm(scaled[:, :-1], axis=1)
        per_unit = (scaled.shape[1] + 8) * float(np.finfo(np.float32).eps)
        bound: FloatArray = per_unit * (lengths * self.longest + self.bias)
        return bound

    def exact(self, queries: FloatArray, candidates: Rows) -> FloatArray:
        """Return distances or products in float64 of each query's candidates, shape (n, K)."""
        near = np.asarray(self.x[candidates], np.float64)
        own = np.asarray(queries, np.float64)
        if self.metric is Metric.DOT:  # a matrix product rounds a row by what stands beside it
            products: FloatArray = np.einsum("nkd,nd->nk", near, own)
            return products
        near -= own[:, None, :]
        distances: FloatArray = np.sqrt(np.einsum("nkd,nkd->nk", near, near))
        return distances

    def score(self, values: FloatArray, scaled: FloatArray) -> FloatArray:
        """Return the scores of distances or products (n,)."""
        if self.metric is Metric.DOT:
            return values / self.scale / self.scale
        squares = np.square(scaled[:, :-1]).sum(axis=1)
        scores: FloatArray = 0.5 * (squares - np.square(values / self.scale))
        return scores


def _reach(x: FloatArray, centre: FloatArray) -> float:
    """Return the largest absolute value of `x` - `centre`."""
    return float(max((x.max(axis=0) - centre).max(), (centre - x.min(axis=0)).max()))


def _of_block(
    space: _Space, queries: FloatArray, k: int, excluded: Rows, room: FloatArray
) -> tuple[Rows, FloatArray]:
    """Return rows and values of some queries, each of shape (n, k); scores are put into `room`."""
    n_rows = len(space.x)
    wanted = min(k + _SPARE, n_rows - int((excluded >= 0).any()))
    scaled = space.scaled(queries)
    scores = np.matmul(scaled.astype(np.float32), space.rows.T, out=room[: len(queries)])
    masked = np.flatnonzero(excluded >= 0)
    scores[masked, excluded[masked]] = _NEVER
    candidates, threshold = _largest(scores, wanted)
    rows, values = _ordered(space, queries, candidates, k)
    settled = space.score(values[:, -1], scaled) >= threshold + space.rounding(scaled)
    settled |= wanted == n_rows - (excluded >= 0)  # nothing was left out
    for i in np.flatnonzero(~settled):
        rows[i], values[i] = _in_float64(space, queries[i], k, int(excluded[i]))
    return rows, values


def _largest(scores: FloatArray, wanted: int) -> tuple[Rows, FloatArray]:
    """Return the places of the largest scores, shape (n, K), and the least of them, shape (n,).

    The K largest of a row lie in the K groups whose own largest are the largest.
    """
    n, width = len(scores), scores.shape[1] // _GROUPS
    if width <= wanted:
        places = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    else:
        tops = scores.reshape(n, _GROUPS, width).max(axis=1)
        groups = np.argpartition(tops, width - wanted, axis=1)[:, width - wanted :]
        places = (groups[:, :, None] + width * np.arange(_GROUPS)).reshape(n, -1)
    among = np.take_along_axis(scores, places, axis=1)
    chosen = np.argpartition(among, among.shape[1] - wanted, axis=1)[:, -wanted:]
    least = np.take_along_axis(among, chosen, axis=1).min(axis=1)
    return np.take_along_axis(places, chosen, axis=1), least


def _ordered(
    space: _Space, queries: FloatArray, candidates: Rows, k: int
) -> tuple[Rows, FloatArray]:
    """Return the k nearest of the candidates, nearest first, the earlier row of equal ones."""
    values = space.exact(queries, candidates)
    order = np.lexsort((candidates, -values if space.metric is Metric.DOT else values))[:, :k]
    return (
        np.take_along_axis(candidates, order, axis=1),
        np.take_along_axis(values, order, axis=1),
    )


def _in_float64(space: _Space, query: FloatArray, k: int, excluded: int) -> tuple[Rows, FloatArray]:
    """Return the k nearest of all rows to one query, each of shape (k,)."""
    values = np.concatenate(
        [
            space.exact(query[None], np.arange(start, min(start + _CHUNK, len(space.x)))[None])[0]
            for start in range(0, len(space.x), _CHUNK)
        ]
    )
    cost = -values if space.metric is Metric.DOT else values
    if excluded >= 0:
        cost[excluded] = np.inf
    order = np.argsort(cost, kind="stable")[:k]
    return order, values[order]


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
