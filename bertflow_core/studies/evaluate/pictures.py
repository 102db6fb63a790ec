"""The pictures of a grid: the rows of one data set with their intervals, or rows by data set."""

from collections.abc import Callable

from bertflow_core.encoders.given import short_names
from bertflow_core.evaluation import Comparison
from bertflow_core.figures import Figure, interval_forest, score_by_dataset
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.report import Pictures, Report
from bertflow_core.studies.evaluate.board import Board


def pictures(report: Report) -> Pictures:
    """Return the pictures for which there are scores."""
    board: Board = report.objects["board"]
    drawn: dict[str, Callable[[], Figure]] = {}
    if len(board.rows.models) > 1 and _between(board):
        drawn["between-models"] = lambda: _models(board)
    is_one = len(board.datasets) == 1
    every = [each for column in board.scores.values() for each in column.values()]
    # Three pairs have a score and no interval.
    if any((each.interval()[0] if is_one else each.value) is not None for each in every):
        drawn["scores"] = lambda: _intervals(board) if is_one else _by_dataset(board)
    return drawn


def _intervals(board: Board) -> Figure:
    """Draw the score of each row with its interval and letters, and the plain output as a line."""
    (column,) = board.columns
    scores = board.scores[column]
    known = {row: each for row, each in scores.items() if None not in each.interval()}
    letters, first = board.letters(column), board.rows.own_outputs[0]
    names = [row if isinstance(row, str) else board.rows.name(row) for row in known]
    lows, highs = zip(*(each.interval() for each in known.values()), strict=True)
    return interval_forest(
        names,
        [each.value or 0.0 for each in known.values()],
        lows,
        highs,
        title=board.metric(column).header,
        reference=scores[first].value,
        notes=[letters.get(name, "") for name in names],
    )


def _by_dataset(board: Board) -> Figure:
    """Draw the score of each row on each data set."""
    rows = board.rows.every
    return score_by_dataset(
        {
            board.rows.name(row): [board.scores[name][row].value for name in board.datasets]
            for row in rows
        },
        [board.heading(name) for name in board.datasets],
        [row.calibrator for row in rows],
        title=_title(board),
    )


def _between(board: Board) -> dict[tuple[Recipe, str], Comparison]:
    """Return the tested differences of each further model's own output from the first model's."""
    return {
        (row, column): each
        for column in board.columns
        for row, each in board.comparisons[column]["to_first"].items()
        if isinstance(row, Recipe) and each.p is not None
    }


def _models(board: Board) -> Figure:
    """Draw each further model's score minus the first's, a line for each data set."""
    found, names = _between(board), short_names(board.rows.models)
    first, *others = (names[model] for model in board.rows.models)
    one = len(others) == 1
    numbers = zip(*((e.shown or 0, e.low or 0, e.high or 0) for e in found.values()), strict=True)
    return interval_forest(
        [
            board.heading(column) if one else f"{names[row.model]}, {board.heading(column)}"
            for row, column in found
        ],
        *numbers,
        title=f"{_title(board)}<br>{others[0] if one else 'model'} minus {first}",
        reference=0.0,
        apart=[each.significant for each in found.values()],
    )


def _title(board: Board) -> str:
    return " or ".join(f"{metric.title} x 100" for metric in board.metrics)
