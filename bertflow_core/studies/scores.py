"""How well does cosine agree with people? Calibrators side by side on one data set.

Labelled texts are scored by the accuracy of a classifier, or by the v-measure of clusters.

The first row is the plain output, the vectors of the model's own `encode`. Every other row is
compared with the plain output and with its own uncalibrated vectors. Each difference is tested.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bertflow_core.calibrators.spec import DEFAULT_SPECS
from bertflow_core.evaluation import N_DRAWS, RANDOM_COSINE, RHO, V_MEASURE, Comparison, compare
from bertflow_core.figures import Figure, score_bars
from bertflow_core.lab.comparable_scores import scores_of_fits
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import conservative, why_unscored
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.studies.lexical_baselines import (
    LEXICAL,
    LexicalResult,
    above_published,
    lexical_results,
)

_SPREAD = Column(
    "v_measure_spread", "spread", ".2f", "standard deviation over the starts of k-means", 100
)

NO_LAYERS = "none"
"""What a report shows as vectors and layers of a lexical baseline, which has neither."""


@dataclass(frozen=True, kw_only=True)
class ScoresRecipe(Recipe):
    """The choices that decide the scores, and what the report adds to them."""

    pairs: bool = param(False, "Add the cosine of each pair to the JSON output.")
    lexical: bool = param(
        False,
        "Add two lexical baselines, lexical-jaccard and lexical-coverage, which count shared "
        "tokens.",
    )


def _pictures(report: Report) -> Pictures:
    is_scored = any(row["score"] is not None for row in report.rows)
    return {"scores": lambda: _bars(report)} if is_scored else {}


def _bars(report: Report) -> Figure:
    specs = [row["calibrator"] for row in report.rows]
    labels = [f"{row['vectors']}, {row['calibrator']}" for row in report.rows]
    scores = [row["score"] for row in report.rows]
    return score_bars(specs, scores, title=report.column("score").header, labels=labels)


@study(
    "evaluate",
    ScoresRecipe,
    (),
    title="How well does cosine agree with people?",
    figures=_pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    plain=True,
    command="bertflow-lab evaluate",
)
def evaluate(recipe: ScoresRecipe, lab: Lab, calibrators: Specs, layers: Sequence[str]) -> Result:
    """Score the plain output and calibrators, each fitted on sentences alone."""
    asked = recipe.base()
    lexical = lexical_results(asked, lab) if recipe.lexical else ()
    rows = asked.each(layers=layers, calibrators=calibrators)
    recipes, why_no_plain = lab.with_plain(rows)
    every = [*lab.evaluations(recipes)]
    plain = next((e for e in every if e.recipe == e.recipe.plain), why_no_plain or None)
    evaluations = every[len(recipes) - len(rows) :]
    result = _result(evaluations, plain, lexical, pairs=recipe.pairs)
    return replace(result, recipes=[recipe.with_(revision=evaluations[0].recipe.revision)])


def scores_report(evaluations: Sequence[Evaluation]) -> Report:
    """Report the scores of `Lab.evaluate` on one data set, without tests."""
    layers = tuple(dict.fromkeys(evaluation.recipe.layers for evaluation in evaluations))
    specs = tuple(dict.fromkeys(evaluation.spec for evaluation in evaluations))
    params = ScoresRecipe(**evaluations[0].recipe.to_dict())
    without_plain = replace(evaluate, plain=False)
    return without_plain.report(_result(evaluations, is_tested=False), params, specs, layers)


def _result(
    evaluations: Sequence[Evaluation],
    plain: Evaluation | str | None = None,
    lexical: Sequence[LexicalResult] = (),
    *,
    pairs: bool = False,
    is_tested: bool = True,
) -> Result:
    every: list[Evaluation | LexicalResult] = [*evaluations, *lexical]
    if isinstance(plain, Evaluation) and all(each is not plain for each in evaluations):
        every.insert(0, plain)
    rows = [_row(each) for each in every]
    if pairs:
        for row, each in zip(rows, every, strict=True):
            is_known = not np.isnan(each.unit_values).any()
            row["similarity"] = np.round(each.unit_values, 6).tolist() if is_known else None
    if evaluations[0].embedded.pairs.targets is not None:
        _add_differences(rows, every, plain, evaluations[0], is_tested=is_tested)
    remarks = _remarks(evaluations, plain, is_tested=any("change_p" in row for row in rows))
    own = plain if isinstance(plain, Evaluation) else None
    return Result(
        rows,
        [*remarks, *(_lexical_notes(lexical) if lexical else ())],
        columns=_columns(evaluations[0]),
        objects={"evaluations": tuple(evaluations), "plain": own},
    )


def _columns(first: Evaluation) -> tuple[Column, ...]:
    return (
        *([Column("vectors")] if first.recipe.source.has_layers else []),
        Column("calibrator"),
        Column("score", first.metric.header, ".2f", times=100),
        Column("change", "", "+z.2f", "difference from the uncalibrated vectors", times=100),
        Column("change_p_holm", "p", "p", "of the change, Holm-adjusted"),
        Column("to_plain", f"to {PLAIN}", "+z.2f", f"difference from the {PLAIN}", times=100),
        Column("to_plain_p_holm", "p (plain)", "p", "of the difference from plain, Holm-adjusted"),
        Column("r", "Pearson", ".2f", times=100),
        *([_SPREAD] if first.metric is V_MEASURE else []),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("fit_seconds", "fit s", ".2f"),
    )


def _add_differences(
    rows: list[dict[str, Any]],
    every: Sequence[Evaluation | LexicalResult],
    plain: Evaluation | str | None,
    first: Evaluation,
    *,
    is_tested: bool,
) -> None:
    """Add to each row the differences of its displayed score from two other rows.

    `change` is the difference from the uncalibrated row of the same layer set; rows without vectors
    use the first layer set. `to_plain` is the difference from the plain output.
    """
    fits = {place: [each] for place, each in enumerate(every)}
    scores = scores_of_fits(fits, first.embedded.pairs, first.recipe)
    places = {id(each): place for place, each in enumerate(every)}
    raw = {NO_LAYERS: places[id(first)]}
    for place, row in enumerate(rows):
        raw.setdefault(row["layers"], place)
    others = {
        "change": [raw[row["layers"]] for row in rows],
        "to_plain": [places.get(id(plain), place) for place in range(len(rows))],
    }
    for name, against in others.items():
        told = {i: (scores[other], scores[i]) for i, other in enumerate(against) if i != other}
        untested = {i: Comparison(*(each.value for each in both)) for i, both in told.items()}
        for place, each in (compare(told) if is_tested else untested).items():
            rows[place] |= each.columns(name)


def _row(each: Evaluation | LexicalResult) -> dict[str, Any]:
    row = {
        "vectors": NO_LAYERS,
        "layers": NO_LAYERS,
        "calibrator": each.spec,
        **each.to_dict(),
        "score": each.score,
        **({"r": each.measure("pearson")} if each.metric is RHO else {}),
    }
    if isinstance(each, LexicalResult):
        return {**row, "random_cosine": None, "fit_seconds": None}
    own = {"vectors": each.recipe.vectors, "layers": each.recipe.layers}
    return {**row, **own, "fit_seconds": each.seconds["fit"]}


def _remarks(
    evaluations: Sequence[Evaluation], plain: Evaluation | str | None, *, is_tested: bool
) -> list[Remark]:
    """Say what the numbers depend on, what is missing or truncated, and what the fits report."""
    first = evaluations[0]
    embedded, recipe, metric = first.embedded, first.recipe, first.metric
    has_words = recipe.source.has_words
    with_plain = (*evaluations, *([plain] if isinstance(plain, Evaluation) else []))
    of_tests = (
        f"Differences are tested by a paired bootstrap ({N_DRAWS:,} resamples of the "
        f"{metric.unit}).",
        conservative(embedded.pairs, recipe.aggregation),
    )
    unscored = embedded.pairs.targets is None
    return [
        *remarks_of(
            Kind.METHOD,
            f"{embedded.pairs.size[0].upper()}{embedded.pairs.size[1:]}.",
            *embedded.pairs.provenance.assumed,
            f"Fitted on {embedded.corpus.description}",
            embedded.seen_remark,
            *(each.embedded.sides_remark for each in evaluations),
            *(f"{each.embedded.cut_remark}." for each in evaluations if has_words),
            *(each.embedded.chat_remark for each in with_plain),
            _of_plain(plain) if isinstance(plain, Evaluation) else "",
        ),
        *remarks_of(Kind.MISSING, plain if isinstance(plain, str) else ""),
        *remarks_of(
            Kind.METHOD, "" if metric is RHO else f"{metric.title} x 100 {metric.meaning}."
        ),
        *remarks_of(Kind.MISSING, why_unscored(embedded.pairs) if unscored else ""),
        *remarks_of(Kind.METHOD, first.doubt, *(of_tests if is_tested else ())),
        *fit_remarks(notes_of(evaluations), recipe),
    ]


def _of_plain(plain: Evaluation) -> str:
    of = plain.embedded.encoder
    of_queries = of.get("queries", {}).get("declared")
    return (
        f"The {PLAIN} is the sentence embedding of {plain.recipe.model} without calibration "
        f"({of['declared']}{f'; of queries: {of_queries}' if of_queries else ''})."
    )


def _lexical_notes(lexical: Sequence[LexicalResult]) -> list[Remark]:
    """Describe the baselines without vectors, and say if they beat all published numbers."""
    meanings = "; ".join(f"{each.spec}: {LEXICAL[each.spec]}" for each in lexical)
    return remarks_of(
        Kind.METHOD,
        f"{meanings}. Both compare sets of {lexical[0].recipe.model}'s tokens; nothing is fitted.",
        above_published(lexical),
    )


def notes_of(evaluations: Sequence[Evaluation]) -> tuple[str, ...]:
    """Return the notes on each fit."""
    several = len({evaluation.recipe.layers for evaluation in evaluations}) > 1
    return tuple(
        f"{f'{evaluation.recipe.layers} ' if several else ''}{evaluation.spec}: {note}."
        for evaluation in evaluations
        for note in evaluation.notes
    )
