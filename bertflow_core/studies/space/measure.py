"""How do sentences fill their space? Measures by layer set and calibrator, from one encoder pass.

The studies `sentences`, `layers` and `spectrum` are three views of one table of measures. The
module `rows` chooses the sentences for each group of measures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.analysis.gaussianity import N_GAUSSIAN_DRAWS, likelihoods, matched_gaussian
from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.analysis.judged import JUDGED, SCALES, has_unit_scale, judged_value, sentence
from bertflow_core.analysis.measures import (
    BY_LAYER,
    HIGHER,
    MEASURES,
    Group,
    Measure,
    Values,
    measure_group,
    names_of,
)
from bertflow_core.analysis.space_rows import K_HUBS, Cloud, Near, Pairs, Unseen
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import check_name
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.layer_choices import shared_by
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.runtime import context
from bertflow_core.studies.space.pictures import (
    Curves,
    layer_pictures,
    space_pictures,
    spectrum_pictures,
)
from bertflow_core.studies.space.rows import SampleSizes, SentenceRows, choose_rows

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

_RATIOS = ("gaussian_distance_ratio", "sample_distance_ratio")


@dataclass(frozen=True, kw_only=True)
class SpaceRecipe(Recipe):
    """A recipe, and the groups of measures that are computed."""

    parts: str = param(
        ",".join(Group), "Comma-separated groups of measures; held-out needs a second fit."
    )

    def check(self) -> None:
        """Refuse an unknown group."""
        super().check()
        for name in self.parts.split(","):
            check_name(name, tuple(Group), "group of measures")

    @property
    def measured(self) -> tuple[Group, ...]:
        """The requested groups, in the order in which tables show them."""
        return tuple(part for part in Group if part in self.parts.split(","))


def measured(
    recipe: Recipe,
    lab: Lab,
    calibrators: Sequence[str],
    layers: Sequence[str],
    parts: Sequence[Group] = tuple(Group),
    sizes: SampleSizes | None = None,
) -> Result:
    """Return a row of measures for each space, by layer set, then calibrator.

    All measures are None where all sentences have the same embedding, as first tokens do in layer
    0. Each calibrator is fitted at every layer set on the recipe's fit corpus. `parts` are the
    groups of measures; `sizes` bounds their samples.
    """
    recipe = recipe.with_(revision=lab.encoder(recipe).model.revision)
    places = tuple(recipe.with_(layers=name) for name in layers)
    for at in places:  # wrong layers are refused before anything is computed
        lab.encoder(at).chosen(at.layers, at.tokens)
    shared = shared_by(places)
    sample = choose_rows(
        *lab.load(shared), lab.data(shared).all_sentences, sizes or SampleSizes(), seed=recipe.seed
    )
    curves: dict[tuple[str, str], Curves] = {}
    rows: list[Row] = []
    remarks: list[Remark] = []
    notes: list[str] = []
    total = len(places) * len(calibrators)
    every = lab.vectors(places, sample.sentences, sides=sample.sides)
    for at, vectors in zip(places, every, strict=True):
        for spec in calibrators:
            own = at.with_(calibrator=spec)
            with context.repeating(len(curves), total, "spaces"):
                row, curves[at.layers, spec], noted = _measure(own, vectors.x, sample, parts, lab)
            notes += [f"{at.layers} {spec}: {note}." for note in noted]
            rows.append(row)
            if scale := scale_reading(row):
                text = f"In {at.vectors}, {scale[0].lower()}{scale[1:]}"
                remarks.append(Remark(Kind.METHOD, text))
    context.report(total, total, "spaces")
    n_rows = {part: text for part, text in sample.describe().items() if part in parts}
    remarks += remarks_of(Kind.METHOD, *(f"{part}: {text}." for part, text in n_rows.items()))
    return Result(
        rows,
        [*remarks, *fit_remarks(notes, recipe)],
        recipes=places,
        facts={"measured": n_rows},
        objects={"curves": curves},
    )


def _measure(
    recipe: Recipe, x: FloatArray, rows: SentenceRows, parts: Sequence[Group], lab: Lab
) -> tuple[Row, Curves, tuple[str, ...]]:
    """Fit a calibrator to embeddings of `rows.sentences`, shape (N, D), and measure the groups."""
    values: Values = dict.fromkeys(name for part in parts for name in names_of(part))
    notes: tuple[str, ...] = ()
    curves: dict[str, Any] = {}
    spectrum = None
    build = partial(
        build_calibrator, recipe.calibrator, seed=recipe.seed, device=lab.device, share=rows.share
    )
    precision = lab.precision(recipe)
    varies = not (is_one_point(x[rows.cloud]) or is_one_point(x[rows.fit]))
    if varies and set(parts) != {Group.HELD_OUT}:
        calibrator = build().fit(x[rows.fit], precision=precision)
        z, notes = calibrator.transform, tuple(calibrator.notes_)
        if Group.CLOUD in parts:
            cloud = Cloud(z(x[rows.cloud]), recipe.seed, precision)
            values |= measure_group(Group.CLOUD, cloud)
            spectrum = cloud.singular_values.tolist() if cloud.singular_values.any() else None
        context.check_cancelled()
        is_used = {Group.PAIRS, Group.NEIGHBOURS} & set(parts)
        apart = z(x[rows.neighbours]) if is_used else x[:0]
        if Group.PAIRS in parts and len(apart) > 1:
            sides = (z(x[side]) if len(side) else x[:0] for side in (rows.first, rows.second))
            values |= measure_group(Group.PAIRS, Pairs(apart, *sides))
        if Group.NEIGHBOURS in parts and len(apart) > K_HUBS:
            both = z(x[rows.both_sides]) if len(rows.both_sides) else apart[:0]
            near = Near(apart, both, recipe.seed)
            values |= measure_group(Group.NEIGHBOURS, near)
            curves = {"distances": near.distances[:, -1], "of_gaussian": near.of_gaussian}
    context.check_cancelled()
    if varies and Group.HELD_OUT in parts and min(len(rows.held_out), len(rows.fit_without)) > 1:
        calibrator = build().fit(x[rows.fit_without], precision=precision)
        unseen = _unseen(calibrator, x[rows.held_out], recipe.seed)
        values |= measure_group(Group.HELD_OUT, unseen)
        norms = np.linalg.norm(unseen.z, axis=1)
        curves |= {"norms": norms, "likelihoods": unseen.likelihoods}
    row = {
        "layers": recipe.layers,
        "calibrator": recipe.calibrator,
        **values,
        **({"singular_values": spectrum} if Group.CLOUD in parts else {}),
        "notes": " ".join(f"{note}." for note in notes),
    }
    return {**row, "reading": " ".join(readings(row))}, curves, notes


def _unseen(calibrator: "Calibrator", x: FloatArray, seed: int) -> Unseen:
    """Return the latent rows of held-out embeddings `x`, shape (N, D), and samples like them.

    If the calibrator has a density, the samples are from N(0, I), and likelihoods compare the
    embeddings with the samples mapped back. Otherwise the samples are Gaussian with the mean and
    covariance of the latent rows, and there are no likelihoods.
    """
    z = np.asarray(calibrator.transform(x), np.float64)
    if not calibrator.has_density:
        return Unseen(z, matched_gaussian(z, len(z), seed=seed), None, seed)
    samples = np.random.default_rng([seed, 1]).standard_normal(z.shape)
    back = calibrator.inverse_transform(samples)
    return Unseen(z, samples, likelihoods(calibrator.score_samples, x, back, seed=seed), seed)


def readings(row: Row) -> Iterator[str]:
    """Yield a sentence for each question that the measures of a space answer."""
    for name in (*JUDGED, *_RATIOS):
        value = judged_value(name, row)
        if value is not None:
            yield sentence(name, value)
    energy, floor = row.get("energy"), row.get("energy_floor")
    if energy is not None and floor is not None:
        distance = "as close to N(0, I) as" if energy <= floor else "further from N(0, I) than"
        yield f"The sentences are {distance} {N_GAUSSIAN_DRAWS} Gaussian samples."


def scale_reading(row: Row) -> str:
    """Return a remark if scale alone makes tests against N(0, I) reject a space, else nothing."""
    found, expected = (row.get(name) for name in ("norm_mean", "norm_mean_expected"))
    if found is None or expected is None or has_unit_scale(row):
        return ""
    return (
        f"Under {row['calibrator']} the mean norm of held-out sentences is {found:.2f}; under "
        f"N(0, I) it is {expected:.2f}. This alone makes tests reject N(0, I)."
    )


def finding(rows: Sequence[Row]) -> str:
    """Say how calibration changes the cone at a layer set; the first row is the baseline."""
    base, *others = (row for row in rows if row.get("mean_cosine") is not None)
    said = f"Under {base['calibrator']} the directions of the sentences form {_cone(base)}"
    if not others:
        return f"{said}."
    best = min(others, key=lambda row: abs(row["mean_cosine"]))
    return f"{said}; under {best['calibrator']} they form {_cone(best)}."


def _cone(row: Row) -> str:
    value, unseen = row["mean_cosine"], row.get("held_out_mean_cosine")
    held_out = "" if unseen is None else f", {unseen:z.2f} over held-out ones"
    word = SCALES["mean_cosine"].word(value)
    return f"{word} (mean cosine {value:z.2f} over all sentences{held_out})"


_PLACE = ("layers", "calibrator")
_SPECTRUM = ("rank", "effective_rank", "participation_ratio")
_SHARES = tuple(name for name in MEASURES if name.endswith("_share"))
_DECLARED: dict[str, Any] = {
    "calibrators": ("identity", "flow"),
    "layers": True,
    "without": ("aggregation",),
}


def _columns(*names: str) -> tuple[Column, ...]:
    measures = (MEASURES[name] for name in names)
    return (
        *map(Column, _PLACE),
        *(Column(each.name, format=each.format, help=_help(each)) for each in measures),
    )


def _help(measure: Measure) -> str:
    higher = HIGHER[measure.name]
    parts = (measure.label, "" if higher.startswith("as above") else f"higher = {higher}")
    return "; ".join(each for each in parts if each not in ("", measure.name.replace("_", " ")))


def _spaces(recipe: SpaceRecipe, lab: Lab, calibrators: Specs, layers: Specs) -> Result:
    """Measure every space; a last table has one row per measure and one column per space."""
    result = measured(recipe, lab, calibrators, layers, recipe.measured)
    rows = result.rows
    several = len({row["layers"] for row in rows}) > 1  # a single layer set needs no name
    spaces = {" ".join(row[key] for key in _PLACE[not several :]): row for row in rows}
    found = [
        {"measure": each.label, **{name: each.text(row[each.name]) for name, row in spaces.items()}}
        for each in MEASURES.values()
        if each.name in rows[0]
    ]
    table = Table([Column("measure"), *map(Column, spaces)], found, title="every measure")
    return replace(result, tables=[table])


_BY_LAYER = _columns(*BY_LAYER)
sentences = study("sentences", SpaceRecipe, _BY_LAYER, figures=space_pictures,
                  title="How do sentences fill their space?", **_DECLARED)(_spaces)  # fmt: skip
layers = study("layers", SpaceRecipe, _BY_LAYER, figures=layer_pictures, every_layer=True,
               title="How do sentences fill the space of each layer?", **_DECLARED
               )(_spaces)  # fmt: skip


@study("spectrum", Recipe, _columns(*_SPECTRUM, *_SHARES), figures=spectrum_pictures,
       title="How is the variance spread over directions?", **_DECLARED)  # fmt: skip
def spectrum(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Specs) -> Result:
    """Measure the singular spectrum of every space."""
    parts = SpaceRecipe(parts="cloud").measured
    return measured(recipe, lab, calibrators, layers, parts)
