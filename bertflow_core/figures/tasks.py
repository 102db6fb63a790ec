"""The figure of changes by task: a column for each task, with its own scale."""

import math
import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from bertflow_core.figures.kinds import Look, line, panels, points
from bertflow_core.figures.style import BASELINE, Figure, colour_of, in_html, plain

_WIDTH = 15  # characters of a title, so that four columns stand side by side on a phone
_LINE = 16  # pixels
_KEY = {"higher": "circle", "lower": "triangle-down", "not significant": "circle-open"}

Change = tuple[float, float, float, bool]
"""A change in [-1, 1], the ends of its interval, and whether it is significant."""


def changes_by_task(
    columns: Mapping[str, Sequence[Change]],
    labels: Sequence[str],
    *,
    missing: Mapping[str, str],
    against: str,
) -> Figure:
    """Draw the change x 100 of each row in each column, with its interval and a line at 0.

    The last word of a label is the calibrator. `missing` has texts in place of columns. A triangle
    marks a lower score, a hollow mark a change that is not significant.
    """
    titles = [_wrapped(title) for title in (*columns, *missing)]
    n_lines = max(title.count("\n") + 1 for title in titles)
    titles = [title + "\n\u00a0" * (n_lines - title.count("\n") - 1) for title in titles]
    drawn = [*(_column(each, labels) for each in columns.values()), *([] for _ in missing)]
    drawn[0] += [_key(name, symbol) for name, symbol in _KEY.items()]
    tasks = ", ".join(title.partition("\n")[0] for title in titles)
    figure = panels(
        dict(zip(titles, drawn, strict=True)),
        across=len(titles),
        x=[*map(_axis, columns.values()), *({"visible": False} for _ in missing)],
        y=[{"visible": False, "range": [len(labels) - 0.4, -0.6]}] * len(titles),
        height=(116 + _LINE * n_lines, 62 * len(labels)),
        alt=f"Change from {against} under each calibrator with its interval, one column each: "
        f"{tasks}",
        grid={"shared_yaxes": True, "horizontal_spacing": 0.04},
        margin={"l": 10, "r": 10, "t": 36 + _LINE * n_lines, "b": 10},  # 36: Plotly's buttons
        legend={"orientation": "h", "yanchor": "top", "y": -0.25, "x": 0},
    )
    for row, label in enumerate(labels):
        here: Look = {"x": 0, "xref": "paper", "xanchor": "left", "y": row - 0.36, "yref": "y"}
        figure.add_annotation(text=plain(label), showarrow=False, font_size=13, **here)
    for place, text in enumerate(missing.values(), start=len(columns) + 1):
        middle = sum(figure.layout[f"xaxis{place}"].domain) / 2
        look: Look = {"x": middle, "xref": "paper", "xanchor": "center", "font_size": 11}
        look |= {"y": 0.5, "yref": "paper"}
        figure.add_annotation(text=in_html(_wrapped(text)), showarrow=False, **look)
    return figure


def _axis(changes: Sequence[Change]) -> Look:
    ends = [0, *(100 * end for change in changes for end in change[1:3])]
    room = 0.3 * (max(ends) - min(ends) or 1.0)  # for a number beside each end
    reach = max(map(abs, ends)) or 1.0
    power = 10 ** math.floor(math.log10(reach))
    step = max(times * power for times in (1, 2, 5) if times * power <= reach)
    ticks = {"tickvals": [-step, 0, step]}  # more would touch each other on a phone
    return {"title": "change", "range": [min(ends) - room, max(ends) + room], **ticks}


def _column(changes: Sequence[Change], labels: Sequence[str]) -> list[go.Scatter]:
    numbers = 100 * np.array([change[:3] for change in changes])
    specs = [label.rsplit(" ", 1)[-1] for label in labels]
    colours = [
        colour_of(spec) if change[3] else BASELINE
        for spec, change in zip(specs, changes, strict=True)
    ]
    symbols = [
        ("circle" if middle >= 0 else "triangle-down") + ("" if change[3] else "-open")
        for (middle, *_), change in zip(numbers, changes, strict=True)
    ]
    rows = [*range(len(labels))]
    look: Look = {"marker_symbol": symbols, "marker_size": 11}
    look |= {"marker_line_width": 2, "marker_line_color": colours}
    look |= {"mode": "markers+text", "textposition": "bottom center", "cliponaxis": False}
    text = [f"{middle:+.2f}" for middle in numbers[:, 0]]
    hover = "%{hovertext}: %{text} [%{customdata[0]:+.2f}, %{customdata[1]:+.2f}]"
    # The line at 0 has gaps for the numbers below the marks.
    zero = [end for row in rows for end in (row - 0.22, row + 0.14, None)]
    plainly: Look = {"line_width": 2, "showlegend": False}
    bars = [
        line("", [0, 0, None] * len(labels), zero, BASELINE, **plainly),
        *(
            line("", [low, high], [row, row], colour, **{**plainly, "line_width": 3})
            for row, (_, low, high), colour in zip(rows, numbers, colours, strict=True)
        ),
    ]
    look |= {"text": text, "hovertext": [plain(label) for label in labels]}
    return [*bars, points(numbers[:, 0], rows, colours, hover, customdata=numbers[:, 1:], **look)]


def _key(name: str, symbol: str) -> go.Scatter:
    look: Look = {"name": name, "marker_symbol": symbol, "marker_size": 10}
    look |= {"marker_line_width": 2, "marker_line_color": BASELINE}
    return points([None], [None], BASELINE, **look)


def _wrapped(text: str) -> str:
    return "\n".join(part for each in text.split("\n") for part in textwrap.wrap(each, _WIDTH))
