"""The playground: the sentences of a data set under up to four calibrators."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.registry import check_spec
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import (
    FloatArray,
    Rows,
    distinct_rows,
    principal_directions,
    sample_rows,
    unit_rows,
)
from bertflow_core.moments import covariance
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.rows import describe_rows
from bertflow_core.wording import quoted

__all__ = [
    "MAX_ROWS",
    "MAX_SPACES",
    "Plane",
    "PlaySpace",
    "Playground",
    "build_playground",
    "checked_specs",
    "fit_plane",
]


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

    def place(self, z: FloatArray) -> FloatArray:
        """Return the coordinates of rows, shape (N, K), in the plane, float32, shape (N, 2)."""
        placed: FloatArray = ((unit_rows(z) - self.mean) @ self.axes).astype(np.float32)
        return placed


def fit_plane(z: FloatArray) -> Plane:
    """Fit the plane of most variance to rows at length 1 (PCA).

    Args:
        z: Rows, shape (N, K), N >= 2.
    """
    mean, matrix = covariance(unit_rows(z))
    variances, directions = principal_directions(matrix)
    axes, shares = np.zeros((len(mean), 2)), np.zeros(2)
    n_axes = min(2, len(mean))
    axes[:, :n_axes] = directions[:, :n_axes]
    shares[:n_axes] = variances[:n_axes] / (variances.sum() or 1.0)
    return Plane(mean, axes, (float(shares[0]), float(shares[1])))


MAX_SPACES = 4
"""Most calibrators side by side."""

MAX_ROWS = 20_000
"""Most real sentences; of more a random sample is taken."""


@dataclass(frozen=True, eq=False)
class PlaySpace:
    """The real sentences under one calibrator.

    Attributes:
        spec: Of the calibrator.
        calibrator: Fitted on the fit corpus, never on typed sentences.
        z: Vectors of the real sentences, float32, shape (M, K).
        plane: The two directions of most variance of `z` at length 1.
    """

    spec: str
    calibrator: Calibrator = field(repr=False)
    z: FloatArray = field(repr=False)
    plane: Plane = field(repr=False)


@dataclass(frozen=True, eq=False)
class Playground:
    """Real sentences and the spaces they are in.

    Attributes:
        recipe: What all share, with the hub commit that was used; its calibrator is the default.
        sentences: M distinct ones of the fit corpus.
        x: Their embeddings, float32, shape (M, D).
        spaces: One per calibrator, the baseline first.
        rows: Which sentences of which corpus these are, without a full stop.
        fitted_on: One sentence that says what the calibrators were fitted on.
    """

    recipe: Recipe
    sentences: tuple[str, ...] = field(repr=False)
    x: FloatArray = field(repr=False)
    spaces: tuple[PlaySpace, ...]
    rows: str
    fitted_on: str

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(space.spec for space in self.spaces)

    def space(self, spec: str) -> PlaySpace:
        """Return the space of one calibrator.

        Raises:
            InputError: There is none.
        """
        for space in self.spaces:
            if space.spec == spec:
                return space
        raise InputError(
            f"no space of {quoted(spec)} here: expected one of {', '.join(self.specs)}"
        )

    def badge(self, space: PlaySpace) -> str:
        """Name the space that cosines are measured in, for example `layer:4, flow (384 dims)`."""
        return f"{self.recipe.layers}, {space.spec} ({space.z.shape[1]} dims)"

    def caption(self) -> str:
        """Return what every number here depends on, for people."""
        *others, last = self.specs
        beside = f"; beside it {', '.join(others)}" if others else ""
        recipe = self.recipe.with_(calibrator=last)
        text = recipe.caption().removesuffix(f"; aggregation {recipe.aggregation}")
        return f"{text}{beside}. {self.fitted_on} Typed sentences play no part in any fit."

    def columns(self, spec: str | None = None) -> dict[str, Any]:
        """Return what every number here depends on as columns of a table; see `Recipe.columns`.

        Args:
            spec: The calibrator that the numbers are of; None means all of them.
        """
        return {f"recipe_{name}": value for name, value in self._fields(spec).items()}

    def to_dict(self, spec: str | None = None) -> dict[str, Any]:
        """Return what every number here depends on, JSON-able.

        Args:
            spec: The calibrator that the numbers are of; None means all of them.
        """
        several = {"calibrators": list(self.specs)} if spec is None else {}
        return self._fields(spec) | several | {"rows": self.rows}

    def _fields(self, spec: str | None) -> dict[str, Any]:
        """Return the recipe's fields without aggregation, as nothing here is aggregated."""
        unused = ("aggregation", "calibrator")
        fields = {k: v for k, v in self.recipe.to_dict().items() if k not in unused}
        return fields if spec is None else fields | {"calibrator": spec}


def checked_specs(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct calibrators.

    Raises:
        InputError: None, more than four, or one that does not exist.
    """
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

    Raises:
        InputError: No calibrator or more than four, or a recipe, data or model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    specs = checked_specs(specs)
    corpus = lab.corpus(recipe)
    places = distinct_rows(corpus.sentences)
    if len(places) < 2:
        raise InputError("the fit corpus holds one sentence: expected at least two to compare with")
    rows = places[sample_rows(len(places), MAX_ROWS, seed=recipe.seed)]
    encoder = lab.encoder(recipe)
    x_fit = lab.vectors(recipe, corpus.sentences, encoder=encoder).x
    spaces = []
    for place, spec in enumerate(specs):
        with context.in_space(place, len(specs)):
            spaces.append(_space(recipe.with_(calibrator=spec), x_fit, rows, corpus.share, lab))
    return Playground(
        recipe=recipe.with_(revision=encoder.model.revision, calibrator=Recipe.calibrator),
        sentences=tuple(corpus.sentences[row] for row in rows),
        x=x_fit[rows],
        spaces=tuple(spaces),
        rows=describe_rows(
            len(rows), len(places), "different sentences of the fit corpus", seed=recipe.seed
        ),
        fitted_on=f"Fitted on {corpus.description}",
    )


def _space(recipe: Recipe, x_fit: FloatArray, rows: Rows, share: float, lab: Lab) -> PlaySpace:
    spec = recipe.calibrator
    calibrator = build_calibrator(spec, seed=recipe.seed, device=lab.device, share=share)
    calibrator.fit(x_fit)
    context.report(0, 1, "mapping")  # a last chance to stop before the rows are transformed
    z = np.asarray(calibrator.transform(x_fit[rows]), np.float32)
    return PlaySpace(spec, calibrator, z, fit_plane(z))
