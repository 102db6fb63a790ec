"""The data set that typed sentences are put into: its sentences under up to four calibrators."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.catalog import check_spec, has_density
from bertflow_core.datasets import Corpus, SentencePairs, load_corpus
from bertflow_core.errors import InputError
from bertflow_core.experiment import data_options, make_encoder
from bertflow_core.linalg import (
    FloatArray,
    covariance,
    distinct_rows,
    principal_directions,
    sample_rows,
    unit_rows,
)
from bertflow_core.progress import Progress, in_space, silent
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.wall.rows import Rows, describe_rows

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
        """Return where rows, shape (N, K), stand in the plane, float32, shape (N, 2)."""
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

"""Calibrators side by side."""


MAX_ROWS = 20_000

"""Real sentences to be near to; of more a seeded sample."""


@dataclass(frozen=True, eq=False)
class PlaySpace:
    """The real sentences under one calibrator.

    Attributes:
        spec: The calibrator's.
        calibrator: Fitted on the fit corpus, never on typed sentences.
        z: Vectors of the real sentences, float32, shape (M, K).
        log_density: Of each, in nats, shape (M,); None where the calibrator has learnt none.
        plane: The two directions of most variance of `z` at length 1.
    """

    spec: str
    calibrator: Calibrator = field(repr=False)
    z: FloatArray = field(repr=False)
    log_density: FloatArray | None = field(repr=False)
    plane: Plane = field(repr=False)

    def why_no_way_back(self) -> str | None:
        """Say why latent points cannot be mapped back, or return None where they can."""
        reason = self.calibrator.why_not_invertible()
        return None if reason is None else f"{self.spec} cannot be inverted: {reason}"


@dataclass(frozen=True, eq=False)
class Playground:
    """Real sentences and the spaces they are in.

    Attributes:
        recipe: What all share, with the hub commit that was found; its calibrator is a recipe's
            default.
        sentences: M different ones of the fit corpus.
        x: Their embeddings, float32, shape (M, D).
        spaces: One a calibrator, the baseline first.
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
        raise InputError(f"no space of {spec!r} here: expected one of {', '.join(self.specs)}")

    def badge(self, space: PlaySpace) -> str:
        """Say in which space cosines are measured, for example `layer:4, flow (384 dims)`."""
        return f"{self.recipe.layers}, {space.spec} ({space.z.shape[1]} dims)"

    def caption(self) -> str:
        """Return what every number here depends on, for people."""
        *others, last = self.specs
        beside = f"; beside it {', '.join(others)}" if others else ""
        recipe = self.recipe.with_(calibrator=last)
        said = recipe.caption().removesuffix(f"; aggregation {recipe.aggregation}")
        return f"{said}{beside}. {self.fitted_on} Typed sentences play no part in any fit."

    def columns(self, spec: str | None = None) -> dict[str, Any]:
        """Return what every number here depends on as columns of a table; see `Recipe.columns`.

        Args:
            spec: The one calibrator that the numbers are of, if they are of one.
        """
        return {f"recipe_{name}": value for name, value in self._fields(spec).items()}

    def to_dict(self, spec: str | None = None) -> dict[str, Any]:
        """Return what every number here depends on, JSON-able.

        Args:
            spec: The one calibrator that the numbers are of; None means all of them.
        """
        several = {"calibrators": list(self.specs)} if spec is None else {}
        return self._fields(spec) | several | {"rows": self.rows}

    def _fields(self, spec: str | None) -> dict[str, Any]:
        """Return the recipe's fields without aggregation, as nothing here is aggregated."""
        unused = ("aggregation", "calibrator")
        fields = {k: v for k, v in self.recipe.to_dict().items() if k not in unused}
        return fields if spec is None else fields | {"calibrator": spec}


def checked_specs(specs: Sequence[str]) -> tuple[str, ...]:
    """Return calibrators, each once.

    Raises:
        InputError: None, more than four, or one that does not exist.
    """
    found = tuple(dict.fromkeys(specs))
    if not 1 <= len(found) <= MAX_SPACES:
        raise InputError(
            f"choose from 1 to {MAX_SPACES} calibrators, identity among them: got {len(found)}"
        )
    for spec in found:
        check_spec(spec)
    return found


def build_playground(
    recipe: Recipe,
    specs: Sequence[str],
    *,
    data: tuple[SentencePairs, Corpus] | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    progress: Progress = silent,
) -> Playground:
    """Embed the fit corpus of a recipe and fit each calibrator on it.

    Args:
        recipe: The choices; its calibrator is replaced by each of `specs`.
        specs: Calibrators, the baseline first; one that is named twice counts once.
        data: What an upload holds; None loads what the recipe names.
        data_dir: Where benchmark data lies; None looks at `BERTFLOW_DATA`.
        store: Where embeddings of the corpus are kept; None is the user's cache.
        device: Where the encoder and a flow run; None takes the best device here.
        progress: Told of sentences and of a fit's steps; may raise `Cancelled`.

    Raises:
        InputError: No calibrator or more than four, or a recipe, data or model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    specs = checked_specs(specs)
    options = data_options(recipe, data_dir)
    corpus = data[1] if data else load_corpus(recipe.dataset, recipe.fit_on, **options)
    places = distinct_rows(corpus.sentences)
    if len(places) < 2:
        raise InputError("the fit corpus holds one sentence: expected at least two to be near to")
    rows = places[sample_rows(len(places), MAX_ROWS, seed=recipe.seed)]
    encoder = make_encoder(recipe, device=device)
    embeddings = (store or EmbeddingStore()).embed(
        encoder, corpus.sentences, layers=recipe.layers, tokens=recipe.tokens, progress=progress
    )
    x_fit = embeddings.x
    found = recipe.with_(revision=encoder.model.revision, calibrator=Recipe.calibrator)
    return Playground(
        recipe=found,
        sentences=tuple(corpus.sentences[row] for row in rows),
        x=x_fit[rows],
        spaces=tuple(
            _space(found, spec, x_fit, rows, device, in_space(progress, place, len(specs)))
            for place, spec in enumerate(specs)
        ),
        rows=describe_rows(
            len(rows), len(places), "different sentences of the fit corpus", seed=recipe.seed
        ),
        fitted_on=f"Fitted on {corpus.description}",
    )


def _space(
    recipe: Recipe,
    spec: str,
    x_fit: FloatArray,
    rows: Rows,
    device: str | None,
    progress: Progress,
) -> PlaySpace:
    calibrator = build_calibrator(spec, seed=recipe.seed, device=device)
    calibrator.fit(x_fit, progress=progress)
    progress(0, 1, "mapping")  # a stop is heard between the fit and what follows
    x = x_fit[rows]
    z = np.asarray(calibrator.transform(x), np.float32)
    is_known = has_density(spec) and calibrator.why_not_invertible() is None
    log_density = calibrator.score_samples(x) if is_known else None
    return PlaySpace(spec, calibrator, z, log_density, fit_plane(z))
