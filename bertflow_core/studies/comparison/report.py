"""The report on a comparison: the wide table of the paper, and a row for every fit."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from bertflow_core.change import Change
from bertflow_core.encoders.given import source_of
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.evaluation.inference import ALPHA, Difference
from bertflow_core.figures import Figure, score_by_dataset
from bertflow_core.recipe import PLAIN
from bertflow_core.remarks import TRANSDUCTIVE, why_unscored
from bertflow_core.report import Pictures, Report
from bertflow_core.studies.comparison.cells import Cell
from bertflow_core.studies.comparison.grid import AVERAGE, Grid, Row
from bertflow_core.studies.comparison.measure import Comparison
from bertflow_core.studies.comparison.significance import Arrows
from bertflow_core.text_table import TextTable, change_text, percent
from bertflow_core.wording import counted

_OF_A_FIT = ("model", "revision", "layers", "tokens", "calibrator", "dataset", "seed")
_OF_THE_ROWS = (*_OF_A_FIT, "max_length", "prompt", "truncate_dim")


def comparison_report(comparison: Comparison, arrows: Arrows) -> Report:
    """Report the score of every row on every data set, and which changes are larger than noise.

    An arrow whose change is not significant stands in parentheses, and its column is named where
    there is such an arrow.
    """
    remarks = tuple(_remarks(comparison, arrows))
    changes = {
        name: [
            {
                "row": str(row),
                "dataset": dataset or "average",
                **tested.columns("change"),
            }
            for (row, dataset), tested in family.items()
        ]
        for name, family in (("changes", arrows.tested), ("to_plain", arrows.to_plain))
    }
    return Report(
        name="comparison",
        params=comparison.grid.protocol.without(*_OF_THE_ROWS),
        columns=(),
        rows=[
            _record(cell, arrows, row, dataset)
            for (row, dataset), fits in comparison.cells.items()
            for cell in fits
        ],
        title=comparison.scores_title,
        remarks=remarks,
        command=comparison.grid.to_command(),
        facts={
            "grid": comparison.grid.to_dict(),
            "data": {name: each.provenance.to_dict() for name, each in comparison.pairs.items()},
            "arrows": {"n_draws": arrows.n_draws, "alpha": ALPHA, **changes},
        },
        live={"comparison": comparison},
        draw=_pictures,
        face=_wide_table(comparison, arrows, remarks),
    )


def _record(cell: Cell, arrows: Arrows, row: Row, dataset: str) -> dict[str, Any]:
    """Return a fit: its row, every aggregation, its row's changes, its whole recipe."""
    values = cell.to_dict()
    nothing = Difference(None, None, Change(None, None))
    return {
        "vectors": row.source.removeprefix(f"{row.model} "),
        **{name: values["recipe"][name] for name in _OF_A_FIT},
        **values.pop("scores"),
        **arrows.tested.get((row, dataset), nothing).columns("change"),
        **arrows.to_plain.get((row, dataset), nothing).columns("to_plain"),
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
    """Say which row has the highest average, and what the plain output scores; nothing of none."""
    known = {
        row: score
        for row in comparison.grid.rows
        if (score := comparison.score(row, AVERAGE)) is not None
    }
    if not known:
        return ""
    best = max(known, key=lambda row: known[row])
    against = ""
    for other, family, name in (
        (best.baseline, arrows.tested, "identity on the same vectors"),
        (comparison.grid.plain(best), arrows.to_plain, f"the {PLAIN}"),
    ):
        if other is not None and other != best and other in known:
            tested = family.get((best, comparison.columns[-1]))
            doubt = " (not significant)" if tested is not None and not tested.significant else ""
            against += f", {change_text(known[other], known[best])} against {name}{doubt}"
    datasets = ", ".join(comparison.grid.datasets)
    return f"{best} is highest on {datasets}: {percent(known[best])}{against}."


def _wide_table(comparison: Comparison, arrows: Arrows, remarks: tuple[str, ...]) -> TextTable:
    """Return a line for each row of the grid: scores x 100 with the paper's arrows."""
    columns, grid = comparison.columns, comparison.grid
    in_parentheses = len(arrows.tested) > arrows.n_significant
    has_plain = any(map(grid.plain, grid.rows))
    lines = []
    for row in grid.rows:
        tested = {name: arrows.get(row, name) for name in columns}
        marks = {name: "" if each is None else f" {each.mark}" for name, each in tested.items()}
        line = [row.source, row.calibrator]
        line += [
            f"{percent(comparison.score(row, name))}{marks[name]}".rstrip() for name in columns
        ]
        if in_parentheses:
            unproven = [name for name, each in tested.items() if each and not each.significant]
            line.append(", ".join(name or "average" for name in unproven))
        line += [_to_plain(comparison, arrows, row)] if has_plain else []
        lines.append((*line, *_losses(comparison, row)))
    header = ["encoder", "calibrator", *map(comparison.heading, columns)]
    header += ["not significant"] * in_parentheses + [f"to {PLAIN}"] * has_plain
    return TextTable((*header, "rank lost", "round trip"), tuple(lines), remarks, n_labels=2)


def _to_plain(comparison: Comparison, arrows: Arrows, row: Row) -> str:
    """Write how far a row is from its model's plain output on all data sets."""
    plain, every = comparison.grid.plain(row), comparison.columns[-1]
    scores = [None if each is None else comparison.score(each, every) for each in (plain, row)]
    if plain in (None, row) or scores[0] is None or scores[1] is None:
        return ""
    tested = arrows.to_plain.get((row, every))
    return f"{change_text(scores[0], scores[1])} {tested.mark if tested else ''}".rstrip()


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
    if arrows.to_plain:
        yield (
            f"To {PLAIN}: {'average ' * (len(grid.datasets) > 1)}difference from what the model "
            f"gives by itself, uncalibrated, tested alike, Holm over "
            f"{counted(len(arrows.to_plain), 'difference')}."
        )
    if grid.without_plain:
        yield f"No {PLAIN} is known of {', '.join(grid.without_plain)}."
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
    row, datasets = comparison.grid.rows[-1], comparison.grid.datasets
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
    for row in (each for each in grid.rows if each.layers == DECLARED and each.plain is not None):
        name = PLAIN if row == row.plain else f"rows of {DECLARED}"
        others.append(f"{name}: {grid.recipes(row, protocol.dataset)[0].pooling}")
    apart = f" ({'; '.join(dict.fromkeys(others))})" if others else ""
    return f"{protocol.pooling}, {protocol.length}{apart}, {protocol.precision}"
