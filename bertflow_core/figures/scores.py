"""Pictures of an evaluation: bars of rho, gold against cosine, and where the cosines lie."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import RHO_TITLE, colour_of, ink_on, styled
from bertflow_core.linalg import FloatArray

__all__ = [
    "cosine_by_group",
    "cosine_by_label",
    "cosine_histograms",
    "gold_against_cosine",
    "judged_bars",
    "score_bars",
    "share_histograms",
]


def score_bars(
    specs: Sequence[str],
    scores: Sequence[float | None],
    *,
    title: str = RHO_TITLE,
    names: Sequence[str] | None = None,
) -> go.Figure:
    """Draw the score x 100 of each row as a bar with its number; the first is the baseline.

    Args:
        specs: Calibrators, or other rows.
        scores: Rho or AUC, in [-1, 1], or None where it is undefined.
        title: Of the horizontal axis: the metric times 100.
        names: What each does in plain words, shown under the pointer; None shows the specs.
    """
    values = [None if score is None else 100 * score for score in scores]
    label = "y" if names is None else "hovertext"
    figure = go.Figure(
        go.Bar(
            x=values,
            y=list(specs),
            orientation="h",
            marker_color=[colour_of(spec) for spec in specs],
            text=["undefined" if value is None else f"{value:.2f}" for value in values],
            textposition="auto",
            insidetextanchor="start",  # away from the line of the baseline
            insidetextfont={"color": [ink_on(colour_of(spec)) for spec in specs]},
            hovertext=names,
            hovertemplate=f"%{{{label}}}: %{{x:.2f}}<extra></extra>",
        )
    )
    if values and values[0] is not None:
        figure.add_vline(x=values[0], line_dash="dash", line_color="gray")
    figure.update_xaxes(title=title)
    figure.update_yaxes(autorange="reversed", title=None)
    return styled(figure, height=120 + 34 * len(specs))


def judged_bars(
    panels: Sequence[tuple[str, tuple[float, float], Mapping[str, tuple[float, str]]]],
) -> go.Figure:
    """Draw one number of each calibrator as a bar with a word on it, one panel per measure.

    Args:
        panels: Of each measure its title, the ends of its axis, and by calibrator a value and the
            word for it.
    """
    figure = make_subplots(
        rows=len(panels),
        subplot_titles=[title for title, _, _ in panels],
        vertical_spacing=0.45 / len(panels),
    )
    for row, (_, (low, high), bars) in enumerate(panels, start=1):
        shares = [(value - low) / (high - low) for value, _ in bars.values()]
        figure.add_bar(
            x=[min(max(share, 0), 1) for share in shares],
            y=list(bars),
            orientation="h",
            marker_color=[colour_of(spec) for spec in bars],
            text=[f"{value:.2f}, {word}" for value, word in bars.values()],
            textposition=["inside" if share > 0.5 else "outside" for share in shares],
            insidetextanchor="start",
            insidetextfont={"color": [ink_on(colour_of(spec)) for spec in bars]},
            hovertemplate="%{y}: %{text}<extra></extra>",
            showlegend=False,
            row=row,
            col=1,
        )
        figure.update_xaxes(
            range=[0, 1], tickvals=[0, 1], ticktext=[f"{low:g}", f"{high:g}"], row=row, col=1
        )
        figure.update_yaxes(autorange="reversed", row=row, col=1)
    figure.update_annotations(x=0, xanchor="left")
    n_bars = max(len(bars) for _, _, bars in panels)
    return styled(figure, height=60 + len(panels) * (70 + 26 * n_bars))


def gold_against_cosine(
    gold: FloatArray, cosines: Mapping[str, FloatArray], *, gold_label: str
) -> go.Figure:
    """Draw each pair's gold score against its cosine, one panel per calibrator on shared axes.

    Args:
        gold: Gold scores, shape (N,).
        cosines: Cosine of each pair by calibrator, shape (N,) each.
        gold_label: Title of the horizontal axis, with its scale.
    """
    figure = make_subplots(
        cols=len(cosines), shared_yaxes=True, subplot_titles=list(cosines), horizontal_spacing=0.03
    )
    for column, (spec, cosine) in enumerate(cosines.items(), start=1):
        points = go.Scattergl(
            x=np.asarray(gold, np.float32),
            y=np.asarray(cosine, np.float32),
            mode="markers",
            marker={"color": colour_of(spec), "size": 5, "opacity": 0.55},
            customdata=np.arange(1, len(gold) + 1, dtype=np.int32),
            hovertemplate="pair %{customdata}<br>gold %{x}<br>cosine %{y:.3f}<extra></extra>",
            showlegend=False,
        )
        figure.add_trace(points, row=1, col=column)
    figure.update_xaxes(title=gold_label)
    figure.update_yaxes(title="cosine", col=1)
    return styled(figure, height=380)


def cosine_by_label(
    labels: FloatArray, cosines: Mapping[str, FloatArray], *, bins: int = 50
) -> go.Figure:
    """Draw how the cosines of each label are distributed, one panel per calibrator on shared axes.

    Args:
        labels: 1 or 0 for each pair, shape (N,).
        cosines: Cosine of each pair by calibrator, shape (N,) each.
        bins: Number of bins from -1 to 1.
    """
    figure = make_subplots(
        cols=len(cosines), shared_yaxes=True, subplot_titles=list(cosines), horizontal_spacing=0.03
    )
    edges = np.linspace(-1, 1, bins + 1)
    for column, (spec, cosine) in enumerate(cosines.items(), start=1):
        for label, dash in ((1, "solid"), (0, "dot")):
            chosen = np.clip(np.asarray(cosine)[np.asarray(labels) == label], -1, 1)
            figure.add_scatter(
                x=(edges[:-1] + edges[1:]) / 2,
                y=100 * np.histogram(chosen, edges)[0] / max(1, len(chosen)),
                name=f"label {label}",
                legendgroup=str(label),
                showlegend=column == 1,
                mode="lines",
                line={"shape": "hvh", "color": colour_of(spec), "dash": dash},
                hovertemplate=f"label {label}, cosine %{{x:.2f}}: %{{y:.1f}} %<extra></extra>",
                row=1,
                col=column,
            )
    figure.update_xaxes(title="cosine of a pair", range=[-1, 1])
    figure.update_yaxes(title="pairs of the label in %", col=1)
    return styled(figure, height=340)


def cosine_by_group(cosine: FloatArray, groups: Sequence[str], *, spec: str) -> go.Figure:
    """Draw the cosines of each group of pairs as a box with its points, on one axis.

    Args:
        cosine: Cosine of each pair, shape (N,).
        groups: The group of each pair, N strings.
        spec: The calibrator the cosines were computed under.
    """
    figure = go.Figure()
    for group in dict.fromkeys(groups):
        figure.add_box(
            x=np.asarray(cosine)[[g == group for g in groups]],
            name=group,
            marker={"color": colour_of(spec), "size": 3},
            boxpoints="all",
            jitter=0.5,
            pointpos=0,
            line={"width": 1},
            fillcolor="rgba(0,0,0,0)",
            showlegend=False,
            hovertemplate="cosine %{x:.3f}<extra>" + group + "</extra>",
        )
    figure.update_xaxes(title=f"cosine of a pair ({spec})")
    figure.update_yaxes(autorange="reversed", title=None)
    return styled(figure, height=300)


def cosine_histograms(cosines: Mapping[str, FloatArray], *, bins: int = 50) -> go.Figure:
    """Draw the distribution of the pairs' cosines, one stepped line per calibrator on shared bins.

    Args:
        cosines: Cosine of each pair by calibrator, shape (N,) each.
        bins: Number of bins from -1 to 1.
    """
    edges = np.linspace(-1, 1, bins + 1)
    shares = {
        spec: np.histogram(np.clip(cosine, -1, 1), edges)[0] / max(1, len(cosine))
        for spec, cosine in cosines.items()
    }
    return share_histograms(shares, label="cosine of a pair")


def share_histograms(shares: Mapping[str, npt.ArrayLike], *, label: str) -> go.Figure:
    """Draw histograms of cosines, one stepped line per calibrator.

    Args:
        shares: By calibrator, the share of pairs in each of equal bins from -1 to 1, shape (B,).
        label: Title of the horizontal axis.
    """
    figure = go.Figure()
    for index, (spec, share) in enumerate(shares.items()):
        heights = 100 * np.asarray(share)
        edges = np.linspace(-1, 1, len(heights) + 1)
        figure.add_scatter(
            x=(edges[:-1] + edges[1:]) / 2,
            y=heights,
            name=spec,
            mode="lines",
            line={
                "shape": "hvh",
                "color": colour_of(spec),
                "dash": ("solid", "dash", "dot", "dashdot")[index % 4],
            },
            fill="tozeroy",
            hovertemplate="cosine %{x:.2f}: %{y:.1f} %<extra>" + spec + "</extra>",
        )
    figure.update_xaxes(title=label, range=[-1, 1])
    figure.update_yaxes(title="pairs in %")
    return styled(figure, height=320)
