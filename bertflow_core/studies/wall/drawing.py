"""A picture of every pane, and how many neighbours each of its points keeps.

Neighbours and layouts are kept on disk, named by their input, so that none is computed twice.
"""

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

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
from bertflow_core.analysis.neighbours import Metric, Neighbours
from bertflow_core.analysis.umap_layout import check_umap, umap_layout
from bertflow_core.cache import BoundedFolder, cache_folder
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.wall.nearest import all_neighbours, points_of
from bertflow_core.studies.wall.payload import Scatter
from bertflow_core.studies.wall.recipe import Picture
from bertflow_core.studies.wall.spaces import Column, Wall, number_column

_FORMAT = "bertflow-projection-1"
_LIMIT_BYTES = 1 << 30
_UMAP_DEPENDS_ON = ("numba", "numpy", "scipy", "umap-learn")


@dataclass(frozen=True, eq=False, kw_only=True)
class PanePicture(Scatter):
    """One pane as it is drawn."""

    explained: tuple[float, ...] | None  # share of each axis, as `Projection` has it
    faithfulness: Faithfulness | None  # None where it was not asked for


def pictures(
    wall: Wall,
    picture: Picture,
    *,
    with_faithfulness: bool = False,
    cache: BoundedFolder | None = None,
) -> tuple[PanePicture, ...]:
    """Project every space of a wall; nothing is embedded or fitted.

    To judge PCA and SVD takes exact neighbours of all rows: seconds for 20,000, minutes for
    100,000. UMAP always is judged. Neighbours and layouts are kept in the user's cache by default.
    """
    cache = cache or projections()
    judge = with_faithfulness or picture.method == Method.UMAP
    drawn = []
    for place, space in enumerate(wall.spaces):
        try:
            with context.in_space(place, len(wall.spaces)):
                drawing, judged = _draw(space.z, picture, judge, cache)
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
    z: FloatArray, picture: Picture, judge: bool, cache: BoundedFolder
) -> tuple[Projection, Faithfulness | None]:
    context.report(0, 1, "pictures")
    points = points_of(z, picture.metric)
    if not judge:
        return project(points, picture.method), None
    if picture.method == Method.UMAP:
        check_umap()
        neighbours = _neighbours(points, max(DEFAULT_K, picture.n_neighbors - 1), cache)
        projection = _umap(points, neighbours, picture, cache)
    else:
        neighbours = _neighbours(points, DEFAULT_K, cache)
        projection = project(points, picture.method)
    k = judged_neighbours(len(points))
    return projection, faithfulness(projection.coordinates, neighbours.rows, k=k)


def _neighbours(points: FloatArray, k: int, cache: BoundedFolder) -> Neighbours:
    """Return the k exact nearest neighbours of every point, or all others where there are fewer."""
    n = len(points)
    k = min(k, n - 1)

    def make() -> dict[str, np.ndarray]:
        found = all_neighbours(points, k, "l2")
        return {"rows": found.rows.astype(np.int32), "values": found.values.astype(np.float32)}

    key = content_key(points, "neighbours", k=k, numpy=version("numpy"))
    found = kept(cache, key, {"rows": (n, k), "values": (n, k)}, make)
    return Neighbours(Metric.L2, found["rows"].astype(np.int64), found["values"].astype(np.float64))


def _umap(
    points: FloatArray, neighbours: Neighbours, picture: Picture, cache: BoundedFolder
) -> Projection:
    """Return UMAP's layout, initialised by the principal coordinates."""
    settings = picture.umap_settings()

    def make() -> dict[str, np.ndarray]:
        start = project(points, Method.PCA).coordinates
        return {"coordinates": umap_layout(neighbours, start, settings).coordinates}

    versions = {name: version(name) for name in _UMAP_DEPENDS_ON}
    key = content_key(points, "umap", dims=2, settings=vars(settings), versions=versions)
    found = kept(cache, key, {"coordinates": (len(points), 2)}, make)
    return Projection(Method.UMAP, found["coordinates"].astype(np.float32), None)


def projections(root: Path | None = None) -> BoundedFolder:
    """Return where neighbours and layouts are kept, by default the user's cache."""
    root = cache_folder() / "projections" if root is None else root
    return BoundedFolder(root, _FORMAT, limit_bytes=_LIMIT_BYTES, max_entries=256)


def content_key(x: FloatArray, kind: str, **choices: object) -> str:
    """Return the name of what is computed from rows: SHA-256 of their bytes and of the choices.

    The choices are whatever else decides the result, versions of software included; JSON-able.
    """
    described = json.dumps([_FORMAT, kind, choices, x.shape, str(x.dtype)], sort_keys=True)
    total = hashlib.sha256(described.encode())
    total.update(np.ascontiguousarray(x).data)
    return total.hexdigest()


def kept(
    cache: BoundedFolder,
    key: str,
    shapes: Mapping[str, tuple[int, ...]],
    make: Callable[[], Mapping[str, np.ndarray]],
) -> Mapping[str, np.ndarray]:
    """Return the arrays of a key: those that are kept, or else made and kept.

    Kept ones that cannot be right do not count. A disk that refuses costs a warning, no result.
    """
    _, arrays = cache.get(key) or ({}, {})
    if shapes == {name: each.shape for name, each in arrays.items()} and all(
        np.isfinite(each).all()
        if each.dtype.kind == "f"
        else each.min(initial=0) >= 0 and each.max(initial=0) < len(each)  # rows of it
        for each in arrays.values()
    ):
        return arrays
    made = make()
    try:
        cache.put(key, {}, made)
    except ResourceError as error:
        warnings.warn(f"{error}; the picture is not kept", stacklevel=2)
    return made
