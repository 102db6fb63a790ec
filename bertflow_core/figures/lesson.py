"""Pictures of the guided tour, and marks that point at single values in any picture."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bertflow_core.figures.cone import on_sphere
from bertflow_core.figures.kinds import DOWN, boxes, panels, picture, points
from bertflow_core.figures.style import BASELINE, Figure, colour_of, ink_on, plain
from bertflow_core.linalg import FloatArray

_OWN = "#CC79A7"
_STAR = {"symbol": "star", "size": 15, "line": {"width": 1, "color": "#000000"}}
_PAIRS = (("#D55E00", "diamond"), (BASELINE, "circle-open"), ("#0072B2", "square"))
_PARTS = (("#D55E00", ""), ("#E69F00", "/"), ("#56B4E9", "."))
_CLOUDS = (("#D55E00", ""), ("#0072B2", "/"), ("#999933", "."))


def distance_histograms(
    distances: Mapping[str, Mapping[str, FloatArray]], *, bins: int = 40
) -> Figure:
    """Draw how far the nearest real sentence is, one panel per space and one histogram per group.

    Distances, shape (N,), come by space, then by group; the groups of a panel share its bins.
    """
    drawn: dict[str, list[go.Histogram]] = {space: [] for space in distances}
    for space, groups in distances.items():
        edges = np.histogram_bin_edges(np.concatenate(list(groups.values())), bins)
        for (name, values), (colour, pattern) in zip(groups.items(), _CLOUDS, strict=False):
            histogram = go.Histogram(
                x=values,
                xbins={"start": edges[0], "end": edges[-1], "size": edges[1] - edges[0]},
                histnorm="percent",
                name=name,
                opacity=0.6,
                marker=_filled(colour, pattern),
                hovertemplate="%{x}: %{y:.1f} %<extra>" + name + "</extra>",
            )
            drawn[space].append(histogram)
    return panels(
        drawn,
        across=len(drawn),
        x="L2 distance to the nearest",
        y="points in %",
        height=360,
        alt="Distance to the nearest real sentence, a panel per space, a histogram per group",
        grid={"horizontal_spacing": 0.06},
        barmode="overlay",
        margin={"t": 80},
        legend={"y": 1.1},
    )


def _filled(colour: str, pattern: str) -> dict[str, object]:
    return {"color": colour, "pattern": {"shape": pattern, "fillmode": "overlay"}}


def mark_values(figure: Figure, values: Mapping[str, float], *, own: bool = False) -> Figure:
    """Draw a labelled upright line at each value of a histogram; the learner's own are dotted."""
    for i, (label, value) in enumerate(sorted(values.items(), key=lambda each: each[1])):
        y = 0.98 - 0.11 * (i + own)  # each below the one before: values may be near
        note = {"text": plain(label), "yref": "paper", "y": y, "yanchor": "top", "xanchor": "right"}
        look = {"dash": "dot" if own else "dash", "color": _OWN if own else BASELINE}
        figure.add_vline(x=value, line={"width": 2, **look}, annotation=note)
    return figure


def mark_level(figure: Figure, value: float, label: str) -> Figure:
    """Draw a labelled level line in the first panel of a figure."""
    look = {"dash": "dash", "width": 1, "color": BASELINE}
    note = {"text": plain(label), "font": {"size": 12}}
    return figure.add_hline(y=value, row=1, col=1, line=look, annotation=note)


def mark_lines(figure: Figure, names: Sequence[str]) -> Figure:
    """Draw the lines of these names in the learner's colour, each with a dash of its own."""
    for name, dash in zip(names, ("dash", "dot", "dashdot"), strict=False):
        look = {"color": _OWN, "dash": dash, "width": 3}
        figure.update_traces(line=look, selector={"name": name})
    return figure


def mark_on_sphere(
    figure: Figure, angles: npt.ArrayLike, azimuths: npt.ArrayLike, labels: Sequence[str]
) -> Figure:
    """Mark the learner's sentences, by their angles in degrees, on the first of `spheres`."""
    x, y, _ = on_sphere(angles, azimuths)
    hover = "%{text}: %{customdata}° from the mean"
    shown = {"customdata": np.round(np.asarray(angles, np.float64), 1), "textfont": {"size": 14}}
    return figure.add_trace(_stars(x, y, labels, hover, **shown), row=1, col=1)


def _stars(
    x: npt.ArrayLike, y: npt.ArrayLike, labels: Sequence[str], hover: str, **more: object
) -> go.Scatter:
    look = {"marker": _STAR, "mode": "markers+text", "textposition": "top center"}
    return points(x, y, _OWN, hover, text=[plain(label) for label in labels], **look, **more)


def overlap_against_cosine(
    overlap: FloatArray,
    cosine: FloatArray,
    groups: Sequence[str],
    names: Sequence[str],
    *,
    texts: Sequence[str],
    own: Mapping[str, tuple[float, float]],
) -> Figure:
    """Draw each pair's cosine against the share of words that it has in common.

    Args:
        overlap: In [0, 1], shape (N,).
        cosine: In [-1, 1], shape (N,).
        groups: Of each pair, N strings, at most three different ones.
        names: What stands beside a pair, N strings, empty for most.
        texts: Both sentences of each pair.
        own: Overlap and cosine of the learner's pairs, by name.
    """
    across, up, of = 100 * np.asarray(overlap), np.asarray(cosine), np.asarray(groups)
    drawn = []
    for (colour, symbol), group in zip(_PAIRS, sorted(set(groups)), strict=False):
        rows = np.flatnonzero(of == group)
        text = [plain(texts[row]).replace("\n", "<br>") for row in rows.tolist()]
        hover = "%{text}<br>overlap %{x} %, cosine %{y:.2f}"
        look = {"symbol": symbol, "size": 7, "opacity": 0.7}
        places = np.round(across[rows], 1), np.round(up[rows], 4)
        drawn.append(points(*places, colour, hover, name=group, marker=look, text=text))
    if own:
        x, y = np.array(list(own.values())).T
        hover = "%{text}: overlap %{x:.0f} %, cosine %{y:.2f}"
        drawn.append(_stars(100 * x, y, list(own), hover, name="yours"))
    figure = picture(
        drawn,
        x="word overlap in %",
        y="cosine of the pair, without calibration",
        height=420,
        alt="Cosine of each pair against the share of words that its sentences have in common",
    )
    for row in np.flatnonzero(np.array(names) != "").tolist():
        name = f"<b>{plain(names[row])}</b>"
        figure.add_annotation(x=across[row], y=up[row], text=name, arrowhead=2, ay=36)
    return figure


def length_shares(shares: Mapping[str, Mapping[str, float]]) -> Figure:
    """Draw where the squared length of vectors lies, one bar of three parts per calibrator."""
    specs, drawn = list(shares), []
    for (colour, pattern), part in zip(_PARTS, next(iter(shares.values())), strict=True):
        values = [round(100 * shares[spec][part], 2) for spec in specs]
        bar = go.Bar(
            x=values,
            y=specs,
            name=part,
            orientation="h",
            marker=_filled(colour, pattern),
            text=[f"{value:.0f} %" if value >= 4 else "" for value in values],
            textposition="inside",
            insidetextanchor="middle",
            insidetextfont={"color": ink_on(colour)},
            hovertemplate="%{y}: %{x:.1f} %<extra>" + part + "</extra>",
        )
        drawn.append(bar)
    across = {"title": "share of the squared length in %", "range": [0, 100]}
    alt = "Where the squared length of vectors lies, a bar of parts per calibrator"
    height = 130 + 48 * len(specs)
    return picture(drawn, x=across, y=DOWN, height=height, alt=alt, barmode="stack")


def cosines_by_group(cosines: Mapping[str, FloatArray], groups: Sequence[str]) -> Figure:
    """Draw the cosines of each group of pairs as a box with its points, by calibrator."""
    hover = "cosine %{x:.2f}"
    look = {"y": list(groups), "size": 5, "orientation": "h", "jitter": 0.4, "line": {"width": 2}}
    return picture(
        [
            boxes(np.round(np.asarray(cosine), 4), spec, colour_of(spec), hover, **look)
            for spec, cosine in cosines.items()
        ],
        x="cosine of a pair",
        y=DOWN,
        height=140 + 90 * len(set(groups)),
        alt="Cosines of each group of pairs, calibrators side by side",
        boxmode="group",
    )
