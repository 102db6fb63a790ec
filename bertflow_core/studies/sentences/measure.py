"""How do sentences fill their space? Measured by layer set and calibrator, from one encoder pass.

`rows` says which sentences each part uses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bertflow_core import context
from bertflow_core.analysis.isotropy import alignment, is_one_point, uniformity
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.registry import check_spec
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.layer_choices import of_layers, shared_by
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.studies.sentences.measures import MEASURES, Part, Values
from bertflow_core.studies.sentences.rows import SampleSizes, SentenceRows, choose_rows
from bertflow_core.studies.sentences.space_measures import (
    SpaceCurves,
    measure_cloud,
    measure_dimension,
    measure_held_out_rows,
    measure_neighbours,
)
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = ["SentenceGeometry", "SentenceSpace", "measure_sentences"]

_IGNORED = ("calibrator", "aggregation")


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

    def to_dict(self) -> dict[str, Any]:
        """Return layer set, calibrator, recipe and every measure, JSON-able."""
        recipe = self.recipe
        return {
            "layers": recipe.layers,
            "calibrator": recipe.calibrator,
            "recipe": recipe.to_dict(),
            "measures": dict(self.values),
            "notes": list(self.notes),
        }


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

    @property
    def places(self) -> tuple[Recipe, ...]:
        """The recipe at each layer set, under the first calibrator."""
        first = self.calibrators[0]
        return tuple(each.recipe for each in self.spaces if each.recipe.calibrator == first)

    def space(self, layers: str, calibrator: str) -> SentenceSpace:
        """Return one space.

        Raises:
            InputError: It was not measured.
        """
        for space in self.spaces:
            if (space.recipe.layers, space.recipe.calibrator) == (layers, calibrator):
                return space
        raise InputError(f"{quoted(layers)} under {quoted(calibrator)} was not measured")

    def to_dict(self) -> dict[str, Any]:
        """Return the shared recipe, the rows and every space, JSON-able."""
        return {
            "recipe": self.recipe.to_dict(),
            "rows": dict(self.n_rows),
            "spaces": [space.to_dict() for space in self.spaces],
        }


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
    encoder = lab.encoder(recipe)
    n_layers = encoder.model.n_layers
    every = [f"layer:{k}" for k in range(n_layers + 1)] if n_layers else [DECLARED]
    names = tuple(dict.fromkeys(layers or every))
    base = of_layers(recipe, names).with_(revision=encoder.model.revision).without(*_IGNORED)
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
    context.check_cancelled()
    values: Values = dict.fromkeys(measure.name for measure in MEASURES)
    if is_one_point(x[rows.cloud]) or is_one_point(x[rows.fit]):
        return SentenceSpace(recipe, values, SpaceCurves())
    curves = SpaceCurves()
    build = partial(
        build_calibrator, recipe.calibrator, seed=recipe.seed, device=device, share=rows.share
    )
    notes: tuple[str, ...] = ()
    if set(parts) != {Part.HELD_OUT}:
        calibrator = build()
        notes = calibrator.fit(x[rows.fit]).notes_
        measured, curves = _measure_seen(calibrator, x, rows, parts, recipe.seed)
        values |= measured
    if Part.HELD_OUT in parts and len(rows.held_out) > 1 and len(rows.fit_without) > 1:
        calibrator = build()
        calibrator.fit(x[rows.fit_without])
        context.check_cancelled()
        measured, unseen = measure_held_out_rows(
            calibrator,
            x[rows.held_out],
            seed=recipe.seed,
        )
        values |= measured
        curves = replace(unseen, singular_values=curves.singular_values)
    return SentenceSpace(recipe, values, curves, tuple(notes))


def _measure_seen(
    calibrator: "Calibrator",
    x: FloatArray,
    rows: SentenceRows,
    parts: Sequence[Part],
    seed: int,
) -> tuple[Values, SpaceCurves]:
    """Measure all parts but the held-out one, under the fit on the whole corpus."""
    values: Values = {}
    singular_values: FloatArray | None = None
    if Part.CLOUD in parts:
        values, spectrum = measure_cloud(calibrator.transform(x[rows.cloud]), seed=seed)
        singular_values = spectrum if spectrum.any() else None
        context.check_cancelled()
    if {Part.PAIRS, Part.NEIGHBOURS}.isdisjoint(parts):
        return values, SpaceCurves(singular_values)
    apart = calibrator.transform(x[rows.neighbours])
    if Part.PAIRS in parts and len(rows.first):
        first, second = (calibrator.transform(x[side]) for side in (rows.first, rows.second))
        values["alignment"] = alignment(first, second)
    if Part.PAIRS in parts:
        values["uniformity"] = uniformity(apart)
    context.check_cancelled()
    if Part.NEIGHBOURS in parts:
        values |= measure_neighbours(apart, seed=seed)
        context.check_cancelled()
        if len(rows.both_sides):
            values |= measure_dimension(calibrator.transform(x[rows.both_sides]))
    return values, SpaceCurves(singular_values)
