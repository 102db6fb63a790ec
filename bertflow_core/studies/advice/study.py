"""Should I calibrate? The verdict on every layer and calibrator, and four rules without labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS
from bertflow_core.datasets import LabelledTexts, Texts
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import InputError
from bertflow_core.evaluation import ACCURACY, metric_of
from bertflow_core.figures import Figure, interval_forest
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.grid import scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.verdict import Outcome
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.studies.advice.findings import judged
from bertflow_core.studies.advice.measures import measure_linear_loss
from bertflow_core.studies.advice.rules import Advice, Question, worst_of
from bertflow_core.studies.advice.scores import (
    OF_OUTCOME,
    beside_plain,
    gains,
    layers_figure,
    layers_table,
)
from bertflow_core.studies.evaluate.axes import EvaluateRecipe, Rows
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.wording import change_text

LINEAR = "classifier"

_WITHOUT_LABELS = {
    Advice.GO: (
        "Probably: nothing here argues against calibrating.",
        "Calibrate: no finding speaks against it.",
    ),
    Advice.CAUTION: ("Perhaps: calibrate with care.", "Calibrate with care: see {}."),
    Advice.STOP: (
        "No: keep the vectors as they are.",
        "Do not calibrate under these conditions: see {}.",
    ),
}
"""The headline and the answer for pairs without gold scores."""

_OF_CLASSIFIER = "These scores do not cover a linear classifier: give it the uncalibrated vectors."


@dataclass(frozen=True, kw_only=True)
class AdviceRecipe(Recipe):
    """The choices that decide whether calibrating is worth it."""

    use: str = param(
        "cosine",
        "What the vectors are for: comparison by cosine, or features of a linear classifier.",
        choices=("cosine", LINEAR),
        title="The vectors are for",
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


def _pictures(report: Report) -> Pictures:
    tested = [row for row in gains_of(report) if row["low"] is not None]
    drawn: Pictures = {"places": partial(layers_figure, report.tables[0])} if report.tables else {}
    return {**drawn, "gains": partial(_gains_figure, tested)} if tested else drawn


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
    title="Should I calibrate?",
    figures=_pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    without=("similarity",),
)
def advice(recipe: AdviceRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Check whether calibrating a recipe's vectors is worth it."""
    if not set(calibrators) - {BASELINE}:
        raise InputError("name at least one calibrator to try, other than identity")
    asked = recipe.base()
    data = lab.data(asked)
    places, why_no_plain = _places(asked, data, lab)
    points = [point for place in places for point in place.each(calibrators=calibrators)]
    points.sort(key=lambda point: (point != point.plain, point.layers == PLAIN_LAYERS))
    linear_next = recipe.use == LINEAR or data.metric == ACCURACY.name
    _, *calibrated = own = asked.each(calibrators=calibrators)
    grid = scored(points, lab, measure=linear_loss, measured=calibrated if linear_next else ())
    (embedded,) = lab.embedded([asked])
    losses = {each.spec: grid.cells[each].measures for each in calibrated}
    rules = judged(embedded, {spec: loss for spec, loss in losses.items() if loss})
    board, of_own = (
        Board(EvaluateRecipe.of(asked), Rows(tuple(rows)), grid, {}) for rows in (points, own)
    )
    if has_gold := data.targets is not None:
        headline, advised, text = _answer(board, of_own, rules, linear_next=recipe.use == LINEAR)
    else:
        headline, advised, text = _without_gold(rules, data)
    fits = ((each.calibrator, grid.cells[each].notes) for each in own)
    return Result(
        [*beside_plain(board), *rules, *gains(of_own)] if has_gold else rules,
        [
            *remarks_of(Kind.HEADLINE, headline),
            *remarks_of(Kind.ANSWER, text),
            *remarks_of(Kind.MISSING, why_no_plain),
            *remarks_of(Kind.METHOD, _of_tests(data) if has_gold else ""),
            *fit_remarks(fits, embedded.recipe),
        ],
        recipes=[recipe.with_(revision=embedded.recipe.revision)],
        tables=layers_table(board) if has_gold else [],
        facts={"verdict": str(advised)},
    )


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


def _answer(
    every: Board, of_own: Board, rules: Sequence[Row], *, linear_next: bool
) -> tuple[str, Advice, str]:
    """Return the headline, the verdict and the answer in sentences."""
    (dataset,), name = every.datasets, every.rows.spoken
    best, own = (board.verdict(dataset) for board in (every, of_own))
    if best is None and (few := every.too_few(dataset)):
        return "Too little data to say.", Advice.NEUTRAL, few
    if best is None:
        text = "No layer and no calibrator has another score."
        return f"No: keep {name(every.rows.every[0])}.", Advice.CAUTION, text
    text, advised = every.sentence(best, dataset), OF_OUTCOME[best.outcome]
    if best.outcome is Outcome.TOO_FEW:
        return "Too little data to say.", advised, f"{text} The checks below need no gold scores."
    if own is not None:
        if own != best:
            text += f" {of_own.sentence(own, dataset)}"
        warned = "; ".join(f'"{row["question"]}"' for row in rules if _warns(row, linear_next))
        of_rules = f"warn: see {warned}" if warned else "find nothing against calibrating"
        text += f" The rules below, which use no labels, {of_rules}. Measured scores count more."
    if linear_next:
        text += f" {_OF_CLASSIFIER}"
        of_linear = next(row["verdict"] for row in rules if row["question"] == Question.LINEAR)
        advised = worst_of(advised, of_linear)
    if best.outcome is not Outcome.GAIN:
        return f"No: keep {name(best.reference)}.", advised, text
    gain = f"{name(best.best)}, {100 * (best.change.difference or 0):+.1f}"
    is_plain = best.best.calibrator == BASELINE
    if is_plain:  # another layer is better, and no calibrator
        return f"No: use {gain}.", Advice.CAUTION, text
    return f"Yes: {gain}.", advised, text


def _warns(row: Row, linear_next: bool) -> bool:
    """Tell whether a rule warns; that for a classifier counts if one will use the vectors."""
    applies = linear_next or row["question"] != Question.LINEAR
    return applies and Advice(row["verdict"]) in (Advice.CAUTION, Advice.STOP)


def _without_gold(rules: Sequence[Row], data: Texts) -> tuple[str, Advice, str]:
    """Return the headline, the verdict and the answer that follow from the rules alone."""
    worst = worst_of(Advice.GO, *(r["verdict"] for r in rules if r["verdict"] != Advice.NEUTRAL))
    reasons = [row["question"] for row in rules if row["verdict"] == worst]
    of_size = worst is Advice.STOP and reasons == [Question.SIZE]  # which is about whitening only
    worst = Advice.CAUTION if of_size else worst
    headline, text = _WITHOUT_LABELS[worst]
    if of_size:
        text = "Do not whiten on so few sentences; other calibrators need fewer."
    named = "; ".join(f'"{question}"' for question in reasons)
    return (
        headline,
        worst,
        f"{data.name} has no gold scores, so nothing can be scored. {text.format(named)} A few "
        "hundred pairs with gold scores would measure the gain.",
    )
