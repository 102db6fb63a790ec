"""The table of several data sets: a line for each row of the grid, a column for each data set."""

from typing import TYPE_CHECKING

from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.text_table import TextTable
from bertflow_core.wording import percent

if TYPE_CHECKING:
    from bertflow_core.studies.evaluate.board import Board


def wide_table(board: "Board") -> TextTable:
    """Return scores x 100 with the paper's arrows for the change from the uncalibrated vectors.

    Arrows of changes that are not significant are in parentheses. The last column has the
    differences from the plain output, on average or by data set.
    """
    columns = board.columns
    header = ("row", *map(board.heading, columns), f"to {PLAIN}")
    lines = []
    for row in board.rows.every:
        cells = [_cell(board, row, column) for column in columns]
        lines.append((board.rows.name(row), *cells, _to_plain(board, row)))
    return TextTable(header, tuple(lines), n_labels=1)


def _cell(board: "Board", row: Recipe, column: str) -> str:
    change = board.comparisons[column]["change"].get(row)
    mark = "" if change is None else change.mark
    return f"{percent(board.scores[column][row].value)} {mark}".strip()


def _to_plain(board: "Board", row: Recipe) -> str:
    changes = (board.comparisons[column]["to_plain"].get(row) for column in board.summary)
    return ", ".join(f"{each.text(times=100)} {each.mark}" for each in changes if each is not None)
