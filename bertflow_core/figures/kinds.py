"""The kinds of picture, lines, points, bars and steps, in one panel or in several."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import BASELINE, Figure, colour_of, ink_on, plain
from bertflow_core.linalg import FloatArray

DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
DOWN: dict[str, Any] = {"autorange": "reversed", "title": None}
"""A vertical axis of names, the first on top."""

HIDDEN: dict[str, Any] = {"hoverinfo": "skip"}

Numbers = npt.ArrayLike | Sequence[Any]
Axis = str | dict[str, Any]
"""The title of an axis, with its unit, or all that is set of it."""

Traces = Iterable[go.Scatter | go.Scattergl | go.Bar | go.Box | go.Histogram | go.Heatmap]


def line(
    name: str,
    x: Numbers,
    y: Numbers,
    colour: str,
    hover: str,
    **look: Any,  # noqa: ANN401 - of a trace
) -> go.Scatter:
    """Return a line, with marks where their symbol or size is named.

    Beside `dash`, `width`, `symbol`, `size` and `step`, which draws a histogram, `look` holds what
    Plotly calls it.
    """
    symbol, size = look.pop("symbol", None), look.pop("size", None)
    marker = {"symbol": symbol, "size": size, "color": colour} if symbol or size else None
    shape = "hvh" if look.pop("step", False) else None
    drawn = {"color": colour, "dash": look.pop("dash", None), "width": look.pop("width", None)}
    return go.Scatter(
        x=x,
        y=y,
        name=name,
        mode=look.pop("mode", "lines+markers" if marker else "lines"),
        line={**drawn, "shape": shape},
        marker=marker,
        hovertemplate=f"{hover}<extra>{name}</extra>",
        **look,
    )


def lines(
    curves: Mapping[str, tuple[Numbers, Numbers]],
    colours: Iterable[str],
    hover: str,
    **look: Any,  # noqa: ANN401 - of a trace
) -> list[go.Scatter]:
    """Return a line for each name; `dashed` or `marked` they differ not by colour alone."""
    dashed, marked = look.pop("dashed", False), look.pop("marked", False)
    drawn = []
    for i, ((name, (x, y)), colour) in enumerate(zip(curves.items(), cycle(colours), strict=False)):
        own = {"dash": DASHES[i % len(DASHES)]} if dashed else {}
        own |= {"symbol": SYMBOLS[i % len(SYMBOLS)]} if marked else {}
        drawn.append(line(name, x, y, colour, hover, **own, **look))
    return drawn


def points(
    x: Numbers,
    y: Numbers,
    colour: Any,  # noqa: ANN401 - a colour, or numbers on a scale
    hover: str,
    **look: Any,  # noqa: ANN401 - of a trace
) -> go.Scatter | go.Scattergl:
    """Return marks; the kind `Scattergl` draws thousands of them."""
    kind = look.pop("kind", go.Scatter)
    return kind(
        x=x,
        y=y,
        mode=look.pop("mode", "markers"),
        marker={"color": colour, **look.pop("marker", {})},
        hovertemplate=f"{hover}<extra></extra>",
        **look,
    )


def bars(
    values: Sequence[float | None],
    names: Sequence[str],
    texts: Sequence[str],
    hover: str,
    **look: Any,  # noqa: ANN401 - of a trace
) -> go.Bar:
    """Return a bar across for each name with a text on it, in the colour of its calibrator.

    That is the name, unless `specs` are given.
    """
    colours = [colour_of(spec) for spec in look.pop("specs", names)]
    return go.Bar(
        x=list(values),
        y=list(names),
        orientation="h",
        marker_color=colours,
        text=texts,
        insidetextanchor="start",  # away from the line of the baseline
        insidetextfont={"color": [ink_on(colour) for colour in colours]},
        hovertemplate=f"{hover}<extra></extra>",
        **{"textposition": "auto", **look},
    )


def agreement(low: float, high: float, dash: str) -> go.Scatter:
    """Return the diagonal where both axes agree."""
    look = {"color": BASELINE, "dash": dash}
    ends = [low, high]
    return go.Scatter(x=ends, y=ends, name="agreement", mode="lines", line=look, **HIDDEN)


def histogram(
    values: FloatArray, edges: FloatArray, *, density: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return centres of equal bins and the % of values in each, or their density.

    There is an empty bin at either end: lines come down to 0.
    """
    counts = np.histogram(values, edges)[0]
    step = edges[1] - edges[0]
    x = edges[0] + step * (np.arange(-1, len(counts) + 1) + 0.5)
    whole = counts.sum() * step if density else len(values) / 100
    return x, np.pad(counts, 1) / (whole or 1)


def stepped(
    groups: Mapping[str, FloatArray],
    colours: Iterable[str],
    hover: str,
    *,
    bins: int,
    apart: bool = False,
) -> list[go.Scatter]:
    """Return a histogram in % as a stepped line for each group, on shared bins.

    `apart`, each has bins between its own ends, and shows its density.
    """
    ends = np.concatenate([np.asarray(each, np.float64) for each in groups.values()])
    drawn = {
        name: histogram(
            values, np.histogram_bin_edges(values if apart else ends, bins), density=apart
        )
        for name, values in groups.items()
    }
    return lines(drawn, colours, hover, dashed=True, step=True)


def log_axis(low: float, high: float, zero: float | None) -> dict[str, Any]:
    """Return a logarithmic axis with the decades from low to high, and 0 where it has a place."""
    decades = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    ticks = {10.0**power: f"{10.0**power:,g}" for power in decades}
    ticks |= {} if zero is None else {zero: "0"}
    return {"type": "log", "tickvals": list(ticks), "ticktext": list(ticks.values())}


def picture(traces: Traces, *, x: Axis, y: Axis, height: int, alt: str, **layout: Any) -> Figure:  # noqa: ANN401 - of a figure
    """Return a figure of one panel; `alt` says what it shows to those who cannot see it."""
    figure = Figure(list(traces))
    figure.update_xaxes(_axis(x))
    figure.update_yaxes(_axis(y))
    return finished(figure, height=height, alt=alt, **layout)


def panels(
    parts: Mapping[str, Traces],
    *,
    across: int,
    x: Axis,
    y: Axis,
    height: int,
    alt: str,
    room: float = 0.0,
    each_y: bool = False,
    grid: Mapping[str, Any] | None = None,
    **layout: Any,  # noqa: ANN401 - of a figure
) -> Figure:
    """Return a figure of panels, row by row; a name of traces stands once in the legend.

    Args:
        parts: What is drawn in each, by its title.
        across: Most panels side by side.
        x: Horizontal axis of each.
        y: Vertical axis, which is named at the left ones alone but with `each_y`.
        height: In pixels.
        alt: What the figure shows, for those who cannot see it.
        room: Between rows, as a share of the height times the number of rows.
        each_y: Whether every vertical axis is named.
        grid: Passed on to `make_subplots`.
        layout: Passed on to the layout.
    """
    columns, rows = shape_of(len(parts), across)
    titles = [plain(title).replace("\n", "<br>") for title in parts]
    gaps = {"vertical_spacing": room / rows} if rows > 1 or room else {}
    figure = make_subplots(rows=rows, cols=columns, subplot_titles=titles, **gaps, **(grid or {}))
    named: set[str] = set()
    for i, traces in enumerate(parts.values()):
        for trace in traces:
            if trace.name and trace.showlegend is not False:
                trace.update(legendgroup=trace.name, showlegend=trace.name not in named)
                named.add(trace.name)
            figure.add_trace(trace, row=i // columns + 1, col=i % columns + 1)
    figure.update_xaxes(_axis(x))
    figure.update_yaxes(_axis(y), **({} if each_y else {"col": 1}))
    figure.update_annotations(font_size=12)
    return finished(figure, height=height, alt=alt, **layout)


def shape_of(n: int, across: int) -> tuple[int, int]:
    """Return how many panels stand side by side, and in how many rows."""
    columns = max(1, min(n, across))
    return columns, max(1, math.ceil(n / columns))


def finished(figure: Figure, *, height: int, alt: str, **layout: Any) -> Figure:  # noqa: ANN401
    """Give a figure the common margins, legend place and hover, and what it shows in words."""
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
        hoverlabel={"namelength": -1},
        meta={"alt": alt},
    )
    return figure.update_layout(**layout)


def alt_of(figure: Figure) -> str:
    """Return what a figure shows in words."""
    return str((figure.layout.meta or {}).get("alt", ""))


def _axis(axis: Axis) -> dict[str, Any]:
    return {"title": axis} if isinstance(axis, str) else axis
