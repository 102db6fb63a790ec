"""Paths through latent space, and samples from it: how near real sentences are, how likely."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import BASELINE, styled
from bertflow_core.linalg import FloatArray

__all__ = ["distance_histograms", "walk_lines"]

_LINES = (
    {"color": BASELINE, "width": 6},  # where an affine map lays another way on it, it still shows
    {"color": "#D55E00", "width": 2},
    {"color": "#0072B2", "width": 2, "dash": "dot"},
)
_MARKERS = (
    {"symbol": "square", "size": 12},
    {"symbol": "circle", "size": 7},
    {"symbol": "diamond", "size": 7},
)
_GROUP_COLOURS = ("#D55E00", "#0072B2", "#999933")
_PATTERNS = ("", "/", ".")


def walk_lines(
    fractions: FloatArray,
    nearness: Mapping[str, FloatArray],
    *,
    title: str,
    log_density: Mapping[str, FloatArray] | None = None,
    band: tuple[float, float, float] | None = None,
) -> go.Figure:
    """Draw three paths from one sentence to another: distance to real sentences, and density.

    Args:
        fractions: How far each step is, from 0 to 1, shape (n,).
        nearness: Cosine or distance of the nearest real sentence, shape (n,), by way.
        title: What `nearness` is.
        log_density: In nats, shape (n,), by way; None where there is none.
        band: 5th, 50th and 95th percentile of the real sentences' log-density, in nats.
    """
    panels: dict[str, Mapping[str, FloatArray]] = {}
    if log_density is not None:
        panels["log-density in nats"] = log_density
    panels[title] = nearness
    figure = make_subplots(rows=len(panels), cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, (name, ways) in enumerate(panels.items(), start=1):
        for index, (way, values) in enumerate(ways.items()):
            trace = go.Scatter(
                x=fractions,
                y=values,
                name=way,
                legendgroup=way,
                showlegend=row == 1,
                mode="lines+markers",
                line=_LINES[index % len(_LINES)],
                marker=_MARKERS[index % len(_MARKERS)],
                hovertemplate=f"%{{x:.2f}} of the way: %{{y:.4g}}<extra>{way}</extra>",
            )
            figure.add_trace(trace, row=row, col=1)
        figure.update_yaxes(title=name, row=row, col=1)
    if log_density is not None and band is not None:
        _draw_band(figure, band)
    figure.update_xaxes(title="share of the way", row=len(panels), col=1)
    return styled(figure, height=80 + 260 * len(panels))


def distance_histograms(
    panels: Mapping[str, Mapping[str, FloatArray]], *, bins: int = 40
) -> go.Figure:
    """Draw how far the nearest real sentence is, one panel per space and one histogram per group.

    Args:
        panels: Distances, shape (N,), by group, by space.
        bins: Number of bins of a panel, which its groups share.
    """
    figure = make_subplots(
        rows=1, cols=len(panels), subplot_titles=list(panels), horizontal_spacing=0.06
    )
    seen: set[str] = set()
    for column, groups in enumerate(panels.values(), start=1):
        edges = np.histogram_bin_edges(np.concatenate(list(groups.values())), bins)
        for index, (name, distances) in enumerate(groups.items()):
            trace = go.Histogram(
                x=distances,
                xbins={"start": edges[0], "end": edges[-1], "size": edges[1] - edges[0]},
                histnorm="percent",
                name=name,
                legendgroup=name,
                showlegend=name not in seen,
                opacity=0.6,
                marker={
                    "color": _GROUP_COLOURS[index % len(_GROUP_COLOURS)],
                    "pattern": {
                        "shape": _PATTERNS[index % len(_PATTERNS)],
                        "fillmode": "overlay",
                    },
                },
                hovertemplate="%{x}: %{y:.1f} %<extra>" + name + "</extra>",
            )
            figure.add_trace(trace, row=1, col=column)
            seen.add(name)
    figure.update_xaxes(title="L2 distance to the nearest")
    figure.update_yaxes(title="points in %", col=1)
    figure.update_annotations(font_size=12)
    return styled(figure, height=360).update_layout(
        barmode="overlay", margin={"t": 80}, legend={"y": 1.1}
    )


def _draw_band(figure: go.Figure, band: tuple[float, float, float]) -> None:
    """Shade where 90 % of the real sentences lie in the first panel, and mark their median.

    Words in the panel would be crossed by the curves, so the legend names both.
    """
    low, median, high = band
    figure.add_hrect(
        y0=low,
        y1=high,
        row=1,
        col=1,
        fillcolor=BASELINE,
        opacity=0.2,
        line_width=0,
        name="middle 90 % of the real sentences",
        showlegend=True,
    )
    figure.add_hline(
        y=median,
        row=1,
        col=1,
        line={"color": BASELINE, "width": 1},
        name="median of the real sentences",
        showlegend=True,
    )
