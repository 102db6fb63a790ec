"""Measure the cone of an encoder's vectors before and after calibration, and what that is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from bertflow_core.analysis.directions import directions
from bertflow_core.errors import InputError
from bertflow_core.evaluation.similarity import pairwise_cosine, random_pairs
from bertflow_core.lab import Lab
from bertflow_core.layer_choices import of_layers, widest
from bertflow_core.linalg import FloatArray, Rows, sample_rows
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import why_unscored
from bertflow_core.space import Space, measured

__all__ = ["SHOWN_PAIRS", "SPECS", "Cone", "Opening", "cone_of", "measure_cone"]

SPECS = ("identity", "standardize", "null-top-k:k=6", "whiten", "flow")
SHOWN_PAIRS = 100
N_BINS = 50


@dataclass(frozen=True)
class Opening:
    """The directions of sentences under one calibrator at one layer set.

    Attributes:
        layers: The layer set.
        spec: The calibrator.
        rho: Spearman's rho of cosine with gold; None where it is undefined.
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences.
        random_shares: Their histogram: the share in each of 50 equal bins from -1 to 1.
        mean_length: Mean resultant length of the scored sentences, in [0, 1].
        angles: Of the shown sentences to the mean direction, in degrees; first sides, then second.
        azimuths: Around it, in degrees, likewise.
        pair_angles: Between the two sentences of each shown pair, in degrees.
    """

    layers: str
    spec: str
    rho: float | None
    random_cosine: float
    random_shares: tuple[float, ...] = field(repr=False)
    mean_length: float
    angles: tuple[float, ...] = field(repr=False)
    azimuths: tuple[float, ...] = field(repr=False)
    pair_angles: tuple[float, ...] = field(repr=False)


@dataclass(frozen=True)
class Cone:
    """What was measured, and the pairs that pictures show.

    Attributes:
        recipe: The choices; its calibrator is ignored, and its layer set is one of several.
        n_pairs: Scored pairs.
        pairs: (sentence, sentence, gold) of those that are shown.
        openings: By layer set, the uncalibrated first in each.
    """

    recipe: Recipe
    n_pairs: int
    pairs: tuple[tuple[str, str, float], ...] = field(repr=False)
    openings: tuple[Opening, ...]

    def opening(self, layers: str, spec: str) -> Opening:
        """Return the directions under one calibrator at one layer set."""
        return next(o for o in self.openings if (o.layers, o.spec) == (layers, spec))

    @property
    def recipes(self) -> tuple[Recipe, ...]:
        """The choices at each layer set."""
        names = dict.fromkeys(each.layers for each in self.openings)
        return tuple(self.recipe.with_(layers=name) for name in names)

    def at(self, layers: str) -> tuple[Opening, ...]:
        """Return every calibrator's directions at one layer set."""
        return tuple(each for each in self.openings if each.layers == layers)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal one."""
        return asdict(self) | {"recipe": self.recipe.to_dict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Cone":
        """Return what `to_dict` wrote; JSON's lists become tuples."""
        tuples = [{k: _tuple(v) for k, v in each.items()} for each in values["openings"]]
        return cls(
            recipe=Recipe.from_dict(values["recipe"]),
            n_pairs=values["n_pairs"],
            pairs=tuple((first, second, gold) for first, second, gold in values["pairs"]),
            openings=tuple(Opening(**each) for each in tuples),
        )


def _tuple(value: Any) -> Any:  # noqa: ANN401 - a value of JSON
    return tuple(value) if isinstance(value, list) else value


def measure_cone(
    recipe: Recipe,
    lab: Lab,
    *,
    layers: Sequence[str] = (),
    specs: Sequence[str] = SPECS,
) -> Cone:
    """Measure the angles and the agreement with people of each calibrator at each layer set.

    Args:
        recipe: The choices; its calibrator is ignored.
        lab: Where the work runs.
        layers: Layer sets; the recipe's own by default.
        specs: Calibrators.

    Raises:
        InputError: Data without gold scores, or a recipe, model or calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    names = tuple(dict.fromkeys(layers or (recipe.layers,)))
    recipe = of_layers(recipe, names)
    pairs, _ = lab.load(recipe)
    if pairs.gold is None:
        raise InputError(why_unscored(pairs))
    return cone_of(list(lab.spaces(recipe, names, specs)))


def cone_of(results: Sequence[Space]) -> Cone:
    """Return the directions under calibrators that were scored on the same pairs with gold.

    Args:
        results: By layer set, the uncalibrated first in each; at least one.
    """
    pairs = results[0].prepared.pairs
    recipe = widest([each.prepared.recipe for each in results])
    gold = [] if pairs.gold is None else pairs.gold.tolist()
    shown = sample_rows(len(pairs), SHOWN_PAIRS, seed=recipe.seed)
    return Cone(
        recipe=recipe,
        n_pairs=len(pairs),
        pairs=tuple((pairs.first[i], pairs.second[i], gold[i]) for i in shown),
        openings=tuple(_opening(result, shown) for result in results),
    )


def _opening(result: Space, shown: Rows) -> Opening:
    recipe, z = result.recipe, result.z
    every = np.concatenate(z)
    around = directions(every)
    rows = np.concatenate([shown, len(z[0]) + shown])
    first, second = random_pairs(len(every), seed=recipe.seed)
    cosines = pairwise_cosine(every[first], every[second])
    counts, _ = np.histogram(np.clip(cosines, -1, 1), np.linspace(-1, 1, N_BINS + 1))
    cosine = np.clip(result.similarity[shown], -1, 1)
    return Opening(
        layers=recipe.layers,
        spec=result.spec,
        rho=measured(result.scores, "spearman", recipe),
        random_cosine=result.random_cosine,
        random_shares=_rounded(counts / counts.sum(), 6),
        mean_length=round(around.mean_length, 6),
        angles=_rounded(around.angles[rows], 2),
        azimuths=_rounded(around.azimuths[rows], 2),
        pair_angles=_rounded(np.degrees(np.arccos(cosine)), 2),
    )


def _rounded(values: FloatArray, digits: int) -> tuple[float, ...]:
    return tuple(np.round(values, digits).tolist())
