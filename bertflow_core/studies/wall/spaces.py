"""The spaces of a wall: every pane's calibrated vectors of the same rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Pane, Picture, WallRecipe
from bertflow_core.studies.wall.row_properties import Column, number_column
from bertflow_core.studies.wall.rows import RowSource, Vectors, WallRows
from bertflow_core.studies.wall.sentences import sentence_source
from bertflow_core.studies.wall.words import WordSource
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["Space", "Wall", "build_spaces"]

_MAX_VALUES = 1 << 28  # of all spaces together: 1 GiB in float32


@dataclass(frozen=True, eq=False)
class Space:
    """The rows of a wall in one pane's space.

    Attributes:
        pane: What it is.
        recipe: What makes its vectors again, with the hub commit that was used.
        z: Vectors, float32, shape (N, K).
        log_density: Of each row, in nats, shape (N,); None where the calibrator has none.
        notes: Remarks of the fit, a sentence each.
    """

    pane: Pane
    recipe: Recipe | WordRecipe
    z: FloatArray = field(repr=False)
    log_density: FloatArray | None = field(repr=False)
    notes: tuple[str, ...] = ()

    def badge(self, metric: str) -> str:
        """Say in which space distances are measured, for example `layer:4, flow (384 dims), l2`."""
        return f"{self.pane.space} ({self.z.shape[1]} dims), {metric}"


@dataclass(frozen=True, eq=False)
class Wall:
    """The same rows in up to six spaces.

    Attributes:
        recipe: What decides rows and spaces.
        rows: The rows.
        spaces: One per pane, in the order of the panes; equal panes share one.
        fitted_on: One sentence that says what calibrators were fitted on.
    """

    recipe: WallRecipe
    rows: WallRows
    spaces: tuple[Space, ...]
    fitted_on: str

    @property
    def names(self) -> tuple[str, ...]:
        """One name per pane, no two alike."""
        return self.recipe.names

    def remarks(self, picture: Picture) -> tuple[str, ...]:
        """Say what the rows, the panes, their picture and the fits are, a sentence each."""
        rows = self.rows.description
        return (
            f"{rows[0].upper()}{rows[1:]}.",
            f"{self.recipe.caption()}.",
            f"{picture.caption()}.",
            self.fitted_on,
        )

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What is known of the rows: shared columns, then norm and log-density by pane."""
        norms = [np.linalg.norm(space.z, axis=1) for space in self.spaces]
        own = [number_column("norm", np.stack(norms), "L2")]
        unknown = np.full(len(self.rows), np.nan)
        if any(space.log_density is not None for space in self.spaces):
            known = [unknown if s.log_density is None else s.log_density for s in self.spaces]
            own.append(number_column("log-density", np.stack(known), "nats"))
        return (*self.rows.columns, *own)


def build_spaces(
    recipe: WallRecipe,
    lab: Lab,
    *,
    more: Mapping[str, Sequence[object]] | None = None,
) -> Wall:
    """Embed the rows and fit the calibrators; equal panes share both.

    Args:
        recipe: The choices.
        lab: Where data and vectors are found; words need only its device.
        more: More columns of the pairs by name, one cell per pair; a sentence takes those of the
            first pair that it occurs in.

    Raises:
        InputError: Data, a model or a calibrator that cannot be used, or more numbers than are
            held at once.
        ResourceError: The disk or the network failed.
    """
    source: RowSource
    if isinstance(recipe.base, WordRecipe):
        source, fitted_on = WordSource(recipe), "Fitted on every row of each model's word table."
    else:
        source = sentence_source(recipe, lab, more or {})
        fitted_on = f"Fitted on {source.corpus.description}"
    _check_room(source, recipe.panes)
    spaces = _spaces(source, recipe.panes, lab.device)
    return Wall(recipe, source.rows, tuple(spaces[pane] for pane in recipe.panes), fitted_on)


def _check_room(source: RowSource, panes: Sequence[Pane]) -> None:
    """Refuse, before anything is embedded, what would not fit into memory."""
    n = len(source.rows)
    wanted = n * sum(source.dim(pane) for pane in set(panes))
    if wanted > _MAX_VALUES:
        raise InputError(
            f"{len(set(panes))} spaces of {n:,} rows hold {wanted:,} numbers, and a wall holds at "
            f"most {_MAX_VALUES:,}: take fewer rows or fewer panes"
        )


def _spaces(source: RowSource, panes: Sequence[Pane], device: str | None) -> dict[Pane, Space]:
    """Return the space of each distinct pane, grouped so that vectors are loaded once."""
    groups: dict[tuple[str, str], list[Pane]] = {}
    for pane in dict.fromkeys(panes):
        groups.setdefault((pane.model, pane.layers), []).append(pane)
    spaces: dict[Pane, Space] = {}
    total = len(set(panes))
    for group in groups.values():
        with context.in_space(len(spaces), total):
            vectors = source.vectors(group[0])
        for pane in group:
            with context.in_space(len(spaces), total):
                spaces[pane] = _space(pane, vectors, device)
    return spaces


def _space(pane: Pane, vectors: Vectors, device: str | None) -> Space:
    recipe = vectors.recipe.with_(calibrator=pane.calibrator)
    calibrator = build_calibrator(
        pane.calibrator, seed=recipe.seed, share=vectors.share, device=device
    )
    calibrator.fit(vectors.x_fit)
    context.report(0, 1, "mapping")  # a last chance to stop before the rows are transformed
    z = np.asarray(calibrator.transform(vectors.x), np.float32)
    log_density = calibrator.score_samples(vectors.x) if calibrator.has_density else None
    return Space(pane, recipe, z, log_density, calibrator.notes_)
