"""The report on a comparison: the wide table of the paper, and every fit as a record."""

from typing import Any

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.static import is_static
from bertflow_core.report import Report
from bertflow_core.studies.comparison.cell import Cell
from bertflow_core.studies.comparison.grid import Grid, Row
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.text_table import TextTable, percent

__all__ = ["comparison_report", "comparison_table", "finding", "scores_title"]

_LABELS = ("encoder", "calibrator")
_OF_THE_ROW = ("model", "revision", "layers", "tokens", "calibrator", "dataset", "seed")


def comparison_report(comparison: Comparison) -> Report:
    """Report the score of every row on every data set."""
    return Report(
        name="comparison",
        tables=lambda: (comparison_table(comparison),),
        records=lambda: _records(comparison),
        document=lambda: _document(comparison),
        remarks=_remarks(comparison),
        command=comparison.grid.to_command(),
    )


def scores_title(comparison: Comparison) -> str:
    """Say what the numbers of a comparison are: the metrics of its data sets."""
    return " or ".join(f"{metric.title} x 100" for metric in comparison.metrics)


def finding(comparison: Comparison) -> str:
    """Say in one sentence which row has the highest average; nothing where none has one."""
    averages = {row: comparison.average(row) for row in comparison.grid.rows}
    known = {row: value for row, value in averages.items() if value is not None}
    if not known:
        return ""
    best = max(known, key=lambda row: known[row])
    change = comparison.average_change(best)
    against = "" if change is None else f", {100 * change:+.2f} against its own baseline"
    datasets = ", ".join(comparison.grid.datasets)
    return f"{best} is highest on {datasets}: {percent(known[best])}{against}."


def comparison_table(comparison: Comparison) -> TextTable:
    """Return one row per row of the grid: scores x 100 with the paper's arrows, and the average."""
    datasets = comparison.grid.datasets
    several = len(datasets) > 1 and len(comparison.metrics) == 1
    rows = [
        (
            row.source,
            row.calibrator,
            *(_cell(comparison, row, dataset) for dataset in datasets),
            *([_marked(comparison.average(row), comparison.average_change(row))] * several),
            str(max(cell.rank_lost for cell in _fits(comparison, row))),
            _round_trip(comparison, row),
        )
        for row in comparison.grid.rows
    ]
    headings = map(comparison.heading, datasets)
    header = (*_LABELS, *headings, *(["average"] * several), "rank lost", "round trip")
    return TextTable(header, tuple(rows), _remarks(comparison), n_labels=2)


def _cell(comparison: Comparison, row: Row, dataset: str) -> str:
    return _marked(comparison.score(row, dataset), comparison.change(row, dataset))


def _marked(score: float | None, change: float | None) -> str:
    return f"{percent(score)} {_arrow(change)}".rstrip()


def _arrow(change: float | None) -> str:
    """Return Table 2's mark of a change against the row's own baseline."""
    if change is None or abs(change) < 5e-5:
        return ""
    return "▲" if change > 0 else "▼"


def _fits(comparison: Comparison, row: Row) -> list[Cell]:
    """Return the fits of a row on every data set."""
    return [cell for name in comparison.grid.datasets for cell in comparison.fits(row, name)]


def _round_trip(comparison: Comparison, row: Row) -> str:
    """Write the largest error of all fits; a dash where a map cannot be inverted."""
    errors = [cell.round_trip for cell in _fits(comparison, row)]
    known = [error for error in errors if error is not None]
    if len(known) < len(errors):
        return "-"
    return f"{max(known):.0e}" if max(known) else "0"


def _remarks(comparison: Comparison) -> tuple[str, ...]:
    """Say what the numbers depend on and how to read the columns."""
    grid = comparison.grid
    protocol = grid.protocol
    seeds = "" if grid.n_seeds == 1 else f"; random calibrators: mean of {grid.n_seeds} seeds"
    sizes = ", ".join(f"{name} {len(pairs):,}" for name, pairs in comparison.pairs.items())
    metrics = "; ".join(f"{each.title} x 100 {each.meaning}" for each in comparison.metrics)
    return (
        f"{metrics}, aggregation {protocol.aggregation}, split {protocol.split}; pairs: {sizes}.",
        f"Fitted on {protocol.fit_on}; {_encoding(grid)}; seed {protocol.seed}{seeds}.",
        "Arrows: change against identity on the same vectors. Rank lost: directions in which the "
        "sentences vary and which the map discards. Round trip: relative error of mapping there "
        "and back; a dash means that the map cannot be inverted. Both are the worst of a row's "
        "fits.",
    )


def _encoding(grid: Grid) -> str:
    """Say how sentences became vectors, and which rows have others."""
    protocol, own = grid.protocol, [model for model in grid.models if is_static(model)]
    if len(own) == len(grid.models):
        return "vectors as given"
    others = [f"rows of {model}: vectors as given" for model in own]
    others += [f"rows of {DECLARED}: as the model's folder declares"] * (DECLARED in grid.layers)
    apart = f" ({'; '.join(others)})" if others else ""
    return f"{protocol.pooling}, {protocol.length}{apart}, {protocol.dtype}"


def _records(comparison: Comparison) -> list[dict[str, Any]]:
    """Return one record per fit: its row, every aggregation, and its whole recipe."""
    return [
        _record(cell)
        for row in comparison.grid.rows
        for dataset in comparison.grid.datasets
        for cell in comparison.fits(row, dataset)
    ]


def _record(cell: Cell) -> dict[str, Any]:
    recipe, scores = cell.recipe, cell.scores
    values: dict[str, Any] = {name: getattr(recipe, name) for name in _OF_THE_ROW}
    values["n_pairs"] = scores.n_pairs
    for name, measure in scores.measures.items():
        values |= {f"{name}_{how}": getattr(measure, how) for how in ("all", "mean", "wmean")}
    values |= {
        "random_cosine": cell.random_cosine,
        "rank_lost": cell.rank_lost,
        "round_trip": cell.round_trip,
        "n_cut": cell.n_cut,
        "fitted_on": cell.fitted_on,
        "notes": " ".join(f"{note}." for note in cell.notes),
    }
    values |= {f"seconds_{stage}": seconds for stage, seconds in cell.seconds.items()}
    return values | recipe.columns()


def _document(comparison: Comparison) -> dict[str, Any]:
    """Return everything but the similarities, JSON-able."""
    cells = [
        cell.to_dict() | {"dataset": dataset}
        for (_, dataset), fits in comparison.cells.items()
        for cell in fits
    ]
    data = {name: pairs.provenance.to_dict() for name, pairs in comparison.pairs.items()}
    return {"grid": comparison.grid.to_dict(), "data": data, "cells": cells}
