"""Is calibrating worth it? By the scores or, without gold scores, by the rules alone."""

from collections.abc import Sequence

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Texts
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.verdict import Outcome
from bertflow_core.report.report import Row
from bertflow_core.studies.advice.answers import Answer, Asked
from bertflow_core.studies.advice.rules import Advice, Question, worst_of
from bertflow_core.studies.advice.scores import OF_OUTCOME
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.wording import FIT_ON_MORE, percent

SOLVED = 0.99
"""The score from which a calibrator has no room, unless it gains significantly."""

_OF_CLASSIFIER = "These scores do not cover a linear classifier: give it the uncalibrated vectors."


def is_fitted(cell: Cell) -> bool:
    """Tell whether a fit had enough sentences, so that its score means something."""
    is_raw = cell.recipe.calibrator == BASELINE
    return is_raw or not any(FIT_ON_MORE in note for note in cell.notes)


def by_scores(
    every: Board, of_own: Board, rules: Sequence[Row], *, linear_next: bool
) -> tuple[Answer, Advice]:
    """Answer by the scores of every layer and calibrator, and return the verdict."""
    (dataset,), name = every.datasets, every.rows.spoken
    best, own = (board.verdict(dataset) for board in (every, of_own))
    if few := every.too_few(dataset):
        metric = every.metric(dataset)
        return _answered(f"Too few {metric.unit} to say.", few), Advice.NEUTRAL
    first = every.rows.every[0]
    before = every.scores[dataset][first].value or 0.0
    no_room = f"No: there is no room above {percent(before)}."
    if len(of_own.rows.every) == 1:  # no calibrator had enough sentences
        remedy = ": fit on captions" if first.source.has_words else ""
        return _answered(f"Too few sentences to fit on{remedy}.", ""), Advice.NEUTRAL
    if best is None:
        more = "No layer and no calibrator has another score."
        text = no_room if before >= SOLVED else f"No: keep {name(first)}."
        return _answered(text, more), Advice.CAUTION
    more, advised = every.sentence(best, dataset), OF_OUTCOME[best.outcome]
    if own is not None and own.best != best.best:
        more += f" {of_own.sentence(own, dataset)}"
    warned = "; ".join(f'"{row["question"]}"' for row in rules if _warns(row, linear_next))
    of_rules = f"warn: see {warned}" if warned else "find nothing against calibrating"
    more += f" The rules below, which use no labels, {of_rules}. Measured scores count more."
    if linear_next:
        more += f" {_OF_CLASSIFIER}"
        of_linear = next(row["verdict"] for row in rules if row["question"] == Question.LINEAR)
        advised = worst_of(advised, of_linear)
    numbers = {key: getattr(best.change, key) for key in ("before", "after", "low", "high")}
    if best.outcome is not Outcome.GAIN:
        text = no_room if before >= SOLVED else f"No: keep {name(best.reference)}."
        return _answered(text, more, **numbers), advised
    gain = f"{every.rows.short(best.best)}, {100 * (best.change.difference or 0):+.1f}"
    if best.best.calibrator == BASELINE:  # another layer is better, and no calibrator
        return _answered(f"No: use {gain}.", more, **numbers), Advice.CAUTION
    return _answered(f"Yes: {gain}.", more, **numbers), advised


def _answered(text: str, more: str, **numbers: float | None) -> Answer:
    return Answer(Asked.CALIBRATE, text, more, numbers)


def _warns(row: Row, linear_next: bool) -> bool:
    """Tell whether a rule warns; that for a classifier counts if one will use the vectors."""
    applies = linear_next or row["question"] != Question.LINEAR
    return applies and Advice(row["verdict"]) in (Advice.CAUTION, Advice.STOP)


def by_rules(rules: Sequence[Row], data: Texts) -> tuple[Answer, Advice]:
    """Answer without gold scores: only a clear cone is a reason to calibrate."""
    worst = worst_of(Advice.GO, *(r["verdict"] for r in rules if r["verdict"] != Advice.NEUTRAL))
    reasons = [row["question"] for row in rules if row["verdict"] == worst]
    named = "; ".join(f'"{question}"' for question in reasons)
    more = (
        f"{data.name} has no gold scores, so nothing can be scored. A few hundred pairs with gold "
        "scores would measure the gain."
    )
    if Question.CONE in [r["question"] for r in rules if r["verdict"] in _AGAINST]:
        return _answered("No: there is no clear cone to correct.", more), Advice.STOP
    if worst is Advice.GO:
        return _answered("Probably: there is a cone, and nothing speaks against it.", more), worst
    if worst is Advice.STOP and reasons == [Question.SIZE]:  # which is about whitening only
        more = f"Do not whiten on so few sentences; other calibrators need fewer. {more}"
        return _answered("Perhaps, but not by whitening.", more), Advice.CAUTION
    text = "No: keep the vectors as they are." if worst is Advice.STOP else "Perhaps, with care."
    return _answered(text, f"See {named}. {more}"), worst


_AGAINST = (Advice.CAUTION, Advice.STOP)
