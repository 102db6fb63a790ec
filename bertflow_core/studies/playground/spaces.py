"""The playground: the sentences of a data set under up to four calibrators."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.registry import check_spec
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, distinct_rows, principal_directions, unit_rows
from bertflow_core.moments import covariance
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import space_of
from bertflow_core.studies.wall.spaces import PaneSpace, sample

MAX_SPACES = 4
"""Most calibrators side by side."""

MAX_ROWS = 20_000
"""Most real sentences; of more a random sample is taken."""


@dataclass(frozen=True, eq=False)
class Plane:
    """Two principal directions of rows at length 1, whose distances order rows as cosine does.

    Attributes:
        mean: Of the unit rows, shape (K,).
        axes: Orthonormal columns, shape (K, 2); a direction that does not exist is zero.
        explained: Share of the unit rows' variance on each axis, in [0, 1].
    """

    mean: FloatArray = field(repr=False)
    axes: FloatArray = field(repr=False)
    explained: tuple[float, float]

    @classmethod
    def of(cls, z: FloatArray) -> "Plane":
        """Fit the plane of most variance (PCA) to rows, shape (N, K), N >= 2."""
        mean, matrix = covariance(unit_rows(z))
        variances, directions = principal_directions(matrix)
        axes, shares = np.zeros((len(mean), 2)), np.zeros(2)
        n_axes = min(2, len(mean))
        axes[:, :n_axes] = directions[:, :n_axes]
        shares[:n_axes] = variances[:n_axes] / (variances.sum() or 1.0)
        return cls(mean, axes, (float(shares[0]), float(shares[1])))

    def place(self, z: FloatArray) -> FloatArray:
        """Return the coordinates of rows, shape (N, K), in the plane, float32, shape (N, 2)."""
        placed: FloatArray = ((unit_rows(z) - self.mean) @ self.axes).astype(np.float32)
        return placed


@dataclass(frozen=True, eq=False)
class Playground:
    """Real sentences and the spaces they are in; no calibrator was fitted on a typed one.

    Attributes:
        recipe: What all share, with the hub commit that was used; its calibrator is the default.
        sentences: Distinct ones of the fit corpus.
        spaces: One per calibrator, named by its spec, the baseline first.
        rows: Which sentences of which corpus these are, without a full stop.
        fitted_on: One sentence that says what the calibrators were fitted on.
    """

    recipe: Recipe
    sentences: tuple[str, ...] = field(repr=False)
    spaces: tuple[PaneSpace, ...]
    rows: str
    fitted_on: str

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(space.name for space in self.spaces)

    @cached_property
    def planes(self) -> dict[str, Plane]:
        """The two directions of most variance of each space at length 1, by spec."""
        return {space.name: Plane.of(space.z) for space in self.spaces}

    def caption(self) -> str:
        """Return what every number here depends on, for people."""
        *others, last = self.specs
        beside = f"; beside it {', '.join(others)}" if others else ""
        text = self.recipe.with_(calibrator=last).without("aggregation").caption()
        return f"{text}{beside}. {self.fitted_on} Typed sentences play no part in any fit."


def checked_specs(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct calibrators; refuse none, more than four, and what does not exist."""
    distinct = tuple(dict.fromkeys(specs))
    if not 1 <= len(distinct) <= MAX_SPACES:
        raise InputError(
            f"choose from 1 to {MAX_SPACES} calibrators, identity among them: got {len(distinct)}"
        )
    for spec in distinct:
        check_spec(spec)
    return distinct


def build_playground(recipe: Recipe, lab: Lab, specs: Sequence[str]) -> Playground:
    """Embed the fit corpus of a recipe and fit each calibrator on it.

    Args:
        recipe: The choices; its calibrator is ignored.
        lab: Where data and vectors are found.
        specs: Calibrators, the baseline first; duplicates count once.
    """
    specs = checked_specs(specs)
    data = lab.load(recipe)
    corpus = data[1]
    places = distinct_rows(corpus.sentences)
    if len(places) < 2:
        raise InputError("the fit corpus holds one sentence: expected at least two to compare with")
    what = "different sentences of the fit corpus"
    ids, which = sample(len(places), MAX_ROWS, what, seed=recipe.seed)
    rows = places[ids]
    found = replace(lab, tables={**lab.tables, recipe.dataset: data}).spaces(recipe, (), specs)
    spaces = []
    for place, spec in enumerate(specs):
        with context.in_space(place, len(specs)):
            space = next(found)
            x = space.prepared.x_fit[rows]
            spaces.append(PaneSpace.of(spec, space_of(space.recipe), space.calibrator, x))
    return Playground(
        recipe=space.recipe.with_(calibrator=Recipe.calibrator),
        sentences=tuple(corpus.sentences[row] for row in rows),
        spaces=tuple(spaces),
        rows=which,
        fitted_on=f"Fitted on {corpus.description}",
    )
