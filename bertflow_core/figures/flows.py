"""Pictures of a fit of the flow: its curves, and two features of the latent space."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import BASELINE, colour_of, styled
from bertflow_core.linalg import FloatArray

__all__ = ["LOSS", "fit_curves", "latent_features", "side_by_side"]

LOSS = "loss, bits per dimension"
_ACROSS = 2  # a telephone has room for no more
_LINEAR_STEPS = 50
_MAX_LOSSES = 200
_BINS = 40
_WIDEST = 4.0
_BEGINNING = 0.5
"""Where step 0 stands on a logarithmic axis."""


def fit_curves(
    losses: Sequence[float],
    steps: Sequence[int],
    measures: Mapping[str, Sequence[float | None]],
    *,
    before: Mapping[str, float | None],
    n_steps: int,
    at: int | None = None,
) -> go.Figure:
    """Draw one panel per quantity over the steps of a fit; a long fit has a logarithmic axis.

    Args:
        losses: Bits per dimension of each step so far; drawn as means of at most 200 parts.
        steps: The checkpoints so far, C of them.
        measures: Values at the checkpoints, C each, by label with unit or range.
        before: The value of the embeddings as they are, by label; drawn as a grey line.
        n_steps: Steps of the whole fit, so that the axis stays while it runs.
        at: The step to mark.
    """
    panels = {LOSS: _means(losses), **{name: (steps, values) for name, values in measures.items()}}
    down = math.ceil(len(panels) / _ACROSS)
    figure = make_subplots(
        rows=down, cols=_ACROSS, subplot_titles=list(panels), vertical_spacing=0.45 / down
    )
    is_log = n_steps > _LINEAR_STEPS
    for i, (name, (x, y)) in enumerate(panels.items()):
        place = {"row": i // _ACROSS + 1, "col": i % _ACROSS + 1}
        trace = go.Scatter(
            x=[step or _BEGINNING for step in x] if is_log else list(x),
            y=list(y),
            customdata=list(x),
            name=name,
            mode="lines" if name == LOSS else "lines+markers",
            line={"color": colour_of("flow")},
            hovertemplate="step %{customdata:,.0f}: %{y:.4g}<extra></extra>",
        )
        figure.add_trace(trace, **place)
        if before.get(name) is not None:
            figure.add_hline(before[name], line={"color": BASELINE, "dash": "dot"}, **place)
        if at is not None:
            figure.add_vline(at or (_BEGINNING if is_log else 0), line={"color": BASELINE}, **place)
    if is_log:
        figure.update_xaxes(**_log_axis(n_steps))
    else:
        figure.update_xaxes(range=[-0.02 * n_steps, 1.02 * n_steps])
    figure.update_xaxes(title="step of the fit")
    figure.update_annotations(font_size=12)
    return styled(figure, height=40 + 240 * down).update_layout(showlegend=False)


def side_by_side(
    label: str, names: Sequence[str], specs: Sequence[str], values: Sequence[float | None]
) -> go.Figure:
    """Draw one quantity of some spaces as a bar each, the first space on top.

    Args:
        label: The quantity, with unit or range.
        names: Of the S spaces.
        specs: The calibrators whose colours they have, S of them.
        values: The quantity of each space, S of them.
    """
    bars = go.Bar(
        x=list(values),
        y=list(names),
        orientation="h",
        marker={"color": [colour_of(spec) for spec in specs]},
        text=["" if value is None else f"{value:.3g}" for value in values],
        textposition="auto",
        hovertemplate="%{y}: %{x:.4g}<extra></extra>",
    )
    figure = go.Figure(bars)
    figure.update_xaxes(title={"text": label, "font": {"size": 12}})
    figure.update_yaxes(autorange="reversed", automargin=True)
    return styled(figure, height=80 + 34 * len(names)).update_layout(showlegend=False)


def _log_axis(n_steps: int) -> dict[str, Any]:
    """Return a logarithmic axis of steps on which the beginning, step 0, has a place too."""
    decades = [10**power for power in range(math.floor(math.log10(n_steps)) + 1)]
    return {
        "type": "log",
        "range": [math.log10(_BEGINNING) - 0.05, math.log10(n_steps) + 0.05],
        "tickvals": [_BEGINNING, *decades],
        "ticktext": ["0", *(f"{decade:,}" for decade in decades)],
    }


def _means(losses: Sequence[float]) -> tuple[Sequence[float], Sequence[float]]:
    """Return steps and losses, each the mean of as many steps as its share of a log axis."""
    if not losses:
        return [], []
    edges = np.unique(np.geomspace(1, len(losses) + 1, _MAX_LOSSES + 1).astype(int))
    parts = np.split(np.asarray(losses, np.float64), edges[1:-1] - 1)
    middles = [(a + b - 1) / 2 for a, b in pairwise(edges.tolist())]
    return middles, [float(part.mean()) for part in parts]


def latent_features(values: FloatArray, names: tuple[str, str]) -> go.Figure:
    """Draw two features beside N(0, 1): each one's histogram, and one against the other.

    Args:
        values: Shape (N, 2); the axes reach to 4 of both signs, or farther where the values do.
        names: Of the two features.
    """
    figure = make_subplots(
        rows=2,
        cols=2,
        specs=[[{}, {}], [{"colspan": 2}, None]],
        subplot_titles=[*names, " against ".join(names[::-1])],
        row_heights=[0.4, 0.6],
    )
    reach = max(_WIDEST, float(np.abs(values).max()))
    for column in range(2):
        for trace in _marginal(values[:, column], reach):
            figure.add_trace(trace, row=1, col=column + 1)
        figure.update_xaxes(title=names[column], row=1, col=column + 1)
    for trace in _scatter(values):
        figure.add_trace(trace, row=2, col=1)
    figure.update_yaxes(title="density", row=1, col=1)
    square = {"range": [-reach, reach], "constrain": "domain"}
    figure.update_xaxes(title=names[0], **square, row=2, col=1)
    figure.update_yaxes(title=names[1], **square, scaleanchor="x3", row=2, col=1)
    figure.update_annotations(font_size=12)
    return styled(figure, height=640).update_layout(showlegend=False)


def _marginal(values: FloatArray, reach: float) -> tuple[go.Histogram, go.Scatter]:
    """Return a histogram of values, shape (N,), and the density of N(0, 1)."""
    across = np.linspace(-reach, reach, 300)
    bars = go.Histogram(
        x=values,
        histnorm="probability density",
        xbins={"start": -reach, "end": reach, "size": 2 * reach / _BINS},
        marker={"color": colour_of("flow")},
        hovertemplate="%{x}: %{y:.3f}<extra></extra>",
    )
    normal = np.exp(-np.square(across) / 2) / math.sqrt(2 * math.pi)
    line = {"color": BASELINE, "dash": "dash"}
    return bars, go.Scatter(x=across, y=normal, mode="lines", line=line, hoverinfo="skip")


def _scatter(values: FloatArray) -> list[go.Scatter]:
    """Return points, shape (N, 2), and the circles at 1, 2 and 3 standard deviations."""
    points = go.Scatter(
        x=values[:, 0],
        y=values[:, 1],
        mode="markers",
        marker={"size": 4, "color": colour_of("flow"), "opacity": 0.6},
        hovertemplate="%{x:.2f}, %{y:.2f}<extra></extra>",
    )
    angle = np.linspace(0, 2 * np.pi, 100)
    circles = [
        go.Scatter(
            x=deviations * np.cos(angle),
            y=deviations * np.sin(angle),
            mode="lines",
            line={"color": BASELINE, "dash": "dash", "width": 1},
            hoverinfo="skip",
        )
        for deviations in (1, 2, 3)
    ]
    return [points, *circles]
