"""Pictures of the guided tour, and marks that point at single values in any picture."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.cone import on_sphere
from bertflow_core.figures.style import BASELINE, colour_of, ink_on, plain, styled
from bertflow_core.linalg import FloatArray

__all__ = [
    "cosines_by_group",
    "distance_histograms",
    "length_shares",
    "mark_level",
    "mark_lines",
    "mark_on_sphere",
    "mark_values",
    "overlap_against_cosine",
]

_OWN = "#CC79A7"
_STAR = {"symbol": "star", "size": 15, "color": _OWN, "line": {"width": 1, "color": "#000000"}}
_GROUPS = (("#D55E00", "diamond"), (BASELINE, "circle-open"), ("#0072B2", "square"))
_PARTS = (("#D55E00", ""), ("#E69F00", "/"), ("#56B4E9", "."))
_GROUP_COLOURS = ("#D55E00", "#0072B2", "#999933")
_PATTERNS = ("", "/", ".")


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


def mark_values(figure: go.Figure, values: Mapping[str, float], *, own: bool = False) -> go.Figure:
    """Draw a labelled upright line at each value of a histogram, and return the figure.

    Args:
        figure: Changed.
        values: Places on the horizontal axis by label.
        own: Whether they are the learner's, who has a colour of their own.
    """
    for i, (label, value) in enumerate(sorted(values.items(), key=lambda each: each[1])):
        figure.add_vline(
            x=value,
            line={"dash": "dot" if own else "dash", "width": 2, "color": _OWN if own else BASELINE},
            annotation={
                "text": plain(label),
                "yref": "paper",
                "y": 0.98 - 0.11 * (i + own),  # each below the one before: values may be near
                "yanchor": "top",
                "xanchor": "right",
            },
        )
    return figure


def mark_level(figure: go.Figure, value: float, label: str) -> go.Figure:
    """Draw a labelled level line in the first panel of a figure, and return the figure."""
    return figure.add_hline(
        y=value,
        row=1,
        col=1,
        line={"dash": "dash", "width": 1, "color": BASELINE},
        annotation={"text": plain(label), "font": {"size": 12}},
    )


def mark_lines(figure: go.Figure, names: Sequence[str]) -> go.Figure:
    """Draw the lines of these names in the learner's colour, each with a dash of its own."""
    for name, dash in zip(names, ("dash", "dot", "dashdot"), strict=False):
        figure.update_traces(
            line={"color": _OWN, "dash": dash, "width": 3}, selector={"name": name}
        )
    return figure


def mark_on_sphere(
    figure: go.Figure, angles: npt.ArrayLike, azimuths: npt.ArrayLike, labels: Sequence[str]
) -> go.Figure:
    """Mark the learner's sentences on the first sphere of a figure of `spheres`, and return it.

    Args:
        figure: Changed.
        angles: To the pole in degrees, shape (n,).
        azimuths: Around it in degrees, shape (n,).
        labels: What each is called.
    """
    x, y, _ = on_sphere(angles, azimuths)
    return figure.add_scatter(
        x=x,
        y=y,
        mode="markers+text",
        marker=_STAR,
        text=[plain(label) for label in labels],
        textfont={"size": 14},
        textposition="top center",
        customdata=np.round(np.asarray(angles, np.float64), 1),
        hovertemplate="%{text}: %{customdata}° from the mean<extra></extra>",
        row=1,
        col=1,
    )


def overlap_against_cosine(
    overlap: FloatArray,
    cosine: FloatArray,
    groups: Sequence[str],
    names: Sequence[str],
    *,
    texts: Sequence[str],
    own: Mapping[str, tuple[float, float]],
) -> go.Figure:
    """Draw each pair's cosine against the share of words that it has in common.

    Args:
        overlap: In [0, 1], shape (N,).
        cosine: In [-1, 1], shape (N,).
        groups: Of each pair, N strings, at most three different ones.
        names: What stands beside a pair, N strings, empty for most.
        texts: Both sentences of each pair.
        own: Overlap and cosine of the learner's pairs, by name.
    """
    figure = go.Figure()
    across, up = 100 * np.asarray(overlap), np.asarray(cosine)
    for (colour, symbol), group in zip(_GROUPS, sorted(set(groups)), strict=False):
        rows = np.flatnonzero(np.array(groups) == group)
        figure.add_scatter(
            x=np.round(across[rows], 1),
            y=np.round(up[rows], 4),
            name=group,
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 7, "opacity": 0.7},
            text=[plain(texts[row]).replace("\n", "<br>") for row in rows.tolist()],
            hovertemplate="%{text}<br>overlap %{x} %, cosine %{y:.2f}<extra></extra>",
        )
    for row in np.flatnonzero(np.array(names) != "").tolist():
        figure.add_annotation(
            x=across[row], y=up[row], text=f"<b>{plain(names[row])}</b>", arrowhead=2, ay=36
        )
    if own:
        places = np.array(list(own.values()))
        figure.add_scatter(
            x=100 * places[:, 0],
            y=places[:, 1],
            name="yours",
            mode="markers+text",
            marker=_STAR,
            text=[plain(name) for name in own],
            textposition="top center",
            hovertemplate="%{text}: overlap %{x:.0f} %, cosine %{y:.2f}<extra></extra>",
        )
    figure.update_xaxes(title="word overlap in %")
    figure.update_yaxes(title="cosine of the pair, without calibration")
    return styled(figure, height=420)


def length_shares(shares: Mapping[str, Mapping[str, float]]) -> go.Figure:
    """Draw where the squared length of vectors lies, one bar of three parts per calibrator.

    Args:
        shares: By calibrator, by part; each calibrator's sum to 1.
    """
    figure = go.Figure()
    specs = list(shares)
    for (colour, pattern), part in zip(_PARTS, next(iter(shares.values())), strict=True):
        values = [round(100 * shares[spec][part], 2) for spec in specs]
        figure.add_bar(
            x=values,
            y=specs,
            name=part,
            orientation="h",
            marker={"color": colour, "pattern": {"shape": pattern, "fillmode": "overlay"}},
            text=[f"{value:.0f} %" if value >= 4 else "" for value in values],
            textposition="inside",
            insidetextanchor="middle",
            insidetextfont={"color": ink_on(colour)},
            hovertemplate="%{y}: %{x:.1f} %<extra>" + part + "</extra>",
        )
    figure.update_xaxes(title="share of the squared length in %", range=[0, 100])
    figure.update_yaxes(autorange="reversed", title=None)
    return styled(figure, height=130 + 48 * len(specs)).update_layout(barmode="stack")


def cosines_by_group(cosines: Mapping[str, FloatArray], groups: Sequence[str]) -> go.Figure:
    """Draw the cosines of each group of pairs as a box with its points, calibrators side by side.

    Args:
        cosines: Cosine of each pair by calibrator, shape (N,) each.
        groups: The group of each pair, N strings.
    """
    figure = go.Figure()
    for spec, cosine in cosines.items():
        figure.add_box(
            x=np.round(np.asarray(cosine), 4),
            y=list(groups),
            name=spec,
            orientation="h",
            marker={"color": colour_of(spec), "size": 5},
            boxpoints="all",
            jitter=0.4,
            pointpos=0,
            line={"width": 2},
            fillcolor="rgba(0,0,0,0)",
            hovertemplate="cosine %{x:.2f}<extra>" + spec + "</extra>",
        )
    figure.update_xaxes(title="cosine of a pair")
    figure.update_yaxes(autorange="reversed", title=None)
    return styled(figure, height=140 + 90 * len(set(groups))).update_layout(boxmode="group")
