"""The kinds of figure: lines, points, bars and steps, in one panel or several.

`look` takes Plotly's own names, such as `line_dash` or `marker_size`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.arrays.types import FloatArray
from bertflow_core.figures.style import Figure, colours_of, in_html, ink_on

DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
DOWN: dict[str, Any] = {"autorange": "reversed", "title": None}
"""A vertical axis of names, the first on top."""

SHARED: dict[str, Any] = {"shared_yaxes": True, "horizontal_spacing": 0.03}
"""Panels side by side with one vertical axis."""

_GAP = 90  # pixels between rows of panels, for the titles of axes and panels

Look = dict[str, Any]
"""Settings of a trace or of a figure, by Plotly's names."""

Numbers = npt.ArrayLike | Sequence[Any]
Axis = str | dict[str, Any]
"""The title of an axis with its unit, or all settings of the axis."""

Traces = Iterable[go.Scatter | go.Scattergl | go.Bar | go.Box | go.Histogram | go.Heatmap]


def line(
    name: str,
    x: Numbers,
    y: Numbers,
    colour: str,
    hover: str = "",
    **look: Any,  # noqa: ANN401 - of a trace
) -> go.Scatter:
    """Return a line, with marks if `look` sets them, and without hover unless `hover` is given."""
    marked = any(key.startswith("marker_") for key in look)
    own = {
        "mode": "lines+markers" if marked else "lines",
        "hovertemplate": f"{hover}<extra>{name}</extra>",
        "hoverinfo": None if hover else "skip",
    }
    return go.Scatter(x=x, y=y, name=name, line_color=colour, **{**own, **look})


def lines(
    curves: Mapping[str, tuple[Numbers, Numbers]],
    colours: Iterable[str],
    hover: str,
    *,
    dashed: bool = False,
    marked: bool = False,
    **look: Any,  # noqa: ANN401 - of a trace
) -> list[go.Scatter]:
    """Return a line for each name; `dashed` or `marked` lines do not differ by colour alone."""
    own = {"line_dash": cycle(DASHES)} if dashed else {}
    own |= {"marker_symbol": cycle(SYMBOLS)} if marked else {}
    return [
        line(name, x, y, colour, hover, **look, **{key: next(each) for key, each in own.items()})
        for (name, (x, y)), colour in zip(curves.items(), cycle(colours), strict=False)
    ]


def points(
    x: Numbers,
    y: Numbers,
    colour: Any,  # noqa: ANN401 - a colour, or numbers on a scale
    hover: str = "",
    *,
    many: bool = False,
    **look: Any,  # noqa: ANN401 - of a trace
) -> go.Scatter | go.Scattergl:
    """Return marks, without hover unless `hover` is given; `many` marks are drawn by WebGL."""
    own = {
        "mode": "markers",
        "marker_color": colour,
        "hovertemplate": f"{hover}<extra></extra>",
        "hoverinfo": None if hover else "skip",
        "showlegend": "name" in look,
    }
    if "marker" in look:
        own["marker"] = {"color": own.pop("marker_color"), **look.pop("marker")}
    return (go.Scattergl if many else go.Scatter)(x=x, y=y, **{**own, **look})


def bars(
    values: Sequence[float | None],
    names: Sequence[str],
    texts: Sequence[str],
    hover: str,
    *,
    specs: Sequence[str],
    **look: Any,  # noqa: ANN401 - of a trace
) -> go.Bar:
    """Return one horizontal bar per name, with a text on it and the colour of its calibrator."""
    colours = colours_of(specs)
    return go.Bar(
        x=list(values),
        y=list(names),
        orientation="h",
        marker_color=colours,
        text=texts,
        insidetextanchor="start",  # away from the baseline's line
        insidetextfont_color=[ink_on(colour) for colour in colours],
        hovertemplate=f"{hover}<extra></extra>",
        showlegend=False,
        **{"textposition": "auto", **look},
    )


def stepped(
    groups: Mapping[str, FloatArray],
    colours: Iterable[str],
    hover: str,
    *,
    bins: int | FloatArray,
) -> list[go.Scatter]:
    """Return a histogram in % as a stepped line per group, on shared bins or given edges."""
    every = np.concatenate([np.asarray(each, np.float64) for each in groups.values()])
    edges = np.histogram_bin_edges(every, bins)
    n, step = len(edges) - 1, edges[1] - edges[0]
    x = edges[0] + step * (np.arange(-1, n + 1) + 0.5)  # empty bins at both ends: down to 0
    drawn = {
        name: (x, np.pad(np.histogram(values, edges)[0], 1) / (len(values) / 100 or 1))
        for name, values in groups.items()
    }
    return lines(drawn, colours, hover, dashed=True, line_shape="hvh")


def log_axis(low: float, high: float, zero: float | None) -> dict[str, Any]:
    """Return a logarithmic axis with ticks at the decades, and a tick for 0 at `zero` if given."""
    decades = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    ticks = {10.0**power: f"{10.0**power:,g}" for power in decades}
    ticks |= {} if zero is None else {zero: "0"}
    return {"type": "log", "tickvals": list(ticks), "ticktext": list(ticks.values())}


def picture(traces: Traces, *, x: Axis, y: Axis, height: int, alt: str, **layout: Any) -> Figure:  # noqa: ANN401 - of a figure
    """Return a figure of one panel; `alt` describes it for people who cannot see it."""
    figure = Figure(list(traces))
    figure.update_xaxes(_axis(x))
    figure.update_yaxes(_axis(y))
    return _finished(figure, height=height, alt=alt, **layout)


def panels(
    parts: Mapping[str, Traces],
    *,
    across: int,
    x: Axis | list[Axis],
    y: Axis | list[Axis],
    height: tuple[int, int],
    alt: str,
    grid: Mapping[str, Any] | None = None,
    **layout: Any,  # noqa: ANN401 - of a figure
) -> Figure:
    """Return a figure of panels by title, row by row; the legend has each name once.

    `x` and `y` are an axis for all panels, or for the leftmost ones, or a list with one for each.
    `height` has the pixels of title, legend and margins, and those of each row.
    """
    columns = max(1, min(len(parts), across))
    rows = max(1, math.ceil(len(parts) / columns))
    titles = [in_html(title) for title in parts]
    look = {"vertical_spacing": min(_GAP / height[1], 0.9) / rows, **(grid or {})}
    figure = make_subplots(rows, columns, subplot_titles=titles, **look)
    named: set[str] = set()
    for i, traces in enumerate(parts.values()):
        place = {"row": i // columns + 1, "col": i % columns + 1}
        for trace in traces:
            if trace.name and trace.showlegend is not False:
                trace.update(legendgroup=trace.name, showlegend=trace.name not in named)
                named.add(trace.name)
            figure.add_trace(trace, **place)
        figure.update_xaxes(_axis(x[i] if isinstance(x, list) else x), **place)
        if isinstance(y, list) or place["col"] == 1:
            figure.update_yaxes(_axis(y[i] if isinstance(y, list) else y), **place)
    figure.update_annotations(font_size=12)
    if named:  # the legend stands above the titles
        above = {"legend": {"y": 1.0 + 0.12 / rows}, "margin": {"t": 80}}
        layout = {**above, **layout}
    return _finished(figure, height=height[0] + rows * height[1], alt=alt, **layout)


def _finished(figure: Figure, *, height: int, alt: str, **layout: Any) -> Figure:  # noqa: ANN401
    """Give a figure the common margins, legend, hover and description."""
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
        hoverlabel={"namelength": -1},
        meta={"alt": alt},
    )
    return figure.update_layout(**layout)


def alt_of(figure: Figure) -> str:
    """Return the description of a figure."""
    return str((figure.layout.meta or {}).get("alt", ""))


def _axis(axis: Axis) -> dict[str, Any]:
    return {"title": axis} if isinstance(axis, str) else axis
