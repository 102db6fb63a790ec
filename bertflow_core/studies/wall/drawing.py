"""A picture of every pane, and how many neighbours each of its points keeps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.layout import (
    DEFAULT_K,
    Faithfulness,
    Method,
    Projection,
    faithfulness,
    judged_neighbours,
    project,
)
from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.umap_layout import check_umap, umap_layout
from bertflow_core.errors import InputError
from bertflow_core.studies.wall.nearest import all_neighbours, points_of
from bertflow_core.studies.wall.payload import Scatter
from bertflow_core.studies.wall.recipe import Picture
from bertflow_core.studies.wall.spaces import Column, PaneSpace, Wall, number_column


@dataclass(frozen=True, eq=False, kw_only=True)
class PanePicture(Scatter):
    """One pane as it is drawn."""

    explained: tuple[float, ...] | None  # share of each axis, as `Projection` has it
    faithfulness: Faithfulness | None  # None where it was not asked for


def pictures(
    wall: Wall, picture: Picture, *, with_faithfulness: bool = False
) -> tuple[PanePicture, ...]:
    """Project every space of a wall; nothing is embedded or fitted.

    To judge PCA and SVD takes exact neighbours of all rows: seconds for 20,000, minutes for
    100,000. UMAP always is judged.
    """
    judge = with_faithfulness or picture.method == Method.UMAP
    drawn = []
    for place, space in enumerate(wall.spaces):
        try:
            with context.in_space(place, len(wall.spaces)):
                drawing, judged = _draw(space, picture, judge)
        except InputError as error:
            raise InputError(f"{space.name}: {error}") from error
        drawn.append(
            PanePicture(
                space.name,
                space.badge(picture.metric),
                _axes(drawing),
                drawing.coordinates,
                explained=drawing.explained,
                faithfulness=judged,
            )
        )
    return tuple(drawn)


def faithfulness_column(panes: Sequence[PanePicture]) -> Column | None:
    """Return each point's share of kept neighbours by pane, in [0, 1]; None where not measured."""
    shares = [each.faithfulness.shares for each in panes if each.faithfulness is not None]
    if len(shares) < len(panes):
        return None
    return number_column("kept neighbours", np.stack(shares), "share")


def _axes(projection: Projection) -> tuple[str, str]:
    """Return the titles of both axes, with the share that each explains where it has one."""
    name = {"pca": "PC", "svd": "SVD", "umap": "UMAP"}[projection.method]
    if projection.explained is None:
        return f"{name} 1", f"{name} 2"
    of = "variance" if projection.method == Method.PCA else "squares"
    first, second = (f"{100 * share:.1f} % of the {of}" for share in projection.explained)
    return f"{name} 1, {first}", f"{name} 2, {second}"


def _draw(
    space: PaneSpace, picture: Picture, judge: bool
) -> tuple[Projection, Faithfulness | None]:
    context.report(0, 1, "pictures")
    points = points_of(space.z, picture.metric)
    if picture.method == Method.UMAP:
        check_umap()
        near = _nearest(space, picture.metric, max(DEFAULT_K, picture.n_neighbors - 1))
        start = project(points, Method.PCA).coordinates
        how = {name: getattr(picture, name) for name in ("n_neighbors", "min_dist", "seed")}
        projection = umap_layout(near, start, **how)
    else:
        projection = project(points, picture.method)
    if not judge:
        return projection, None
    near = _nearest(space, picture.metric, DEFAULT_K)
    k = judged_neighbours(len(points))
    return projection, faithfulness(projection.coordinates, near.rows, k=k)


def _nearest(space: PaneSpace, metric: str, k: int) -> Neighbours:
    """Return the k exact nearest of every point, or all others; the space keeps what was found."""
    points, known = points_of(space.z, metric), space.nearest.get(metric)
    k = min(k, len(points) - 1)
    if known is None or known.rows.shape[1] < k:
        known = space.nearest[metric] = all_neighbours(points, k, "l2")
    return Neighbours(known.metric, known.rows[:, :k], known.values[:, :k])
