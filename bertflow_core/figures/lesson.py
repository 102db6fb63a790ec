"""Distances and cosines of groups, and marks that point at single values in a histogram."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from bertflow_core.figures.kinds import DOWN, histogram, lines, panels, picture
from bertflow_core.figures.style import BASELINE, Figure, colour_of, plain
from bertflow_core.linalg import FloatArray

_OWN = "#CC79A7"
_CLOUDS = ("#D55E00", "#0072B2")


def distance_histograms(
    distances: Mapping[str, Mapping[str, FloatArray]], *, label: str, bins: int = 40
) -> Figure:
    """Draw distances, one panel per space and one stepped line per group, in percent of its rows.

    Distances, shape (N,), come by space, then by group; the groups of a panel share its bins.
    """
    drawn = {}
    for space, groups in distances.items():
        edges = np.histogram_bin_edges(np.concatenate(list(groups.values())), bins)
        shares = {name: histogram(values, edges) for name, values in groups.items()}
        drawn[space] = lines(shares, _CLOUDS, "%{x:.2f}: %{y:.1f} %", dashed=True, step=True)
    return panels(
        drawn,
        across=len(drawn),
        x=label,
        y="rows in %",
        height=360,
        alt=f"{label}, a panel per space, a line per group",
        margin={"t": 80},
        legend={"y": 1.1},
    )


def mark_values(figure: Figure, values: Mapping[str, float], *, own: bool = False) -> Figure:
    """Draw a labelled upright line at each value of a histogram; the learner's own are dotted."""
    for i, (label, value) in enumerate(sorted(values.items(), key=lambda each: each[1])):
        y = 0.98 - 0.11 * (i + own)  # each below the one before: values may be near
        note = {"text": plain(label), "yref": "paper", "y": y, "yanchor": "top", "xanchor": "right"}
        look = {"dash": "dot" if own else "dash", "color": _OWN if own else BASELINE}
        figure.add_vline(x=value, line={"width": 2, **look}, annotation=note)
    return figure


def cosines_by_group(cosines: Mapping[str, FloatArray], groups: Sequence[str]) -> Figure:
    """Draw the cosines of each group of pairs as a box with its points, by calibrator."""
    return picture(
        [
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
        ],
        x="cosine of a pair",
        y=DOWN,
        height=140 + 90 * len(set(groups)),
        alt="Cosines of each group of pairs, calibrators side by side",
        boxmode="group",
    )
