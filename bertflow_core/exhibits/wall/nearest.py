"""Nearest neighbours of points in several spaces, compared with those in the first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.neighbours import Distance, Neighbours, nearest_neighbours
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.evaluation.similarities import prepared
from bertflow_core.exhibits.wall.spaces import PaneSpace, Wall
from bertflow_core.runtime import context


@dataclass(frozen=True, eq=False)
class PaneNeighbours:
    """The nearest neighbours of a point in one space, nearest first."""

    name: str  # of the pane
    badge: str  # the space of the distances
    rows: Rows  # shape (k,)
    values: FloatArray  # descending similarities or ascending L2 distances, shape (k,)
    stayed: npt.NDArray[np.bool_]  # whether each is also a neighbour in the first pane, shape (k,)
    left: Rows  # neighbours in the first pane that are missing here, nearest there first


def beside_the_first(
    spaces: Sequence[PaneSpace],
    points: Sequence[FloatArray],
    k: int,
    metric: str,
    own: npt.ArrayLike,
) -> list[tuple[PaneNeighbours, ...]]:
    """Find the rows nearest to n points, (n, K) per space, beside those in the first space."""
    found = [
        nearest_rows(space.z, k, metric, points=at, own=own)
        for space, at in zip(spaces, points, strict=True)
    ]
    return [
        tuple(
            PaneNeighbours(
                name=space.name,
                badge=space.badge(metric),
                rows=each.rows[point],
                values=each.values[point],
                stayed=np.isin(each.rows[point], first),
                left=first[~np.isin(first, each.rows[point])],
            )
            for space, each in zip(spaces, found, strict=True)
        )
        for point, first in enumerate(found[0].rows)
    ]


def neighbours_of(
    wall: Wall, row: int, k: int = 10, metric: str = "cosine"
) -> tuple[PaneNeighbours, ...]:
    """Find the exact nearest rows to a row of the wall, in the full space of every pane."""
    points = [space.z[[row]] for space in wall.spaces]
    return beside_the_first(wall.spaces, points, k, metric, own=[row])[0]


def nearest_rows(
    z: FloatArray,
    k: int,
    metric: str,
    *,
    points: FloatArray | None = None,
    own: npt.ArrayLike | None = None,
) -> Neighbours:
    """Find by exact search the k rows of a space, (N, K), nearest to points, by default all rows.

    `own` is the row to exclude for each point, -1 for none, shape (n,).
    """
    by, at = Distance.L2 if metric == "l2" else Distance.DOT, points_of(z, metric)
    k = min(k, len(z) - 1)
    if points is not None:
        return nearest_neighbours(at, points_of(points, metric), k, metric=by, own=own)
    with context.renamed("rows compared"):
        return nearest_neighbours(at, at, k, metric=by, own=np.arange(len(z)))


def points_of(z: FloatArray, metric: str) -> FloatArray:
    """Return points whose L2 distances order rows as a metric does, float32, shape (N, K)."""
    return z if metric == "l2" else prepared(z, metric).astype(np.float32)
