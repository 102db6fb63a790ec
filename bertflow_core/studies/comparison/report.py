"""The report on a comparison: the wide table of the paper, and a row for every fit."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from bertflow_core.encoders.given import source_of
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.figures import Figure, score_by_dataset
from bertflow_core.remarks import TRANSDUCTIVE, why_unscored
from bertflow_core.report import Pictures, Report
from bertflow_core.studies.comparison.cells import Cell
from bertflow_core.studies.comparison.grid import AVERAGE, Grid, Row
from bertflow_core.studies.comparison.measure import Comparison
from bertflow_core.studies.comparison.significance import ALPHA, Arrow, Arrows
from bertflow_core.text_table import TextTable, change_text, percent
from bertflow_core.wording import counted

_OF_A_FIT = ("model", "revision", "layers", "tokens", "calibrator", "dataset", "seed")
_OF_THE_ROWS = (*_OF_A_FIT, "max_length", "prompt", "truncate_dim")


def comparison_report(comparison: Comparison, arrows: Arrows) -> Report:
    """Report the score of every row on every data set, and which changes are larger than noise.

    An arrow whose change is not significant stands in parentheses, and its column is named where
    there is such an arrow.
    """
    changes = [
        {"row": str(row), "dataset": dataset or "average", **asdict(arrow)}
        for (row, dataset), arrow in arrows.tested.items()
    ]
    remarks = tuple(_remarks(comparison, arrows))
    return Report(
        name="comparison",
        params=comparison.grid.protocol.without(*_OF_THE_ROWS),
        columns=(),
        rows=[
            _record(cell, arrows.get(row, dataset))
            for (row, dataset), fits in comparison.cells.items()
            for cell in fits
        ],
        title=comparison.scores_title,
        remarks=remarks,
        command=comparison.grid.to_command(),
        facts={
            "grid": comparison.grid.to_dict(),
            "data": {name: each.provenance.to_dict() for name, each in comparison.pairs.items()},
            "arrows": {"n_draws": arrows.n_draws, "alpha": ALPHA, "changes": changes},
        },
        live={"comparison": comparison},
        draw=_pictures,
        face=_wide_table(comparison, arrows, remarks),
    )


def _record(cell: Cell, arrow: Arrow | None) -> dict[str, Any]:
    """Return a fit: its row, every aggregation, its row's change, its whole recipe."""
    values = cell.to_dict()
    return {
        **{name: values["recipe"][name] for name in _OF_A_FIT},
        **values.pop("scores"),
        "change": None if arrow is None else arrow.change,
        "change_p_holm": None if arrow is None else arrow.p_adjusted,
        "change_significant": None if arrow is None else arrow.significant,
        **values,
        "notes": " ".join(f"{note}." for note in cell.notes),
    }


def _pictures(report: Report) -> Pictures:
    return {"by-dataset": partial(_figure, report.live["comparison"])}


def _figure(comparison: Comparison) -> Figure:
    """Draw the score of each row on each data set."""
    rows, datasets = comparison.grid.rows, comparison.grid.datasets
    return score_by_dataset(
        {str(row): [comparison.score(row, name) for name in datasets] for row in rows},
        [comparison.heading(name) for name in datasets],
        [row.calibrator for row in rows],
        title=comparison.scores_title,
    )


def finding(comparison: Comparison, arrows: Arrows) -> str:
    """Say in one sentence which row has the highest average; nothing where none has one."""
    averages = {row: comparison.score(row, AVERAGE) for row in comparison.grid.rows}
    known = {row: value for row, value in averages.items() if value is not None}
    if not known:
        return ""
    best = max(known, key=lambda row: known[row])
    base = averages[best.baseline]
    against = ""
    if base is not None and best != best.baseline:
        change = change_text(base, known[best])
        against = f", {change} against {best.baseline.calibrator} on the same vectors"
    arrow = arrows.get(best, comparison.columns[-1])
    if arrow is not None and not arrow.significant:
        against += " (not significant)"
    datasets = ", ".join(comparison.grid.datasets)
    return f"{best} is highest on {datasets}: {percent(known[best])}{against}."


def _wide_table(comparison: Comparison, arrows: Arrows, remarks: tuple[str, ...]) -> TextTable:
    """Return a line for each row of the grid: scores x 100 with the paper's arrows."""
    columns = comparison.columns
    in_parentheses = len(arrows.tested) > arrows.n_significant
    lines = []
    for row in comparison.grid.rows:
        line = [row.source, row.calibrator]
        line += [_marked(comparison.score(row, name), arrows.get(row, name)) for name in columns]
        if in_parentheses:
            tested = {name: arrows.get(row, name) for name in columns}
            unproven = [name for name, arrow in tested.items() if arrow and not arrow.significant]
            line.append(", ".join(name or "average" for name in unproven))
        lines.append((*line, *_losses(comparison, row)))
    header = ["encoder", "calibrator", *map(comparison.heading, columns)]
    header += ["not significant"] * in_parentheses
    return TextTable((*header, "rank lost", "round trip"), tuple(lines), remarks, n_labels=2)


def _marked(score: float | None, arrow: Arrow | None) -> str:
    """Write a score with Table 2's mark of its change from the row's own baseline."""
    if arrow is None:
        return percent(score)
    mark = "▲" if arrow.change > 0 else "▼"
    return f"{percent(score)} {mark if arrow.significant else f'({mark})'}"


def _losses(comparison: Comparison, row: Row) -> tuple[str, str]:
    """Write the most dimensions that are lost and the largest error of the way back, of all fits.

    A dash stands where a map cannot be inverted.
    """
    fits = [cell for name in comparison.grid.datasets for cell in comparison.fits(row, name)]
    errors = [cell.round_trip for cell in fits if cell.round_trip is not None]
    back = "-" if len(errors) < len(fits) else f"{max(errors):.0e}" if max(errors) else "0"
    return str(max(cell.rank_lost for cell in fits)), back


def _remarks(comparison: Comparison, arrows: Arrows) -> Iterator[str]:
    """Say what the numbers depend on and how to read the columns."""
    grid = comparison.grid
    protocol = grid.protocol
    seeds = "" if grid.n_seeds == 1 else f"; random calibrators: mean of {grid.n_seeds} seeds"
    sizes = ", ".join(f"{name} {pairs.size}" for name, pairs in comparison.pairs.items())
    metrics = "; ".join(f"{each.title} x 100 {each.meaning}" for each in comparison.metrics)
    yield f"{metrics}, aggregation {protocol.aggregation}, split {protocol.split}; {sizes}."
    yield (
        f"Fitted on {protocol.fit_on}{_transductive(comparison)}; {_encoding(grid)}; seed "
        f"{protocol.seed}{seeds}."
    )
    for name, pairs in comparison.pairs.items():
        if pairs.judged is None:
            yield (
                f"{name}: {why_unscored(pairs)}" if len(grid.datasets) > 1 else why_unscored(pairs)
            )
    if arrows.tested:
        yield _arrows_remark(arrows)
    yield (
        "Rank lost: directions in which the sentences vary and which the map discards. Round trip: "
        "relative error of mapping there and back; a dash where the map drops directions, so that "
        "there is no way back. Where there is a dash although no rank is lost, the sentences do "
        "not vary in the dropped directions. Both are the worst of a row's fits."
    )


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
    protocol = grid.protocol
    static = [model for model in grid.models if not source_of(model).has_layers]
    others = [f"rows of {model}: {protocol.with_(model=model).pooling}" for model in static]
    if len(static) == len(grid.models):
        return "; ".join(others)
    if grid.declared is not None:
        declared = grid.recipes(grid.declared, protocol.dataset)[0]
        others.append(f"rows of {DECLARED}: {declared.pooling}")
    apart = f" ({'; '.join(others)})" if others else ""
    return f"{protocol.pooling}, {protocol.length}{apart}, {protocol.precision}"
