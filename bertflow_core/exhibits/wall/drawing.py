"""The drawn wall: a picture of every pane, the neighbours each point keeps, and the payload."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from bertflow_core.analysis import layout
from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.topics import Topic, count_terms, topics_of
from bertflow_core.analysis.umap_layout import check_umap, umap_layout
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall.moved import N_COMPARED, SHARED, Moves, moves_between
from bertflow_core.exhibits.wall.nearest import nearest_rows, points_of
from bertflow_core.exhibits.wall.payload import PanePicture, encode
from bertflow_core.exhibits.wall.recipe import Picture
from bertflow_core.exhibits.wall.spaces import Axis, PaneSpace, Wall
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Report, Row
from bertflow_core.runtime import context
from bertflow_core.wording import shortened

MAX_LABELLED = 30  # a wall of at most this many rows labels each row with its text


@dataclass(frozen=True, eq=False)
class DrawnWall:
    """A wall in the form that is sent to the browser."""

    wall: Wall
    picture: Picture
    panes: tuple[PanePicture, ...]
    moves: Moves | None = None  # between the panes of several models
    payload: bytes = field(default=b"", repr=False)  # without neighbours, sent once

    @cached_property
    def columns(self) -> tuple[Axis, ...]:
        """The columns of the wall, and those of shared and kept neighbours if they were counted."""
        shared = () if self.moves is None else (self.moves.column,)
        kept = [pane.faithfulness.shares for pane in self.panes if pane.faithfulness is not None]
        more = (Axis("kept neighbours", np.stack(kept), unit="share"),) if kept else ()
        return (*shared, *self.wall.columns, *more)

    def encoded(self, neighbours: Sequence[Neighbours] = ()) -> bytes:
        """Return the payload with the neighbours of every row by pane."""
        wall = self.wall
        return encode(
            self.panes,
            # Shared neighbours come first, then frequency, which shows the cone.
            sorted(self.columns, key=lambda c: (c.name != SHARED, "frequency" not in c.name)),
            wall.texts,
            ids=[f"{place}: {text}" for place, text in zip(wall.ids, wall.texts, strict=True)],
            neighbours=neighbours,
        )

    def records(self, rows: Sequence[int]) -> list[Row]:
        """Return one record per row: id, text, shared columns, then columns by pane."""
        cells: dict[str, list[Any]] = {
            "id": self.wall.ids[list(rows)].tolist(),
            "text": [self.wall.texts[row] for row in rows],
        }
        for column in self.columns:
            names = [f"{column.header}, {pane.name}" for pane in self.panes]
            for pane, name in enumerate(names if column.per_pane else [column.header]):
                cells[name] = column.cells(rows, pane)
        return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]

    def moved_most(self) -> list[dict[str, str]]:
        """Return, as text, the ten rows that moved most; none if all panes are of one model."""
        if self.moves is None:
            return []
        texts, k = self.wall.texts, self.moves.k
        return [
            {
                "Shared": f"{k * self.moves.shares[0, row]:.3g} of {k}",
                "Text": texts[row],
                **{
                    f"Nearest in {pane.name}": texts[near[row]]
                    for pane, near in zip(self.panes, self.moves.nearest, strict=True)
                },
            }
            for row in self.moves.most()
        ]

    def moved_finding(self) -> str:
        """Say how many neighbours the models share; empty if all panes are of one model."""
        if self.moves is None:
            return ""
        k, first, *others = self.moves.k, *(pane.name for pane in self.panes)
        shared = k * self.moves.shares.mean(axis=1)[1:]
        kept = [f"{name} keeps {n:.1f}" for n, name in zip(shared, others, strict=True)]
        row = "word" if self.wall.of_words else "sentence"
        return (
            f"Of a {row}'s {k} nearest neighbours in {first}, {', '.join(kept)} on average; chance "
            f"would keep {k * k / (len(self.wall.texts) - 1):.1f}."
        )

    def report(self, rows: Sequence[int]) -> Report:
        """Return a report of the selected rows with every column."""
        about, records = self.wall.remarks(self.picture), self.records(rows)
        return Report(
            name="selection",
            params=self.picture,
            columns=[Column(key, key) for key in records[0]],
            rows=[{**row, "recipe": " ".join(about)} for row in records],
            remarks=remarks_of(Kind.METHOD, *about),
        )


def draw_wall(wall: Wall, picture: Picture, count_kept: bool = False) -> DrawnWall:
    """Project every space of a wall, without embedding or fitting.

    To count the neighbours that points keep takes minutes for 100,000 rows; it is always done for
    UMAP.
    """
    terms = None if wall.of_words else count_terms(wall.texts)  # single words have no topic
    seed = 0 if wall.recipe is None else wall.recipe.base.seed
    panes = []
    for place, space in enumerate(wall.spaces):
        try:
            with context.in_space(place, len(wall.spaces)):
                found, kept = _projected(space, picture, count_kept)
        except InputError as error:
            raise InputError(f"{space.name}: {error}") from error
        at, badge = found.coordinates, space.badge(picture.metric)
        if len(wall.texts) <= MAX_LABELLED:  # each row is its own region
            topics = tuple(
                Topic(1, (shortened(text, 24),), (float(x), float(y)), 1)
                for text, (x, y) in zip(wall.texts, at, strict=True)
            )
        else:
            topics = () if terms is None else topics_of(at, terms, seed=seed)
        panes.append(
            PanePicture(space.name, badge, _axes(found), at, found.explained, kept, topics)
        )
    drawn = DrawnWall(wall, picture, tuple(panes), _moves(wall, picture.metric))
    return replace(drawn, payload=drawn.encoded())


def _moves(wall: Wall, metric: str) -> Moves | None:
    """Return how neighbours differ between the panes of several models."""
    if wall.recipe is None or not wall.recipe.has_models:
        return None
    return moves_between([_nearest(space, metric, N_COMPARED) for space in wall.spaces])


def _projected(
    space: PaneSpace, picture: Picture, count_kept: bool
) -> tuple[layout.Projection, layout.Faithfulness | None]:
    context.report(0, 1, "pictures")
    points = points_of(space.z, picture.metric)
    if picture.method == layout.Method.UMAP:
        check_umap()
        near = _nearest(space, picture.metric, max(layout.DEFAULT_K, picture.n_neighbors - 1))
        start = layout.project(points, layout.Method.PCA).coordinates
        how = {name: getattr(picture, name) for name in ("n_neighbors", "min_dist", "seed")}
        found = umap_layout(near, start, **how)
    else:
        found = layout.project(points, picture.method)
        if not count_kept:
            return found, None
    near = _nearest(space, picture.metric, layout.DEFAULT_K)
    return found, layout.faithfulness(found.coordinates, near.rows)


def _axes(projection: layout.Projection) -> tuple[str, str]:
    """Return the titles of both axes, with each one's share of the variance if it has one."""
    name = {"pca": "PC", "svd": "SVD", "umap": "UMAP"}[projection.method]
    if projection.explained is None:
        return f"{name} 1", f"{name} 2"
    of = "variance" if projection.method == layout.Method.PCA else "squares"
    first, second = (f"{100 * share:.1f} % of the {of}" for share in projection.explained)
    return f"{name} 1, {first}", f"{name} 2, {second}"


def _nearest(space: PaneSpace, metric: str, k: int) -> Neighbours:
    """Return the k exact nearest rows of every point, at most all others; the space caches them."""
    points, known = points_of(space.z, metric), space.nearest.get(metric)
    k = min(k, len(points) - 1)
    if known is None or known.rows.shape[1] < k:
        known = space.nearest[metric] = nearest_rows(points, max(k, layout.DEFAULT_K), "l2")
    return Neighbours(known.metric, known.rows[:, :k], known.values[:, :k])
