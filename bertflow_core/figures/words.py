"""Pictures of Table 1: norm against rank, measures by bin, directions that follow frequency."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bertflow_core.figures.style import BASELINE, colour_of, styled, symbol_of
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import ranks_text

__all__ = ["coordinate_bars", "measure_by_bin", "norm_against_rank"]

PUBLISHED = "BERT, published"
_TREND, _RAW = "#CC3311", "#0072B2"

Trend = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""Ranks from 0 (m,), the fitted values there, and the lower and upper ends of their interval."""


def norm_against_rank(
    ranks: npt.NDArray[np.int64],
    norms: FloatArray,
    words: Sequence[str],
    *,
    spec: str = "identity",
    label: str = "L2 norm",
    trend: Trend | None = None,
) -> go.Figure:
    """Draw one mark per word at its frequency rank, on a logarithmic axis, with the trend.

    Args:
        ranks: From 0, shape (n,); the axis counts from 1.
        norms: The norm, or another measure of a word, shape (n,).
        words: What each mark is, shown on hover and as its custom data.
        spec: The calibrator, which decides the colour.
        label: Of the vertical axis.
        trend: A line and its 95 % interval.
    """
    figure = go.Figure()
    colour = _colour(spec)
    figure.add_scattergl(
        x=ranks + 1,
        y=norms,
        mode="markers",
        marker={"size": 4, "opacity": 0.35, "color": colour},
        customdata=list(words),
        hovertemplate="%{customdata}: rank %{x}, %{y:.3f}<extra></extra>",
        name=spec,
    )
    if trend is not None:
        _add_trend(figure, trend)
    figure.update_xaxes(title="frequency rank (1 is the most frequent)", type="log", dtick=1)
    figure.update_yaxes(title=label)
    return styled(figure, height=420)


def _colour(spec: str) -> str:
    """Return a calibrator's colour; grey, the baseline's own, is the published row's here."""
    return _RAW if spec == "identity" else colour_of(spec)


def _add_trend(figure: go.Figure, trend: Trend) -> None:
    ranks, middle, low, high = trend
    order = np.argsort(ranks)
    x = ranks[order] + 1
    figure.add_scattergl(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([low[order], high[order][::-1]]),
        fill="toself",
        line={"width": 0},
        mode="lines",
        fillcolor="rgba(204, 51, 17, 0.3)",
        hoverinfo="skip",
        name="95 % interval",
    )
    figure.add_scattergl(
        x=x,
        y=middle[order],
        mode="lines",
        line={"color": _TREND, "width": 2},
        hovertemplate="trend at rank %{x:.0f}: %{y:.3f}<extra></extra>",
        name="trend",
    )


def measure_by_bin(
    bins: Sequence[tuple[int, int]],
    values: Mapping[str, Sequence[float | None]],
    *,
    label: str,
    published: Sequence[float | None] | None = None,
) -> go.Figure:
    """Draw a measure bin by bin, one line per calibrator, beside the published row.

    Args:
        bins: [low, high) of ranks from 0; the axis counts from 1.
        values: By calibrator's spec, one number per bin; None leaves a gap.
        label: What is measured.
        published: The printed numbers, None where a bin has none.
    """
    names = [ranks_text(*each) for each in bins]
    figure = go.Figure()
    if published is not None and any(number is not None for number in published):
        figure.add_scatter(
            x=names,
            y=list(published),
            name=PUBLISHED,
            mode="lines+markers",
            line={"dash": "dash", "color": BASELINE},
            marker={"symbol": "circle-open", "size": 11, "color": BASELINE},
            hovertemplate="%{x}: %{y:.2f}<extra>" + PUBLISHED + "</extra>",
        )
    for index, (spec, numbers) in enumerate(values.items()):
        colour = _colour(spec)
        figure.add_scatter(
            x=names,
            y=list(numbers),
            name=spec,
            mode="lines+markers",
            line={"color": colour},
            marker={"symbol": symbol_of(index), "size": 10, "color": colour},
            hovertemplate="%{x}: %{y:.3f}<extra>" + spec + "</extra>",
        )
    figure.update_xaxes(title="frequency ranks (1 is the most frequent)", type="category")
    figure.update_yaxes(title=label)
    return styled(figure, height=380)


def coordinate_bars(rhos: Mapping[str, Sequence[float | None]]) -> go.Figure:
    """Draw |Spearman| of each leading singular coordinate with log frequency, before and after.

    Args:
        rhos: By calibrator's spec, in [0, 1], the coordinate of largest singular value first; None
            where it is undefined.
    """
    figure = go.Figure()
    for spec, numbers in rhos.items():
        figure.add_bar(
            x=list(range(1, len(numbers) + 1)),
            y=list(numbers),
            name=spec,
            marker={"color": _colour(spec)},
            hovertemplate="coordinate %{x}: %{y:.3f}<extra>" + spec + "</extra>",
        )
    figure.update_xaxes(title="singular coordinate (1 has the largest singular value)", dtick=1)
    figure.update_yaxes(title="|Spearman's rho| with log frequency", range=[0, 1])
    return styled(figure, height=360).update_layout(barmode="group")
