"""The report on a comparison: the wide table of the paper, and every fit as a record."""

from dataclasses import asdict
from typing import Any

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.encoders.static import is_static
from bertflow_core.old_report import Report
from bertflow_core.remarks import TRANSDUCTIVE, why_unscored
from bertflow_core.studies.comparison.arrows import ALPHA, AVERAGE, Arrow, Arrows
from bertflow_core.studies.comparison.cell import Cell
from bertflow_core.studies.comparison.grid import Grid, Row
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.text_table import TextTable, change_text, percent
from bertflow_core.wording import counted

__all__ = ["comparison_report", "comparison_table", "finding", "scores_title", "unproven"]

_LABELS = ("encoder", "calibrator")
_UNPROVEN = "not significant"
_AFTER = ("rank lost", "round trip")
_OF_THE_ROW = ("model", "revision", "layers", "tokens", "calibrator", "dataset", "seed")


def comparison_report(comparison: Comparison, arrows: Arrows) -> Report:
    """Report the score of every row on every data set, and which changes are larger than noise."""
    return Report(
        name="comparison",
        tables=lambda: (comparison_table(comparison, arrows),),
        records=lambda: _records(comparison, arrows),
        document=lambda: _document(comparison, arrows),
        remarks=_remarks(comparison, arrows),
        command=comparison.grid.to_command(),
    )


def scores_title(comparison: Comparison) -> str:
    """Say what the numbers of a comparison are: the metrics of its data sets."""
    return " or ".join(f"{metric.title} x 100" for metric in comparison.metrics)


def finding(comparison: Comparison, arrows: Arrows) -> str:
    """Say in one sentence which row has the highest average; nothing where none has one."""
    averages = {row: comparison.average(row) for row in comparison.grid.rows}
    known = {row: value for row, value in averages.items() if value is not None}
    if not known:
        return ""
    best = max(known, key=lambda row: known[row])
    base = comparison.average(best.baseline)
    against = (
        ""
        if base is None or best == best.baseline
        else f", {change_text(base, known[best])} against {best.baseline.calibrator} on the same "
        "vectors"
    )
    names = comparison.grid.datasets
    arrow = arrows.get(best, AVERAGE if len(names) > 1 else names[0])
    if arrow is not None and not arrow.significant:
        against += " (not significant)"
    datasets = ", ".join(names)
    return f"{best} is highest on {datasets}: {percent(known[best])}{against}."


def comparison_table(comparison: Comparison, arrows: Arrows) -> TextTable:
    """Return one row per row of the grid: scores x 100 with the paper's arrows, and the average.

    An arrow whose change is not significant stands in parentheses, and its column is named where
    there is such an arrow.
    """
    datasets = comparison.grid.datasets
    in_parentheses = len(arrows.tested) > arrows.n_significant
    several = len(datasets) > 1 and len(comparison.metrics) == 1
    rows = [
        (
            row.source,
            row.calibrator,
            *(_marked(comparison.score(row, name), arrows.get(row, name)) for name in datasets),
            *([_marked(comparison.average(row), arrows.get(row, AVERAGE))] * several),
            *([", ".join(unproven(comparison, arrows, row))] * in_parentheses),
            str(max(cell.rank_lost for cell in _fits(comparison, row))),
            _round_trip(comparison, row),
        )
        for row in comparison.grid.rows
    ]
    headings = map(comparison.heading, datasets)
    header = (
        *_LABELS,
        *headings,
        *(["average"] * several),
        *([_UNPROVEN] * in_parentheses),
        *_AFTER,
    )
    return TextTable(header, tuple(rows), _remarks(comparison, arrows), n_labels=2)


def unproven(comparison: Comparison, arrows: Arrows, row: Row) -> tuple[str, ...]:
    """Return the columns in which a row's change from its own baseline is not significant."""
    columns = {name: arrows.get(row, name) for name in comparison.grid.datasets}
    named = {**columns, "average": arrows.get(row, AVERAGE)}
    return tuple(name for name, arrow in named.items() if arrow and not arrow.significant)


def _marked(score: float | None, arrow: Arrow | None) -> str:
    """Write a score with Table 2's mark of its change from the row's own baseline."""
    if arrow is None:
        return percent(score)
    mark = "▲" if arrow.change > 0 else "▼"
    return f"{percent(score)} {mark if arrow.significant else f'({mark})'}"


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


def _remarks(comparison: Comparison, arrows: Arrows) -> tuple[str, ...]:
    """Say what the numbers depend on and how to read the columns."""
    grid = comparison.grid
    protocol = grid.protocol
    seeds = "" if grid.n_seeds == 1 else f"; random calibrators: mean of {grid.n_seeds} seeds"
    sizes = ", ".join(f"{name} {pairs.size}" for name, pairs in comparison.pairs.items())
    metrics = "; ".join(f"{each.title} x 100 {each.meaning}" for each in comparison.metrics)
    return (
        f"{metrics}, aggregation {protocol.aggregation}, split {protocol.split}; {sizes}.",
        f"Fitted on {protocol.fit_on}{_transductive(comparison)}; {_encoding(grid)}; seed "
        f"{protocol.seed}{seeds}.",
        *_unscored(comparison),
        *([_arrows_remark(arrows)] if arrows.tested else []),
        "Rank lost: directions in which the sentences vary and which the map discards. Round trip: "
        "relative error of mapping there and back; a dash where the map drops directions, so that "
        "there is no way back. Where there is a dash although no rank is lost, the sentences do "
        "not vary in the dropped directions. Both are the worst of a row's fits.",
    )


def _unscored(comparison: Comparison) -> list[str]:
    """Say why data sets have no scores, and of which it is said where there are several."""
    several = len(comparison.pairs) > 1
    return [
        f"{name}: {why_unscored(pairs)}" if several else why_unscored(pairs)
        for name, pairs in comparison.pairs.items()
        if pairs.judged is None
    ]


def _arrows_remark(arrows: Arrows) -> str:
    n_tested, n_proven = len(arrows.tested), arrows.n_significant
    others = ", those in parentheses are not" if n_proven < n_tested else ""
    return (
        "Arrows: change against identity on the same vectors, each tested by "
        f"{arrows.n_draws:,} resamples of the pairs, Holm over {counted(n_tested, 'arrow')}; "
        f"{n_proven} {'is' if n_proven == 1 else 'are'} significant (5 %){others}."
    )


def _transductive(comparison: Comparison) -> str:
    """Name the data sets whose scored sentences are among those fitted on."""
    row, datasets = comparison.grid.rows[0], comparison.grid.datasets
    seen = [
        name
        for name in datasets
        if any(TRANSDUCTIVE in cell.fitted_on for cell in comparison.fits(row, name))
    ]
    where = "" if len(seen) == len(datasets) else f" on {', '.join(seen)}"
    return f" (transductive{where}: scored sentences are among them)" if seen else ""


def _encoding(grid: Grid) -> str:
    """Say how sentences became vectors, and which rows have others."""
    protocol, static = grid.protocol, [model for model in grid.models if is_static(model)]
    others = [f"rows of {model}: {protocol.with_(model=model).pooling}" for model in static]
    if len(static) == len(grid.models):
        return "; ".join(others)
    if grid.declared is not None:
        declared = grid.recipes(grid.declared, protocol.dataset)[0]
        others.append(f"rows of {DECLARED}: {declared.pooling}")
    apart = f" ({'; '.join(others)})" if others else ""
    return f"{protocol.pooling}, {protocol.length}{apart}, {protocol.precision}"


def _records(comparison: Comparison, arrows: Arrows) -> list[dict[str, Any]]:
    """Return one record per fit: its row, every aggregation, its row's change, its whole recipe."""
    return [
        _record(cell, arrows.get(row, dataset))
        for row in comparison.grid.rows
        for dataset in comparison.grid.datasets
        for cell in comparison.fits(row, dataset)
    ]


def _record(cell: Cell, arrow: Arrow | None) -> dict[str, Any]:
    recipe, scores = cell.recipe, cell.scores
    values: dict[str, Any] = {name: getattr(recipe, name) for name in _OF_THE_ROW}
    values["n_pairs"] = scores.n_pairs
    for name, measure in scores.measures.items():
        values |= {f"{name}_{how}": getattr(measure, how) for how in ("all", "mean", "wmean")}
    values |= {
        "change": None if arrow is None else arrow.change,
        "change_p_holm": None if arrow is None else arrow.p_adjusted,
        "change_significant": None if arrow is None else arrow.significant,
        "random_cosine": cell.random_cosine,
        "rank_lost": cell.rank_lost,
        "round_trip": cell.round_trip,
        "n_cut": cell.n_cut,
        "fitted_on": cell.fitted_on,
        "notes": " ".join(f"{note}." for note in cell.notes),
    }
    values |= {f"seconds_{stage}": seconds for stage, seconds in cell.seconds.items()}
    return values | recipe.columns()


def _document(comparison: Comparison, arrows: Arrows) -> dict[str, Any]:
    """Return everything but the similarities, JSON-able."""
    cells = [
        cell.to_dict() | {"dataset": dataset}
        for (_, dataset), fits in comparison.cells.items()
        for cell in fits
    ]
    data = {name: pairs.provenance.to_dict() for name, pairs in comparison.pairs.items()}
    changes = [
        {"row": str(row), "dataset": dataset or "average", **asdict(arrow)}
        for (row, dataset), arrow in arrows.tested.items()
    ]
    tested = {"n_draws": arrows.n_draws, "alpha": ALPHA, "changes": changes}
    return {"grid": comparison.grid.to_dict(), "data": data, "cells": cells, "arrows": tested}
