"""How do sentences fill their space? Measures by layer set and calibrator, from one encoder pass.

The module `rows` chooses the sentences for each group of measures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.analysis.gaussianity import likelihoods
from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.analysis.judged import SCALES
from bertflow_core.analysis.measures import (
    MEASURES,
    Group,
    Measure,
    Values,
    functions_of,
    measure_group,
)
from bertflow_core.analysis.space_rows import K_HUBS, Cloud, Near, PositivePairs, Unseen
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import check_name
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.layer_choices import shared_by
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.runtime import context
from bertflow_core.studies.space.pictures import Curves, space_pictures
from bertflow_core.studies.space.rows import SentenceRows, choose_rows
from bertflow_core.text_table import TextTable

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator


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


def column_of(measure: Measure) -> Column:
    """Return the column of a measure, with its meaning."""
    own = measure.label.removeprefix(measure.name.replace("_", " ")).strip(", ")
    about = "; ".join(filter(None, (own, f"higher = {measure.higher}")))
    return Column(measure.name, format=measure.format, help=about)


_COLUMNS = (Column("layers"), Column("calibrator"), *map(column_of, MEASURES.values()))


@study(
    "sentences",
    SpaceRecipe,
    _COLUMNS,
    title="How do sentences fill their space?",
    figures=space_pictures,
    calibrators=("identity", "flow"),
    layers=True,
    without=("aggregation", "similarity"),
)
def sentences(recipe: SpaceRecipe, lab: Lab, calibrators: Specs, layers: Sequence[str]) -> Result:
    """Measure every space; people read one row per measure and one column per space.

    All measures are None where all sentences have the same embedding, as first tokens do in layer
    0. Each calibrator is fitted at every layer set on the recipe's fit corpus.
    """
    recipe = recipe.with_(revision=lab.encoder(recipe).model.revision)
    places = tuple(recipe.with_(layers=name) for name in layers)
    for at in places:  # wrong layers are refused before anything is computed
        lab.encoder(at).chosen(at.layers, at.tokens)
    shared, parts = shared_by(places), recipe.measured
    sample = choose_rows(*lab.load(shared), lab.recipe_data(shared).all_sentences, seed=recipe.seed)
    curves: dict[tuple[str, str], Curves] = {}
    rows: list[Row] = []
    fits: list[tuple[str, tuple[str, ...]]] = []
    total = len(places) * len(calibrators)
    every = lab.vectors(places, sample.sentences, sides=sample.sides)
    for at, vectors in zip(places, every, strict=True):
        for spec in calibrators:
            own = at.with_(calibrator=spec)
            with context.repeating(len(curves), total, "spaces"):
                row, curves[at.layers, spec], noted = _measure(own, vectors.x, sample, parts, lab)
            fits.append((spec, noted))
            rows.append(row)
    context.report(total, total, "spaces")
    n_rows = {part: text for part, text in sample.describe().items() if part in parts}
    about = remarks_of(Kind.METHOD, *(f"{part}: {text}." for part, text in n_rows.items()))
    spaces = (f"{row['layers']} {row['calibrator']}" for row in rows)
    lines = tuple(
        (each.label, *map(each.text, rows))
        for each in MEASURES.values()
        if {each.name, each.reference_name} & rows[0].keys()
    )
    return Result(
        rows,
        [*about, *fit_remarks(fits, recipe)],
        recipes=places,
        facts={"measured": n_rows},
        objects={"curves": curves},
        text_table=TextTable(("measure", *spaces), lines),
    )


def _measure(
    recipe: Recipe, x: FloatArray, rows: SentenceRows, parts: Sequence[Group], lab: Lab
) -> tuple[Row, Curves, tuple[str, ...]]:
    """Fit a calibrator to embeddings of `rows.sentences`, shape (N, D), and measure the groups."""
    values: Values = dict.fromkeys(name for part in parts for name in functions_of(part))
    notes: tuple[str, ...] = ()
    curves: dict[str, Any] = {}
    spectrum = None
    build = partial(recipe.spec.build, seed=recipe.seed, device=lab.device, share=rows.share)
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
            values |= measure_group(Group.PAIRS, PositivePairs(apart, *sides))
        if Group.NEIGHBOURS in parts and len(apart) > K_HUBS:
            near = Near(apart, recipe.seed)
            values |= measure_group(Group.NEIGHBOURS, near)
            curves = {"distances": near.distances[:, -1], "of_gaussian": near.of_gaussian}
    context.check_cancelled()
    if varies and Group.HELD_OUT in parts and min(len(rows.held_out), len(rows.fit_without)) > 1:
        calibrator = build().fit(x[rows.fit_without], precision=precision)
        unseen = _unseen(calibrator, x[rows.held_out], recipe.seed)
        values |= measure_group(Group.HELD_OUT, unseen)
        curves |= {"likelihoods": unseen.likelihoods}
    row = {
        "layers": recipe.layers,
        "calibrator": recipe.calibrator,
        **values,
        **({"singular_values": spectrum} if Group.CLOUD in parts else {}),
        "notes": " ".join(f"{note}." for note in notes),
    }
    return row, curves, notes


def _unseen(calibrator: "Calibrator", x: FloatArray, seed: int) -> Unseen:
    """Return the latent rows of held-out embeddings `x`, shape (N, D).

    If the calibrator has a density, likelihoods compare the embeddings with samples of N(0, I) that
    are mapped back.
    """
    z = np.asarray(calibrator.transform(x), np.float64)
    if not calibrator.has_density:
        return Unseen(z)
    samples = np.random.default_rng([seed, 1]).standard_normal(z.shape)
    back = calibrator.inverse_transform(samples)
    return Unseen(z, likelihoods(calibrator.score_samples, x, back, seed=seed))


def finding(rows: Sequence[Row]) -> str:
    """Say how calibration changes the cone at a layer set; the first row is the baseline."""
    base, *others = (row for row in rows if row.get("mean_cosine") is not None)
    sentence = f"Under {base['calibrator']} the directions of the sentences form {_cone(base)}"
    if not others:
        return f"{sentence}."
    best = min(others, key=lambda row: abs(row["mean_cosine"]))
    return f"{sentence}; under {best['calibrator']} they form {_cone(best)}."


def _cone(row: Row) -> str:
    value = row["mean_cosine"]
    return f"{SCALES['mean_cosine'].word(value)} (mean cosine {value:z.2f} over all sentences)"
