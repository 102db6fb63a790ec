"""The pictures of scores and measures by layer, from a report's rows."""

import textwrap
from collections.abc import Sequence
from functools import partial

from bertflow_core.figures import Figure, layer_heatmap, measures_by_layer, readings_by_layer
from bertflow_core.report.report import Column, Pictures, Report, Row, Table

_LABELS = ("template", "tokens", "layers", "calibrator", "dev", "chosen")
_IN_LINES = ("score", "random_cosine", "iso_score")
_WIDTH = 48


def pictures(report: Report) -> Pictures:
    """Return the pictures of what is known.

    Heat maps need a single template, and lines a single pooling, too.
    """
    measured = [each for each in report.columns if each.key not in _LABELS]
    known = [c for c in measured if any(row.get(c.key) is not None for row in report.rows)]
    has_score = any(column.key == "score" for column in known)
    drawn = {"scores": partial(_scores, report)} if has_score else {}
    if len(report.facts["templates"]) == 1:
        drawn |= {f"layers-{each.key}": partial(_heatmap, report, each) for each in known}
        if len(report.facts["poolings"]) == 1:
            drawn["layers"] = partial(_lines, report, [c for c in known if c.key in _IN_LINES])
    if report.tables:  # a report read from JSON has no tables
        drawn["first-token"] = partial(_first_token, report.tables[0])
    return drawn


def _scores(report: Report) -> Figure:
    """Draw the score at each layer, a panel for each template and pooling."""
    panels: dict[tuple[str, str], dict[str, list[float | None]]] = {}
    chosen = None
    for template in report.facts["templates"]:
        row = "\n".join(textwrap.wrap(template or "no template", _WIDTH))
        for tokens in report.facts["poolings"]:
            rows = report.where(template=template, tokens=tokens)
            panels[row, tokens] = _by_layer(report, rows, "score")
            for each in rows:
                if each["chosen"]:
                    at = report.facts["layers"].index(each["layers"])
                    chosen = (row, tokens), at, each["score"]
    return readings_by_layer(
        panels,
        report.facts["layers"],
        report.facts["plain"],
        chosen=chosen,
        title=report.column("score").header,
    )


def _by_layer(report: Report, rows: Sequence[Row], key: str) -> dict[str, list[float | None]]:
    """Return a number of each calibrator at each layer set; None where it was not fitted."""
    known = {(row["calibrator"], row["layers"]): row.get(key) for row in rows}
    names = report.facts["layers"]
    return {s: [known.get((s, name)) for name in names] for s in report.facts["calibrators"]}


def _lines(report: Report, columns: Sequence[Column]) -> Figure:
    """Draw measures over the layers of one token pooling, a line for each calibrator."""
    panels = {}
    for column in columns:
        curves = _by_layer(report, report.rows, column.key)
        panels[column.header] = {s: [*map(column.number, scores)] for s, scores in curves.items()}
    return measures_by_layer(panels, report.facts["layers"])


def _heatmap(report: Report, column: Column) -> Figure:
    """Draw a measure, one heat-map per calibrator: layers down, token poolings across."""
    poolings = report.facts["poolings"]
    of = {name: _by_layer(report, report.where(tokens=name), column.key) for name in poolings}
    parts = {
        spec: [
            [*map(column.number, row)] for row in zip(*(of[p][spec] for p in poolings), strict=True)
        ]
        for spec in report.facts["calibrators"]
    }
    return layer_heatmap(
        parts,
        [name.removeprefix("layer:") for name in report.facts["layers"]],
        poolings,
        measure=column.header,
        decimals=1 if column.times == 100 or column.key == "effective_rank" else 2,
        diverging=column.key == "random_cosine",
    )


def _first_token(table: Table) -> Figure:
    of = {each.key: [row[each.key] for row in table.rows] for each in table.columns}
    norms = {"first token": of["first_norm"], "mean of the others": of["others_norm"]}
    parts = {table.column(key).header: {"": of[key]} for key in ("share", "cosine")}
    colours = ["#0072B2", "#D55E00"]
    return measures_by_layer({"norm": norms, **parts}, of["layers"], colours=colours)
