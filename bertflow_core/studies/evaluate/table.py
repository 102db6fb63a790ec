"""The tables of a grid: a row for each data set, or a column for each of several data sets."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from bertflow_core.evaluation import RANDOM_COSINE, RHO, V_MEASURE
from bertflow_core.evaluation.significance import summarize_seeds
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.evaluation import Scored
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.report.report import Column
from bertflow_core.studies.evaluate.axes import REFERENCES
from bertflow_core.studies.evaluate.board import AVERAGE, Board
from bertflow_core.text_table import TextTable
from bertflow_core.wording import percent

NO_LAYERS = "none"
"""What a report shows as vectors and layers of a lexical baseline, which has neither."""

_SPREAD = Column(
    "v_measure_spread", "spread", ".2f", "standard deviation over the starts of k-means", 100
)


def score_column(title: str) -> Column:
    """Return the column of scores."""
    return Column("score", title, ".2f", "95 % interval in brackets", times=100, ends=True)


def change_columns(key: str, label: str, name: str) -> tuple[Column, Column]:
    """Return the columns of the tested differences from the rows of this name."""
    return (
        Column(key, label, "+z.2f", f"difference from {name}", times=100),
        Column(f"{key}_p_holm", f"p ({key.removeprefix('to_')})", "p", "Holm-adjusted"),
    )


def columns(board: Board) -> tuple[Column, ...]:
    """Return the columns for people; some of them no row may have."""
    several = len(board.datasets) > 1
    title = "score x 100" if several else board.metrics[0].header
    tested = (change_columns(each.key, *each.of(board.rows)) for each in REFERENCES)
    return (
        *map(Column, ("model", "vectors", "template", "tokens")),
        Column("compared_by", "similarity"),
        Column("calibrator"),
        *([Column("dataset", "data set")] if several else []),
        score_column(title),
        Column("letters", help="rows that share a letter do not differ significantly"),
        *chain.from_iterable(tested),
        Column("r", "Pearson", ".2f", times=100),
        Column("seeds_sd", "sd", ".2f", "standard deviation over the seeds", times=100),
        *([_SPREAD] if V_MEASURE in board.metrics else []),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("rank_lost", help="dimensions of the data that the calibrator discards"),
        Column("round_trip", "", ".0e", "relative error of the calibrator's inverse (0: exact)"),
        Column("fit_seconds", "fit s", ".2f"),
    )


def rows_of(board: Board) -> Iterator[dict[str, Any]]:
    """Yield the row of each recipe and of each lexical baseline on each data set."""
    for column in board.columns:
        named = {} if column == AVERAGE else board.letters(column)
        for row in board.rows.every:
            name = board.rows.name(row)
            yield {
                **board.params.columns_of(row),
                **{"layers": row.layers, "calibrator": row.calibrator, "dataset": column},
                **({} if column == AVERAGE else _of_fits(board, board.cells(row, column))),
                **board.columns_of(row, column),
                **({"letters": named[name]} if name in named else {}),
            }
        for each in board.lexical.get(column, ()):
            yield {
                **{"vectors": NO_LAYERS, "layers": NO_LAYERS, "calibrator": each.spec},
                **each.to_dict(),
                **{"random_cosine": None, "fit_seconds": None},
                **_of_pairs(board, each),
                **board.columns_of(each.spec, column),
            }


def _of_fits(board: Board, cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what is known of a row's fits: of the first one, and the scores by seed."""
    first = cells[0]
    fit = {**first.to_dict(), **first.measures, "notes": " ".join(f"{n}." for n in first.notes)}
    fit |= {"fit_seconds": first.document.get("seconds", {}).get("fit")}
    fit |= {"r": first.measure("pearson")} if first.metric is RHO else {}
    known = [cell.score for cell in cells if cell.score is not None]
    if len(cells) > 1:
        fit["by_seed"] = {str(cell.recipe.seed): cell.score for cell in cells}
        fit["seeds_sd"] = summarize_seeds(known).sd if len(known) > 1 else None
    return fit | _of_pairs(board, first)


def _of_pairs(board: Board, fit: Scored) -> dict[str, Any]:
    if not board.params.pairs:
        return {}
    is_known = not np.isnan(fit.unit_values).any()
    return {"similarity": np.round(fit.unit_values, 6).tolist() if is_known else None}


def wide_table(board: Board) -> TextTable:
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


def _cell(board: Board, row: Recipe, column: str) -> str:
    change = board.comparisons[column]["change"].get(row)
    mark = "" if change is None else change.mark
    return f"{percent(board.scores[column][row].value)} {mark}".strip()


def _to_plain(board: Board, row: Recipe) -> str:
    changes = (board.comparisons[column]["to_plain"].get(row) for column in board.summary)
    return ", ".join(f"{each.text(times=100)} {each.mark}" for each in changes if each is not None)
