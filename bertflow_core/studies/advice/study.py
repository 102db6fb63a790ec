"""The check: how good is a model, A or B, is calibrating worth it, and which threshold?"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS
from bertflow_core.datasets import LabelledTexts, Texts
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import InputError
from bertflow_core.evaluation import ACCURACY, RHO, metric_of
from bertflow_core.figures import Figure, interval_forest, threshold_curves
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.grid import Grid, scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.verdict import Outcome
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.advice.answers import (
    Answer,
    Asked,
    a_or_b,
    how_good,
    known_models,
    models_board,
    models_columns,
    models_table,
    other_output,
    own_output,
    which_threshold,
    word_overlap,
)
from bertflow_core.studies.advice.calibrate import by_rules, by_scores, is_fitted
from bertflow_core.studies.advice.findings import judged
from bertflow_core.studies.advice.measures import measure_linear_loss
from bertflow_core.studies.advice.scores import (
    TITLE,
    beside_plain,
    gains,
    layers_columns,
    layers_figure,
    layers_table,
)
from bertflow_core.studies.evaluate.axes import EvaluateRecipe, Rows
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.wording import change_text, quoted

LINEAR = "classifier"

PICTURES = {
    Asked.GOOD: "models",
    Asked.BETTER: "pair",
    Asked.CALIBRATE: "gains",
    Asked.THRESHOLD: "threshold",
}
"""The picture of each answer."""


@dataclass(frozen=True, kw_only=True)
class AdviceRecipe(Recipe):
    """The choices that decide whether calibrating is worth it."""

    use: str = param(
        "cosine",
        "What the vectors are for: comparison by cosine, or features of a linear classifier.",
        choices=("cosine", LINEAR),
        title="The vectors are for",
    )
    second_model: str | None = param(None, "Model to compare with, on the same data.")

    def check(self) -> None:
        """Refuse a comparison of a model with itself."""
        super().check()
        if self.second_model == self.model:
            raise InputError(
                f"the second model is the first, {quoted(self.model)}: name another one"
            )


_COLUMNS = (
    Column("question"),
    Column("verdict", help="advice on calibrating; neutral is neither for nor against it"),
    Column("finding"),
)


def findings_of(report: Report) -> list[Row]:
    """Return the rows that state a rule."""
    return [row for row in report.rows if "sources" in row]


def gains_of(report: Report) -> list[Row]:
    """Return the rows of the calibrators' gains, the best first; empty without gold scores."""
    return [row for row in report.rows if "calibrator" in row]


def answers_of(report: Report) -> list[Row]:
    """Return the answers in order, each with its question, its text and its numbers.

    There are four, or three without a second model; a report for the tour has none.
    """
    return list(report.facts.get("answers", ()))


def _pictures(report: Report) -> Pictures:
    drawn: dict[str, Callable[[], Figure]] = {}
    for table in report.tables:
        if table.title == TITLE:
            drawn["places"] = partial(layers_figure, table)
        else:
            drawn[PICTURES[Asked(table.title)]] = partial(_models_figure, table)
    if tested := [row for row in gains_of(report) if row["low"] is not None]:
        drawn["gains"] = partial(_gains_figure, tested)
    for each in answers_of(report):
        if "curve" in each:
            drawn["threshold"] = partial(threshold_curves, each["curve"], each["threshold"])
    return drawn


def _models_figure(table: Table) -> Figure:
    """Draw the score of each model with its interval; a line marks the first."""
    known = [row for row in table.rows if row.get("score_low", row["score"]) is not None]
    ends = ([row.get(key, row["score"]) for row in known] for key in ("score_low", "score_high"))
    return interval_forest(
        [row["name"] for row in known],
        [row["score"] for row in known],
        *ends,
        title=table.column("score").header,
        reference=table.rows[0]["score"],
    )


def _gains_figure(gains: Sequence[Row]) -> Figure:
    """Draw the change of the score under each calibrator with its interval."""
    return interval_forest(
        [row["calibrator"] for row in gains],
        [row["after"] - row["before"] for row in gains],
        [row["low"] for row in gains],
        [row["high"] for row in gains],
        title=f"change of {gains[0]['metric']} x 100 against identity",
        reference=0.0,
        apart=[row["significant"] for row in gains],
        shown=[change_text(row["before"], row["after"]) for row in gains],
    )


@study(
    "advice",
    AdviceRecipe,
    _COLUMNS,
    title="How good is my model, and should I calibrate?",
    figures=_pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    without=("similarity",),
)
def advice(recipe: AdviceRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Answer how good a model is, whether to calibrate it, and which threshold to use."""
    if not set(calibrators) - {BASELINE}:
        raise InputError("name at least one calibrator to try, other than identity")
    asked = recipe.base()
    data = lab.data(asked)
    places, why_no_plain = _places(asked, data, lab)
    points = [point for place in places for point in place.each(calibrators=calibrators)]
    points.sort(key=lambda point: (point != point.plain, point.layers == PLAIN_LAYERS))
    linear_next = recipe.use == LINEAR or data.metric == ACCURACY.name
    _, *calibrated = of_asked = asked.each(calibrators=calibrators)
    own, second = own_output(asked, lab), recipe.second_model
    known = [other_output(asked, name) for name in known_models(asked, second, data)]
    others = [other_output(asked, name) for name in (second,) if name]
    grid = scored(
        [*points, own, *known, *others],
        lab,
        measure=linear_loss,
        measured=calibrated if linear_next else (),
    )
    (embedded,) = lab.embedded([asked])
    losses = {each.spec: grid.cells[each].measures for each in calibrated}
    rules = judged(embedded, {spec: loss for spec, loss in losses.items() if loss})
    board, of_own = (_fitted_board(asked, rows, grid) for rows in (points, of_asked))
    beside = models_board(grid, own, known, word_overlap(own, data, lab))
    pair = models_board(grid, own, others) if others else None
    if has_gold := data.targets is not None:
        calibrate, advised = by_scores(board, of_own, rules, linear_next=recipe.use == LINEAR)
    else:
        calibrate, advised = by_rules(rules, data)
    best = board.verdict(asked.dataset) if has_gold else None
    kept = best.best if best is not None and best.outcome is Outcome.GAIN else own
    (evaluation,) = lab.evaluations([kept])
    answers = [
        how_good(beside),
        *([a_or_b(pair)] if pair else []),
        calibrate,
        which_threshold(evaluation, board.rows.spoken(kept), lab),
    ]
    of_models = [*models_table(beside, Asked.GOOD)]
    of_models += models_table(pair, Asked.BETTER) if pair else []
    fits = [(each.calibrator, grid.cells[each].notes) for each in of_asked]
    return Result(
        [*beside_plain(board), *rules, *gains(of_own)] if has_gold else rules,
        [
            *_remarks(answers),
            *remarks_of(Kind.MISSING, why_no_plain),
            *remarks_of(Kind.METHOD, _of_tests(data) if has_gold else ""),
            *fit_remarks(fits, embedded.recipe),
        ],
        recipes=[recipe.with_(revision=embedded.recipe.revision)],
        tables=[*of_models, *(layers_table(board) if has_gold else [])],
        facts={
            "verdict": str(advised),
            "answers": [each.fact for each in answers],
            "unfitted": [each.calibrator for each in of_asked if not is_fitted(grid.cells[each])],
        },
    )


def stored_advice() -> Report:
    """Return the result that ships with the package: the plain output on the captions."""
    document = json.loads(resource("results/advice.json").read_text(encoding="utf-8"))
    columns = {Asked.GOOD: models_columns(RHO), TITLE: layers_columns(RHO)}
    tables = (Table(columns[title], rows, title) for title, rows in document["tables"].items())
    return replace(advice.read(document), tables=tuple(tables))


def _fitted_board(asked: Recipe, rows: Sequence[Recipe], grid: Grid) -> Board:
    """Return the scores of the rows whose fits had enough sentences."""
    fitted = tuple(row for row in rows if is_fitted(grid.cells[row]))
    return Board(EvaluateRecipe.of(asked), Rows(fitted), grid, {})


def _remarks(answers: Sequence[Answer]) -> list[Remark]:
    """Return every answer, then what there is to say beyond it."""
    short = (f"{each.question} {each.text}" for each in answers)
    long = (f"{each.question} {each.more}" for each in answers if each.more)
    return [*remarks_of(Kind.HEADLINE, *short), *remarks_of(Kind.ANSWER, *long)]


def linear_loss(evaluation: Evaluation) -> Mapping[str, float]:
    """Measure what a linear classifier can no longer use.

    With few rows a regression fits anything, so the scored sentences are added.
    """
    x = np.concatenate([evaluation.embedded.x_fit, evaluation.embedded.x_texts])
    return measure_linear_loss(evaluation.calibrator, x)


def _places(asked: Recipe, data: Texts, lab: Lab) -> tuple[list[Recipe], str]:
    """Return the recipes whose vectors are scored, and why there is no plain output, if so.

    They are the recipe's own and, with gold scores, every layer of its model and the plain output.
    """
    model = lab.encoder(asked).model
    if data.targets is None or not isinstance(model, ModelFolder):
        return [asked], ""
    longest = min(asked.max_length or Recipe.max_length, model.max_positions or 1 << 20)
    is_slow = isinstance(data, LabelledTexts)  # each row trains classifiers
    layers = range(model.n_layers + 1) if model.n_layers and not is_slow else ()
    every = [asked.with_(layers=f"layer:{k}", max_length=longest) for k in layers]
    return lab.with_plain([*dict.fromkeys([*every, asked])])


def _of_tests(data: Texts) -> str:
    return (
        f"The 95 % intervals are from a paired bootstrap of {data.n_units:,} "
        f"{metric_of(data.metric).unit}. Significance is at the 5 % level, Holm-adjusted over the "
        "rows of a table."
    )
