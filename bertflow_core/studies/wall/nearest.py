"""The nearest neighbours of a row in every pane, and how they differ from the first pane's."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.analysis.neighbours import Metric, Neighbours, nearest_neighbours
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, Rows, unit_rows
from bertflow_core.studies.wall.recipe import check_metric
from bertflow_core.studies.wall.spaces import Wall

__all__ = ["PaneNeighbours", "all_neighbours", "neighbours_of", "points_of"]

_BLOCK_ROWS = 8192


@dataclass(frozen=True, eq=False)
class PaneNeighbours:
    """The nearest neighbours of one row in one space, nearest first.

    Attributes:
        name: Of the pane.
        badge: In which space distances are measured.
        rows: Which rows of the wall, shape (k,).
        texts: Their texts.
        values: Their cosines, falling, or L2 distances, rising, shape (k,).
        stayed: Whether each is a neighbour in the first pane too, shape (k,).
        left: Neighbours in the first pane that are none here, nearest there first.
    """

    name: str
    badge: str
    rows: Rows
    texts: tuple[str, ...] = field(repr=False)
    values: FloatArray
    stayed: npt.NDArray[np.bool_]
    left: Rows


def neighbours_of(
    wall: Wall, row: int, k: int = 10, metric: str = "cosine"
) -> tuple[PaneNeighbours, ...]:
    """Find the exact nearest neighbours of one row in the full space of every pane.

    Only the rows of the wall are searched, so of a sample those that were drawn. Of equal values
    the earlier row comes first.

    Args:
        wall: The spaces.
        row: Which row of the wall, from 0; its id is `wall.rows.ids[row]`.
        k: How many, or all other rows where there are fewer.
        metric: `cosine` or `l2`.

    Raises:
        InputError: No such row, a k below 1, or an unknown metric.
    """
    check_metric(metric)
    if not 0 <= row < len(wall.rows) or k < 1:
        raise InputError(
            f"expected a row from 0 to {len(wall.rows) - 1} and k of at least 1, got {row} and {k}"
        )
    nearest = [_nearest(space.z, row, k, metric) for space in wall.spaces]
    first = nearest[0][0]
    return tuple(
        PaneNeighbours(
            name=name,
            badge=space.badge(metric),
            rows=rows,
            texts=tuple(wall.rows.texts[i] for i in rows),
            values=values,
            stayed=np.isin(rows, first),
            left=first[~np.isin(first, rows)],
        )
        for name, space, (rows, values) in zip(wall.names, wall.spaces, nearest, strict=True)
    )


def all_neighbours(z: FloatArray, k: int, metric: str = "cosine") -> Neighbours:
    """Find the exact nearest neighbours of every row of a space, as `neighbours_of` finds one's.

    Args:
        z: A space, shape (N, K).
        k: How many, or all other rows where there are fewer.
        metric: `cosine` or `l2`.

    Returns:
        Rows and their cosines or L2 distances, each of shape (N, k).
    """
    points = points_of(z, metric)
    by = Metric.L2 if metric == "l2" else Metric.DOT
    with context.renamed("rows compared"):
        return nearest_neighbours(
            points, points, min(k, len(z) - 1), metric=by, own=np.arange(len(z))
        )


def points_of(z: FloatArray, metric: str) -> FloatArray:
    """Return the points whose L2 distances order rows as a metric does, float32, shape (N, K).

    For cosine they are the rows scaled to length 1: their squared distance is 2 - 2 cosine.
    """
    check_metric(metric)
    return z if metric == "l2" else unit_rows(z).astype(np.float32)


def _nearest(z: FloatArray, row: int, k: int, metric: str) -> tuple[Rows, FloatArray]:
    starts = range(0, len(z), _BLOCK_ROWS)
    query = z[row].astype(np.float64)
    compare = _distances if metric == "l2" else _cosines
    values = np.concatenate([compare(z[i : i + _BLOCK_ROWS], query) for i in starts])
    cost = values.copy() if metric == "l2" else -values
    cost[row] = np.inf
    rows = np.argsort(cost, kind="stable")[: min(k, len(z) - 1)].astype(np.int64)
    return rows, values[rows]


def _distances(block: FloatArray, query: FloatArray) -> FloatArray:
    """Return L2 distances in float64, shape (n,)."""
    distances: FloatArray = np.linalg.norm(block - query, axis=1)
    return distances


def _cosines(block: FloatArray, query: FloatArray) -> FloatArray:
    """Return cosines in float64, shape (n,); 0 where a row is zero."""
    cosines: FloatArray = unit_rows(block) @ unit_rows(query[None])[0]
    return cosines
