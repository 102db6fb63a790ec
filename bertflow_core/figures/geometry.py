"""Figures of spaces (spectra, densities, distances, measures by layer) and of a fit."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from bertflow_core.arrays.types import FloatArray
from bertflow_core.figures.kinds import (
    DOWN,
    SHARED,
    Look,
    line,
    lines,
    log_axis,
    panels,
    picture,
    points,
    stepped,
)
from bertflow_core.figures.style import BASELINE, Figure, colour_of, colours_of, in_html, plain

LOSS = "loss, bits per dimension"
_GROUPS = ("#0072B2", "#D55E00", "#56B4E9", "#E69F00")
_OWN = "#CC79A7"
_LINEAR_STEPS = 50
_LINE_PIXELS = 18
_MAX_LOSSES = 200
_BEGINNING = 0.5
"""Position of step 0 on a logarithmic axis."""


def singular_spectra(spectra: Mapping[str, FloatArray]) -> Figure:
    """Draw standard deviations in descending order, (K,), by calibrator; zeros are left out."""
    drawn = {}
    for spec, spectrum in spectra.items():
        values = np.asarray(spectrum)
        values = values[values > 0]
        drawn[spec] = np.arange(1, len(values) + 1), values / values[:1]
    curves = lines(drawn, colours_of(drawn), "direction %{x}: %{y:.3g}", dashed=True)
    title = "standard deviation, relative to the largest"
    up = {"title": title, "type": "log", "dtick": "D2", "exponentformat": "power"}
    alt = f"{title.capitalize()} along each principal direction"
    return picture(curves, x="principal direction", y=up, height=380, alt=alt)


def measures_by_layer(
    parts: Mapping[str, Mapping[str, Sequence[float | None]]],
    places: Sequence[str | int],
    *,
    colours: Sequence[str] | Mapping[str, str] = (),
) -> Figure:
    """Draw one small panel per measure, with its own scale and a line per calibrator over layers.

    `colours` are for lines that do not stand for calibrators, in their order or by their names.
    """
    names = [str(place).removeprefix("layer:") for place in places]
    x, kind = (list(places), "linear") if isinstance(places[0], int) else (names, "category")
    drawn = {
        "\n".join(textwrap.wrap(name, 34)): lines(
            {label: (x, list(values)) for label, values in curves.items()},
            [colours[name] for name in curves]
            if isinstance(colours, Mapping)
            else colours or colours_of(curves),
            "layer %{x}: %{y:.4g}",
            mode="lines+markers",
            marked=bool(colours),
            showlegend=len(curves) > 1 or not colours,
        )
        for name, curves in parts.items()
    }
    alt = f"{'; '.join(parts)}, by layer"
    along = {"type": kind, "title": "layer"}
    return panels(drawn, across=3, x=along, y={}, height=(100, 240), alt=alt)


def readings_by_layer(
    parts: Mapping[tuple[str, str], Mapping[str, Sequence[float | None]]],
    layers: Sequence[str],
    plain_output: float | None,
    *,
    chosen: tuple[tuple[str, str], int, float] | None,
    title: str,
) -> Figure:
    """Draw the score x 100 of each layer: rows of panels by template, columns by token pooling.

    A ring marks the `chosen` point: template and pooling, index of the layer, and score.
    """
    across = len({pooling for _, pooling in parts})
    names = [name.removeprefix("layer:") for name in layers]
    is_numbered = all(map(str.isdigit, names))
    x: Sequence[Any] = [*map(int, names)] if is_numbered else names
    drawn: dict[str, list[Any]] = {}
    for key, curves in parts.items():
        part = "\n".join(key)
        scores = {s: (x, [v and 100 * v for v in values]) for s, values in curves.items()}
        look: Look = {"marked": True, "mode": "lines+markers", "marker_size": 7}
        drawn[part] = lines(scores, colours_of(scores), "layer %{x}: %{y:.2f}", **look)
        if plain_output is not None:
            level, name = 100 * plain_output, f"plain output, {100 * plain_output:.2f}"
            drawn[part].append(line(name, x, [level] * len(x), BASELINE, line_dash="dash"))
        if chosen is not None and chosen[0] == key:
            ring: Look = {"marker_symbol": "circle-open", "marker_size": 16, "marker_line_width": 2}
            hover = "chosen on dev: %{y:.2f}"
            at = [x[chosen[1]]], [100 * chosen[2]]
            drawn[part].append(points(*at, _OWN, hover, name="chosen on dev", **ring))
    along: Look = {"type": "category"}
    if is_numbered:
        along = {"type": "linear", "range": [min(x) - 0.7, max(x) + 0.7]}
    last_row = len(drawn) - across
    figure = panels(
        drawn,
        across=across,
        x=[{"title": "layer" if i >= last_row else "", **along} for i in range(len(drawn))],
        y=title,
        height=(90, 300),
        alt=f"{title} at each layer under each calibrator, one panel for each token pooling and "
        "template, and a line at the plain output's score",
        grid=dict(SHARED, shared_yaxes="all"),
        legend={"y": 1 + 0.2 * across / len(drawn)},  # above template titles of two lines
        margin={"t": 100},
    )
    for note, (_, pooling) in zip(figure.layout.annotations, parts, strict=True):
        note.text = plain(pooling)
    above: Look = {"xanchor": "left", "yanchor": "bottom", "yshift": _LINE_PIXELS, "align": "left"}
    for note, (template, _) in [*zip(figure.layout.annotations, parts, strict=True)][::across]:
        figure.add_annotation(  # once per row, since it is wider than a panel
            text=in_html(template),
            x=0,
            y=note.y,
            xref="paper",
            yref="paper",
            showarrow=False,
            font_size=12,
            **above,
        )
    return figure


def likelihood_histograms(groups: Mapping[str, FloatArray]) -> Figure:
    """Draw histograms of log-densities in nats, one stepped line per group on shared bins."""
    drawn = stepped(groups, _GROUPS, "%{x:.0f} nats: %{y:.1f} %", bins=60)
    up = {"title": "rows in %", "rangemode": "tozero"}
    alt = f"Log-densities of {', '.join(groups)}"
    return picture(drawn, x="log-density in nats", y=up, height=340, alt=alt)


def fit_curves(
    losses: Sequence[float],
    checkpoints: Sequence[int],
    measures: Mapping[str, Sequence[float | None]],
    *,
    before: Mapping[str, float | None],
    n_steps: int,
    at: int | None = None,
) -> Figure:
    """Draw one panel per quantity over the steps of a fit; the axis of a long fit is logarithmic.

    The axis covers all steps, so that it does not change while the fit runs. A grey line shows the
    value `before` the fit, and a line marks the step `at`.
    """
    beginning = _BEGINNING if n_steps > _LINEAR_STEPS else 0
    across: dict[str, Any] = {"range": [-0.02 * n_steps, 1.02 * n_steps]}
    if beginning:
        ends = [math.log10(_BEGINNING) - 0.05, math.log10(n_steps) + 0.05]
        across = {**log_axis(1, n_steps, _BEGINNING), "range": ends}
    curves = {LOSS: _means(losses), **{name: (checkpoints, y) for name, y in measures.items()}}
    drawn = {}
    for name, (x, y) in curves.items():
        look: Look = {"customdata": list(x), "mode": "lines" if name == LOSS else "lines+markers"}
        hover = "step %{customdata:,.0f}: %{y:.4g}"
        places = [step or beginning for step in x]
        drawn[name] = [line(name, places, list(y), colour_of("flow"), hover, **look)]
        if before.get(name) is not None:
            level = [before[name]] * 2
            drawn[name].append(line("", [beginning, n_steps], level, BASELINE, line_dash="dot"))
    figure = panels(
        drawn,
        across=2,
        x={"title": "step of the fit", **across},
        y={},
        height=(40, 240),
        alt=f"{'; '.join(curves)} over the steps of the fit",
        showlegend=False,
        margin_t=40,
    )
    return figure if at is None else figure.add_vline(at or beginning, line_color=BASELINE)


def _means(losses: Sequence[float]) -> tuple[Sequence[float], Sequence[float]]:
    """Return the steps and mean losses of logarithmically spaced bins."""
    if not losses:
        return [], []
    edges = np.unique(np.geomspace(1, len(losses) + 1, _MAX_LOSSES + 1).astype(int))
    parts = np.split(np.asarray(losses, np.float64), edges[1:-1] - 1)
    middles = [(a + b - 1) / 2 for a, b in pairwise(edges.tolist())]
    return middles, [float(part.mean()) for part in parts]


def latent_features(values: FloatArray, names: tuple[str, str]) -> Figure:
    """Draw two features, (N, 2), beside N(0, 1): both histograms and a scatter plot."""
    reach, flow = max(4.0, float(np.abs(values).max())), colour_of("flow")
    x = np.linspace(-reach, reach, 300)
    normal = np.exp(-np.square(x) / 2) / math.sqrt(2 * math.pi)
    drawn: dict[str, list[Any]] = {
        name: [
            go.Histogram(
                x=feature,
                histnorm="probability density",
                xbins={"start": -reach, "end": reach, "size": 2 * reach / 40},
                marker_color=flow,
                hovertemplate="%{x}: %{y:.3f}<extra></extra>",
            ),
            line("", x, normal, BASELINE, line_dash="dash"),
        ]
        for name, feature in zip(names, values.T, strict=True)
    }
    turn = np.linspace(0, 2 * np.pi, 100)
    around: Look = {"line_dash": "dash", "line_width": 1}
    first, second = values.T
    drawn[" against ".join(names[::-1])] = [
        points(first, second, flow, "%{x:.2f}, %{y:.2f}", marker_size=4, marker_opacity=0.6),
        *(line("", n * np.cos(turn), n * np.sin(turn), BASELINE, **around) for n in (1, 2, 3)),
    ]
    square = {"range": [-reach, reach], "constrain": "domain"}
    return panels(
        drawn,
        across=2,
        x=[*names, {"title": names[0], **square}],
        y=["density", {}, {"title": names[1], "scaleanchor": "x3", **square}],
        height=(0, 320),
        alt=f"Histograms and scatter plot of {names[0]} and {names[1]} beside N(0, 1)",
        grid={"specs": [[{}, {}], [{"colspan": 2}, None]], "row_heights": [0.4, 0.6]},
        showlegend=False,
    )


def distance_histograms(distances: Mapping[str, Mapping[str, FloatArray]]) -> Figure:
    """Draw distances by space and group, (N,), one panel per space, in % of the group's rows."""
    drawn = {
        space: stepped(groups, _GROUPS[1::-1], "%{x:.2f}: %{y:.1f} %", bins=40)
        for space, groups in distances.items()
    }
    # Only the first panel has the title, since titles side by side would overlap.
    title = "L2 distance to the 10th neighbour"
    return panels(
        drawn,
        across=len(drawn),
        x=[title, *[{}] * (len(drawn) - 1)],
        y="rows in %",
        height=(0, 360),
        alt=f"{title}, one panel per space and one line per group",
    )


def mark_values(figure: Figure, values: Mapping[str, float]) -> Figure:
    """Mark a reader's own values in a histogram by labelled vertical lines."""
    for i, (label, value) in enumerate(sorted(values.items(), key=lambda each: each[1])):
        y = 0.87 - 0.11 * i  # staggered, since values may be near each other
        note = {"text": plain(label), "yref": "paper", "y": y, "yanchor": "top", "xanchor": "right"}
        figure.add_vline(x=value, line={"width": 2, "dash": "dot", "color": _OWN}, annotation=note)
    return figure


def cosines_by_group(cosines: Mapping[str, FloatArray], groups: Sequence[str]) -> Figure:
    """Draw the cosines of each group of pairs as a box with its points, by calibrator."""
    drawn = [
        go.Box(
            x=np.round(np.asarray(cosine), 4),
            y=list(groups),
            name=spec,
            orientation="h",
            marker={"color": colour_of(spec), "size": 5},
            line={"width": 2},
            fillcolor="rgba(0,0,0,0)",
            hovertemplate=f"cosine %{{x:.2f}}<extra>{spec}</extra>",
            **{"boxpoints": "all", "pointpos": 0, "jitter": 0.4},
        )
        for spec, cosine in cosines.items()
    ]
    look: Look = {"height": 140 + 90 * len(set(groups)), "boxmode": "group"}
    alt = "Cosines of each group of pairs, calibrators side by side"
    return picture(drawn, x="cosine of a pair", y=DOWN, alt=alt, **look)
