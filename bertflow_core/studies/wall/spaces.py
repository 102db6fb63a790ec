"""The spaces of a wall: every pane's calibrated vectors of the same rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.wall.parts import Column, number_column
from bertflow_core.studies.wall.recipe import Pane, Picture, WallRecipe
from bertflow_core.studies.wall.rows import Vectors, WallRows, sentence_source, word_source

MAX_VALUES = 1 << 28  # of all spaces together: 1 GiB in float32


@dataclass(frozen=True, eq=False)
class Space:
    """Distinct rows in one space.

    Attributes:
        pane: What it is.
        calibrator: Fitted.
        z: Vectors, float32, shape (N, K).
        log_density: Of each row, in nats, shape (N,); None where it is not known.
    """

    pane: Pane
    calibrator: Calibrator = field(repr=False)
    z: FloatArray = field(repr=False)
    log_density: FloatArray | None = field(default=None, repr=False)

    @property
    def spec(self) -> str:
        """The calibrator as it was asked for."""
        return self.pane.calibrator

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks of the fit, a sentence each."""
        return self.calibrator.notes_

    def badge(self, metric: str) -> str:
        """Say in which space distances are measured, for example `layer:4, flow (384 dims), l2`."""
        return f"{self.pane.space} ({self.z.shape[1]} dims), {metric}"


def fit_space(
    pane: Pane, vectors: Vectors, *, seed: int, device: str | None, density: bool = False
) -> Space:
    """Fit a pane's calibrator and map the rows that are shown."""
    calibrator = build_calibrator(pane.calibrator, seed=seed, share=vectors.share, device=device)
    calibrator.fit(vectors.x_fit)
    context.report(0, 1, "mapping")  # a last chance to stop before the rows are transformed
    z = np.asarray(calibrator.transform(vectors.x), np.float32)
    known = density and calibrator.has_density
    return Space(pane, calibrator, z, calibrator.score_samples(vectors.x) if known else None)


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
    recipe: WallRecipe, lab: Lab, *, more: Mapping[str, Sequence[object]] | None = None
) -> Wall:
    """Embed the rows and fit the calibrators; equal panes share both.

    Args:
        recipe: The choices.
        lab: Where data and vectors are found; words need only its device.
        more: More columns of the pairs by name, one cell per pair; a sentence takes those of the
            first pair that it occurs in.
    """
    source = word_source(recipe) if recipe.of_words else sentence_source(recipe, lab, more or {})
    panes = list(dict.fromkeys(recipe.panes))
    n = len(source.rows)
    wanted = n * sum(map(source.dim, panes))
    if wanted > MAX_VALUES:
        raise InputError(
            f"{len(panes)} spaces of {n:,} rows hold {wanted:,} numbers, and a wall holds at "
            f"most {MAX_VALUES:,}: take fewer rows or fewer panes"
        )
    groups: dict[tuple[str, str], list[Pane]] = {}  # so that vectors are loaded once
    for pane in panes:
        groups.setdefault((pane.model, pane.layers), []).append(pane)
    spaces: dict[Pane, Space] = {}
    for group in groups.values():
        with context.in_space(len(spaces), len(panes)):
            vectors = source.vectors(group[0])
        for pane in group:
            with context.in_space(len(spaces), len(panes)):
                spaces[pane] = fit_space(
                    pane, vectors, seed=recipe.base.seed, device=lab.device, density=True
                )
    return Wall(recipe, source.rows, tuple(spaces[each] for each in recipe.panes), source.fitted_on)
