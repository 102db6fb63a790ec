"""How do sentences fill their space? Measured by layer set and calibrator, from one encoder pass.

`rows` says which sentences each part uses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.gaussianity import (
    Likelihoods,
    QuantilePoints,
    coordinate_quantiles,
    likelihoods,
    matched_gaussian,
    norm_quantiles,
)
from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.analysis.measures import MEASURES, Part, Values, measure_part
from bertflow_core.analysis.space_rows import K_HUBS, Cloud, Near, Pairs, Unseen
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.registry import check_spec
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.layer_choices import of_layers, shared_by
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.studies.sentences.rows import SampleSizes, SentenceRows, choose_rows
from bertflow_core.study import every_layer
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = ["SentenceGeometry", "SentenceSpace", "SpaceCurves", "measure_sentences"]

_IGNORED = ("calibrator", "aggregation")


@dataclass(frozen=True, eq=False)
class SpaceCurves:
    """The curves of a space that figures draw; None where not measured.

    Attributes:
        singular_values: Standard deviations along the principal directions, falling, shape (K,).
        norms: Of held-out rows, shape (N,).
        coordinate_quantiles: All coordinates of held-out rows against N(0, 1).
        norm_quantiles: Their norms against chi(K).
        likelihoods: Log-densities of held-out rows, samples and midpoints.
    """

    singular_values: FloatArray | None = field(default=None, repr=False)
    norms: FloatArray | None = field(default=None, repr=False)
    coordinate_quantiles: QuantilePoints | None = None
    norm_quantiles: QuantilePoints | None = None
    likelihoods: Likelihoods | None = None


@dataclass(frozen=True, eq=False)
class SentenceSpace:
    """One layer set under one calibrator.

    Attributes:
        recipe: The recipe that gives these numbers; it ignores the aggregation.
        values: Every measure of `MEASURES`; None where undefined or not requested. All are None
            where all sentences have the same embedding, as at layer 0 under cls.
        curves: What figures draw.
        notes: Warnings of the fit, one sentence each.
    """

    recipe: Recipe
    values: Values
    curves: SpaceCurves = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SentenceGeometry:
    """The measured spaces: every layer set under every calibrator.

    Attributes:
        recipe: What all spaces share; it ignores layers, calibrator and aggregation.
        layers: Layer sets.
        calibrators: Specs.
        parts: What was measured.
        n_rows: By part, how many rows it uses and what they are, in words.
        spaces: By layer set, then calibrator.
    """

    recipe: Recipe
    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    parts: tuple[Part, ...]
    n_rows: dict[str, str]
    spaces: tuple[SentenceSpace, ...]

    def space(self, layers: str, calibrator: str) -> SentenceSpace:
        """Return one space.

        Raises:
            InputError: It was not measured.
        """
        for space in self.spaces:
            if (space.recipe.layers, space.recipe.calibrator) == (layers, calibrator):
                return space
        raise InputError(f"{quoted(layers)} under {quoted(calibrator)} was not measured")


def measure_sentences(
    recipe: Recipe,
    lab: Lab,
    layers: Sequence[str] = (),
    calibrators: Sequence[str] = ("identity",),
    *,
    parts: Sequence[Part] = tuple(Part),
    sizes: SampleSizes | None = None,
) -> SentenceGeometry:
    """Measure the sentences of a recipe's data under every layer set and calibrator.

    Args:
        recipe: Its layers, calibrator and aggregation are ignored.
        lab: Loads and embeds the data.
        layers: Layer sets; none stands for every single layer.
        calibrators: Specs; each is fitted at every layer set on the recipe's fit corpus.
        parts: What to measure.
        sizes: Most rows of each part; None takes the defaults.

    Raises:
        InputError: No calibrator, or a model, data or calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    specs = tuple(dict.fromkeys(calibrators))
    if not specs:
        raise InputError("there is nothing to measure: name at least one calibrator")
    for spec in specs:
        check_spec(spec)
    names = tuple(dict.fromkeys(layers)) or every_layer(recipe, lab)
    revision = lab.encoder(recipe).model.revision
    base = of_layers(recipe, names).with_(revision=revision).without(*_IGNORED)
    places = tuple(base.with_(layers=name) for name in names)
    shared = shared_by(places)
    for at in places:  # refused before anything is computed
        lab.encoder(at).chosen(at.layers, at.tokens)
    data = (*lab.load(shared), lab.all_sentences(shared))
    rows = choose_rows(*data, sizes or SampleSizes(), seed=recipe.seed)
    wanted = tuple(part for part in Part if part in parts)
    spaces: list[SentenceSpace] = []
    lab = replace(lab, ahead=places)
    total = len(names) * len(specs)
    for at in places:
        x = lab.vectors(at, rows.sentences).x
        for spec in specs:
            of = at.with_(calibrator=spec)
            with context.repeating(len(spaces), total, "spaces"):
                spaces.append(_measure(of, x, rows, wanted, lab.device))
    context.report(total, total, "spaces")
    n_rows = {part: text for part, text in rows.describe().items() if part in wanted}
    return SentenceGeometry(shared, names, specs, wanted, n_rows, tuple(spaces))


def _measure(
    recipe: Recipe,
    x: FloatArray,
    rows: SentenceRows,
    parts: Sequence[Part],
    device: str | None,
) -> SentenceSpace:
    """Fit a calibrator to embeddings of `rows.sentences`, shape (N, D), and measure each part."""
    values: Values = dict.fromkeys(MEASURES)
    curves = SpaceCurves()
    notes: tuple[str, ...] = ()
    if is_one_point(x[rows.cloud]) or is_one_point(x[rows.fit]):
        return SentenceSpace(recipe, values, curves)
    build = partial(
        build_calibrator, recipe.calibrator, seed=recipe.seed, device=device, share=rows.share
    )
    if set(parts) != {Part.HELD_OUT}:
        calibrator = build().fit(x[rows.fit])
        notes = tuple(calibrator.notes_)
        for part, sample in _seen(calibrator, x, rows, parts, recipe.seed):
            context.check_cancelled()
            values |= measure_part(part, sample)
            if isinstance(sample, Cloud) and sample.singular_values.any():
                curves = replace(curves, singular_values=sample.singular_values)
    if Part.HELD_OUT in parts and len(rows.held_out) > 1 and len(rows.fit_without) > 1:
        calibrator = build().fit(x[rows.fit_without])
        context.check_cancelled()
        unseen = _unseen(calibrator, x[rows.held_out], recipe.seed)
        values |= measure_part(Part.HELD_OUT, unseen)
        curves = replace(
            curves,
            norms=np.linalg.norm(unseen.z, axis=1),
            coordinate_quantiles=coordinate_quantiles(unseen.z),
            norm_quantiles=norm_quantiles(unseen.z),
            likelihoods=unseen.likelihoods,
        )
    return SentenceSpace(recipe, values, curves, notes)


def _seen(
    calibrator: "Calibrator",
    x: FloatArray,
    rows: SentenceRows,
    parts: Sequence[Part],
    seed: int,
) -> Iterator[tuple[Part, Cloud | Pairs | Near]]:
    """Yield the rows of each part but the held-out one, under the fit on the whole corpus."""
    z = calibrator.transform
    if Part.CLOUD in parts:
        yield Part.CLOUD, Cloud(z(x[rows.cloud]), seed)
    if {Part.PAIRS, Part.NEIGHBOURS}.isdisjoint(parts):
        return
    apart = z(x[rows.neighbours])
    if Part.PAIRS in parts:
        first, second = (z(x[side]) if len(side) else x[:0] for side in (rows.first, rows.second))
        yield Part.PAIRS, Pairs(apart, first, second)
    if Part.NEIGHBOURS in parts and len(apart) > K_HUBS:
        both = z(x[rows.both_sides]) if len(rows.both_sides) else apart[:0]
        yield Part.NEIGHBOURS, Near(apart, both, seed)


def _unseen(calibrator: "Calibrator", x: FloatArray, seed: int) -> Unseen:
    """Return held-out rows and samples, of embeddings that the calibrator did not see, (N, D).

    Where it has a density, samples are N(0, I), mapped back. Otherwise they are Gaussian with the
    latent rows' mean and covariance, and there are no likelihoods.
    """
    z = np.asarray(calibrator.transform(x), np.float64)
    if not calibrator.has_density:
        return Unseen(z, matched_gaussian(z, len(z), seed=seed), None, seed)
    samples = np.random.default_rng([seed, 1]).standard_normal(z.shape)
    back = calibrator.inverse_transform(samples)
    return Unseen(z, samples, likelihoods(calibrator.score_samples, x, back, seed=seed), seed)
