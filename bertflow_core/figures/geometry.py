"""Pictures of a space: its spectrum, its norms and quantiles against a Gaussian's, its measures."""

import math
import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import BASELINE, colour_of, styled
from bertflow_core.linalg import VARIANCE_FLOOR, FloatArray

__all__ = [
    "likelihood_histograms",
    "measures_by_layer",
    "norms_against_chi",
    "quantile_plot",
    "singular_spectra",
]

_DASHES = ("solid", "dash", "dot", "dashdot")
_GROUPS = ("#0072B2", "#D55E00", "#56B4E9", "#E69F00")
_PANELS_ACROSS = 3
_TITLE_WIDTH = 34


def singular_spectra(
    spectra: Mapping[str, FloatArray], calibrators: Sequence[str], *, relative: bool = True
) -> go.Figure:
    """Draw singular spectra over each other on a logarithmic axis.

    Args:
        spectra: Standard deviations along the principal directions, falling, shape (K,), by label;
            directions whose variance is not above `VARIANCE_FLOOR` of the largest are left out.
        calibrators: The spec of each, which decides its colour.
        relative: Whether each is divided by its largest, so that shapes can be compared.
    """
    figure = go.Figure()
    for index, (label, spectrum) in enumerate(spectra.items()):
        values = np.asarray(spectrum)
        values = values[values > math.sqrt(VARIANCE_FLOOR) * values.max(initial=0.0)]
        figure.add_scatter(
            x=np.arange(1, len(values) + 1),
            y=values / values[0] if relative and len(values) else values,
            name=label,
            mode="lines",
            line={"color": colour_of(calibrators[index]), "dash": _DASHES[index % 4]},
            hovertemplate="direction %{x}: %{y:.3g}<extra>" + label + "</extra>",
        )
    figure.update_xaxes(title="principal direction")
    figure.update_yaxes(
        title="standard deviation" + (", share of the largest" if relative else ""),
        type="log",
        dtick="D2",
        exponentformat="power",
    )
    return styled(figure, height=380)


def quantile_plot(
    points: Mapping[str, tuple[FloatArray, FloatArray]],
    calibrators: Sequence[str],
    *,
    expected: str,
    found: str,
) -> go.Figure:
    """Draw quantiles against those of a Gaussian, and the diagonal where they agree.

    Args:
        points: Expected and found quantiles, rising, shape (P,) each, by label.
        calibrators: The spec of each, which decides its colour.
        expected: Title of the horizontal axis, with its unit.
        found: Title of the vertical axis.
    """
    figure = go.Figure()
    for index, (label, (across, up)) in enumerate(points.items()):
        figure.add_scatter(
            x=across,
            y=up,
            name=label,
            mode="lines+markers",
            marker={"size": 4, "color": colour_of(calibrators[index])},
            line={"width": 1, "dash": _DASHES[index % 4], "color": colour_of(calibrators[index])},
            hovertemplate="expected %{x:.3f}: %{y:.3f}<extra>" + label + "</extra>",
        )
    ends = [f(across) for across, _ in points.values() for f in (np.min, np.max)]
    low, high = (float(min(ends)), float(max(ends))) if ends else (0.0, 1.0)
    figure.add_scatter(
        x=[low, high],
        y=[low, high],
        name="agreement",
        mode="lines",
        line={"color": BASELINE, "dash": "dot"},
        hoverinfo="skip",
    )
    figure.update_xaxes(title=expected)
    figure.update_yaxes(title=found)
    return styled(figure, height=380)


def norms_against_chi(
    norms: Mapping[str, FloatArray],
    calibrators: Sequence[str],
    *,
    dimensions: Sequence[int],
    bins: int = 25,
) -> go.Figure:
    """Draw the density of norms, one stepped line per space, over that of chi with D degrees.

    Args:
        norms: Of latent rows, shape (N,), by label.
        calibrators: The spec of each, which decides its colour.
        dimensions: D of each space; every different D has its curve.
        bins: Number of bins of each space, between its own least and largest norm.
    """
    middles = [math.sqrt(d) for d in dimensions]
    ends = [float(f(each)) for each in norms.values() for f in (np.min, np.max)]
    low, high = min(*ends, min(middles) - 3), max(*ends, max(middles) + 3)
    figure = go.Figure()
    for index, (label, lengths) in enumerate(norms.items()):
        x, counts = _steps(lengths, np.histogram_bin_edges(lengths, bins))
        figure.add_scatter(
            x=x,
            y=counts / (counts.sum() * (x[1] - x[0])),
            name=label,
            mode="lines",
            line={
                "shape": "hvh",
                "color": colour_of(calibrators[index]),
                "dash": _DASHES[index % 4],
            },
            hovertemplate="norm %{x:.2f}: %{y:.3f}<extra>" + label + "</extra>",
        )
    across = np.linspace(max(0.0, low), high, 400)
    for d in sorted(set(dimensions)):
        figure.add_scatter(
            x=across,
            y=_chi_density(across, d),
            name=f"chi({d})",
            mode="lines",
            line={"color": BASELINE, "dash": "longdashdot"},
            hovertemplate=f"norm %{{x:.2f}}: %{{y:.3f}}<extra>chi({d})</extra>",
        )
    figure.update_xaxes(title="norm of a latent vector")
    figure.update_yaxes(title="density", rangemode="tozero")
    return styled(figure, height=360)


def _steps(values: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return centres and counts of bins, with an empty bin at either end: lines come down to 0."""
    counts = np.histogram(values, edges)[0]
    step = edges[1] - edges[0]
    x = edges[0] + step * (np.arange(-1, len(counts) + 1) + 0.5)
    return x, np.pad(counts, 1).astype(np.float64)


def _chi_density(x: FloatArray, d: int) -> FloatArray:
    """Return 2^(1 - d/2) x^(d - 1) exp(-x^2 / 2) / Gamma(d / 2), shape (N,)."""
    positive = np.maximum(x, np.finfo(float).tiny)
    logs = (1 - d / 2) * math.log(2) + (d - 1) * np.log(positive) - positive**2 / 2
    density: FloatArray = np.exp(logs - math.lgamma(d / 2))
    return density


def measures_by_layer(
    panels: Mapping[str, Mapping[str, Sequence[float | None]]], layers: Sequence[str]
) -> go.Figure:
    """Draw a small panel per measure, each with its own scale: a line per calibrator over layers.

    Args:
        panels: Values by measure's label (with its unit or range), then by calibrator's spec, one a
            layer; None leaves a gap.
        layers: Names of the layers, in order.
    """
    across = max(1, min(len(panels), _PANELS_ACROSS))
    down = max(1, math.ceil(len(panels) / across))
    figure = make_subplots(
        rows=down,
        cols=across,
        subplot_titles=["<br>".join(textwrap.wrap(name, _TITLE_WIDTH)) for name in panels],
        vertical_spacing=0.4 / down,
    )
    for i, lines in enumerate(panels.values()):
        for spec, values in lines.items():
            trace = go.Scatter(
                x=[name.removeprefix("layer:") for name in layers],
                y=list(values),
                name=spec,
                legendgroup=spec,
                showlegend=i == 0,
                mode="lines+markers",
                line={"color": colour_of(spec)},
                hovertemplate="layer %{x}: %{y:.4g}<extra>" + spec + "</extra>",
            )
            figure.add_trace(trace, row=i // across + 1, col=i % across + 1)
    figure.update_xaxes(type="category", title="layer")
    figure.update_annotations(font_size=12)
    styled(figure, height=100 + 240 * down)
    return figure.update_layout(legend={"y": 1.0 + 0.12 / down}, margin={"t": 80})


def likelihood_histograms(groups: Mapping[str, FloatArray], *, bins: int = 60) -> go.Figure:
    """Draw histograms of log-densities, one stepped line per group on shared bins.

    Args:
        groups: Log-densities in nats, shape (N,), by name: real rows, samples, midpoints.
        bins: Number of bins.
    """
    every = np.concatenate([np.asarray(each, np.float64) for each in groups.values()])
    edges = np.histogram_bin_edges(every, bins)
    figure = go.Figure()
    for index, (name, values) in enumerate(groups.items()):
        x, counts = _steps(values, edges)
        figure.add_scatter(
            x=x,
            y=100 * counts / max(1, len(values)),
            name=name,
            mode="lines",
            line={
                "shape": "hvh",
                "color": _GROUPS[index % len(_GROUPS)],
                "dash": _DASHES[index % 4],
            },
            hovertemplate="%{x:.0f} nats: %{y:.1f} %<extra>" + name + "</extra>",
        )
    figure.update_xaxes(title="log-density in nats")
    figure.update_yaxes(title="rows in %", rangemode="tozero")
    return styled(figure, height=340)
