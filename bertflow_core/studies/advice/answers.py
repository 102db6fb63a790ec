"""The four answers of the check, each one short sentence with the numbers that it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Pairs, Texts
from bertflow_core.encoders.catalog import folder_here
from bertflow_core.encoders.given import short_names
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RHO, Metric
from bertflow_core.evaluation.comparison import compare_to
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.grid import Grid
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.report import Column, Row, Table
from bertflow_core.studies.evaluate.axes import EvaluateRecipe, Rows
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.studies.evaluate.table import score_column
from bertflow_core.studies.lexical_baselines import LexicalResult, lexical_results
from bertflow_core.studies.published import numbers_beside
from bertflow_core.studies.thresholds import ThresholdRecipe, rule_text, threshold_rule
from bertflow_core.wording import percent

REFERENCES = ("minilm", "all-mpnet-base")
"""Known encoders that a model is compared with, as far as they are on this machine."""

WORD_OVERLAP = "lexical-jaccard"
"""The baseline that counts shared words, which the answers call word overlap."""

_MOST_PUBLISHED = 3
_TESTED = ("low", "high", "p")


class Asked(StrEnum):
    """The four questions."""

    GOOD = "How good?"
    BETTER = "A or B?"
    CALIBRATE = "Calibrate?"
    THRESHOLD = "Which threshold?"


@dataclass(frozen=True)
class Answer:
    """An answer of at most 15 words and two numbers."""

    question: Asked
    text: str
    more: str = ""  # sentences with intervals and tests
    numbers: Mapping[str, Any] = field(default_factory=dict)  # plain values

    @property
    def fact(self) -> Row:
        """The answer as plain values."""
        return {"question": str(self.question), "text": self.text, **self.numbers}


def own_output(recipe: Recipe, lab: Lab) -> Recipe:
    """Return the recipe of the model as it is: its plain output, if it has a usable one."""
    own = recipe.with_(calibrator=BASELINE)
    return own if own.layers == PLAIN_LAYERS else lab.with_plain([own])[0][0]


def other_output(recipe: Recipe, model: str) -> Recipe:
    """Return the recipe of another model as it is, on the same data."""
    own = recipe.plain or recipe.with_(calibrator=BASELINE)
    return own.with_(model=model, revision=None)


def known_models(recipe: Recipe, second: str | None, data: Texts) -> list[str]:
    """Return the reference models that can score the data of a recipe."""
    if data.targets is None or not recipe.source.has_words:
        return []
    others = (name for name in REFERENCES if name not in (recipe.model, second))
    return [name for name in others if folder_here(name) is not None]


def word_overlap(own: Recipe, data: Texts, lab: Lab) -> list[LexicalResult]:
    """Return the scores of word overlap; none without pairs that are scored, or a tokenizer."""
    if not own.source.has_layers or not isinstance(data, Pairs) or data.targets is None:
        return []
    return [each for each in lexical_results(own, lab) if each.spec == WORD_OVERLAP]


def models_board(
    grid: Grid, own: Recipe, others: Sequence[Recipe], overlap: Sequence[LexicalResult] = ()
) -> Board:
    """Return the scores of a model beside others and beside word overlap."""
    rows = Rows((own, *others))
    return Board(EvaluateRecipe.of(own), rows, grid, {own.dataset: overlap})


def how_good(board: Board) -> Answer:
    """Compare a model's score with the highest of the known ones."""
    (name,), own = board.datasets, board.rows.every[0]
    scores, metric = board.scores[name], board.metric(name)
    known = scores[own].columns
    if board.data(name).targets is None:
        return Answer(Asked.GOOD, "Without gold scores or labels, nothing can be scored.")
    if known["score"] is None:
        return Answer(Asked.GOOD, "There is no score: see the notes on the fits.")
    if few := board.too_few(name):
        return Answer(Asked.GOOD, f"Too few {metric.unit} to say.", few, known)
    changes = compare_to(own, scores)
    rows = [each for each in changes if scores[each].value is not None]
    text = f"It scores {percent(scores[own].value)}"
    about = f"{metric.header} of {_named(board, own)} on {board.data(name).title}: "
    about += ", ".join(_with_interval(board, row, name) for row in (own, *rows)) + "."
    if not rows:
        return Answer(Asked.GOOD, f"{text}.", about, known)
    best = max(rows, key=lambda row: scores[row].value or 0)
    change, value = changes[best], percent(scores[best].value)
    relation = "not significantly different from"
    if change.significant:
        is_more = (change.difference or 0) < 0  # the change is of the other row
        relation = f"significantly {'more' if is_more else 'less'} than"
    text += f", {relation} {_named(board, best)} with {value}."
    numbers = {**known, "reference": _named(board, best), "reference_score": scores[best].value}
    return Answer(Asked.GOOD, text, about, numbers)


def _named(board: Board, row: Recipe | str) -> str:
    if isinstance(row, str):
        return "word overlap"
    return short_names(board.rows.models)[row.model]


def _with_interval(board: Board, row: Recipe | str, name: str) -> str:
    low, high = board.scores[name][row].interval()
    ends = "" if low is None else f" ({percent(low)} to {percent(high)})"
    return f"{_named(board, row)} {percent(board.scores[name][row].value)}{ends}"


def models_table(board: Board, question: Asked) -> list[Table]:
    """Return a table of the scores of models; none if the first has no score."""
    (name,), own = board.datasets, board.rows.every[0]
    scored = {row: each for row, each in board.scores[name].items() if each.value is not None}
    if own not in scored:
        return []
    rows: list[Row] = [
        {"name": _named(board, row), "source": "measured here", **each.columns}
        for row, each in scored.items()
    ]
    if question is Asked.GOOD:
        rows += _published(name, own, board.cells(own, name)[0].about["fitted"])
    return [Table(models_columns(board.metric(name)), rows, str(question))]


def models_columns(metric: Metric) -> tuple[Column, ...]:
    """Return the columns of a table of models."""
    return Column("name", "model"), score_column(metric.header), Column("source")


def _published(name: str, own: Recipe, fitted_on: str) -> list[Row]:
    """Return the highest published scores of different methods under the same protocol."""
    every = numbers_beside(name, own, fitted_on)
    rows = {row["method"]: row for row in every if not row["why not comparable"]}
    return [
        {"name": method, "source": row["source"], "score": row["value"] / 100}
        for method, row in [*rows.items()][:_MOST_PUBLISHED]
    ]


def a_or_b(board: Board) -> Answer:
    """Compare the two models of a board: one test of one pair."""
    (name,) = board.datasets
    scores = {
        key: board.scores[name][row].value for key, row in zip("ab", board.rows.every, strict=True)
    }
    if None in scores.values():
        return Answer(Asked.BETTER, "Without scores, the models cannot be compared.")
    if few := board.too_few(name):
        return Answer(Asked.BETTER, f"Too few {board.metric(name).unit} to say.", few, scores)
    found = board.between_models(name)
    if not found:
        return Answer(Asked.BETTER, f"Both score {percent(scores['a'])}.", numbers=scores)
    change = found[0].change
    numbers = {"difference": change.shown, **{key: getattr(change, key) for key in _TESTED}}
    text = found[0].headline(board.metric(name), board.rows.short)
    return Answer(Asked.BETTER, text, board.sentence(found[0], name), {**scores, **numbers})


def which_threshold(evaluation: Evaluation, spoken: str, lab: Lab) -> Answer:
    """Return the threshold for use of the vectors that are kept."""
    recipe = ThresholdRecipe(**evaluation.recipe.to_dict())
    try:
        rule = threshold_rule(evaluation, recipe, lab)
    except InputError as error:
        return Answer(Asked.THRESHOLD, "No threshold can be set.", f"{error}.")
    about = f"The threshold is for {spoken}"
    if "precision" in rule:
        alike = f"pairs with a gold score of at least {recipe.alike:.0%} of the scale"
        is_graded = evaluation.embedded.data.metric == RHO.name
        about += f", and has the highest F1; alike are {alike if is_graded else 'matching pairs'}"
    return Answer(Asked.THRESHOLD, rule_text(rule), f"{about}.", rule)
