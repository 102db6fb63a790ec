"""Directions on a sphere: the cone, before and after calibration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from plotly.graph_objects import Scatter

from bertflow_core.arrays.types import FloatArray
from bertflow_core.figures.kinds import Traces, line, panels, points
from bertflow_core.figures.style import BASELINE, Figure, colour_of, in_html

_ARROW = "#D55E00"
TILT = np.radians(18)
"""Tilt of the view in radians; circles around the arrow become ellipses."""


@dataclass(frozen=True)
class Sphere:
    """One panel: points on a sphere around an arrow for the mean."""

    title: str  # title of the panel
    spec: str  # its calibrator, which sets the colour
    angles: npt.ArrayLike = field(repr=False)  # angle to the arrow in degrees, shape (N,)
    azimuths: npt.ArrayLike = field(repr=False)  # angle around the arrow in degrees, shape (N,)
    mean_length: float  # length of the mean of the unit vectors, which the arrow shows
    texts: Sequence[str] = field(repr=False)  # hover text of the points, N strings


def spheres(shown: Sequence[Sphere]) -> Figure:
    """Draw directions on spheres seen from the side, and their mean as an upward arrow.

    The angle to the arrow is exact. Points on the far side are small and pale.
    """
    lengths = ", ".join(f"{each.mean_length:.2f} under {each.spec}" for each in shown)
    bare = {"visible": False, "range": [-1.08, 1.08], "fixedrange": True}
    return panels(
        {each.title: [_grid(), *_traces(each)] for each in shown},
        across=len(shown),
        x=bare,
        y=[{**bare, "scaleanchor": f"x{i or ''}"} for i in (0, *range(2, len(shown) + 1))],
        height=(0, 300),
        alt=f"Sentences as points on spheres; the mean of their directions has length {lengths}",
        grid={"horizontal_spacing": 0.02},
        showlegend=False,
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 0, "r": 0, "t": 40, "b": 0},
    )


def _traces(panel: Sphere) -> Traces:
    x, y, nearness = on_sphere(panel.angles, panel.azimuths)
    near = nearness > 0
    directions = points(
        x,
        y,
        colour_of(panel.spec),
        "%{text}<br>%{customdata:.0f}° from the mean",
        marker_size=np.where(near, 6, 4),
        marker_opacity=np.where(near, 0.85, 0.4),
        text=[in_html(text) for text in panel.texts],
        customdata=panel.angles,
    )
    arrow = points(
        [0, 0],
        [0, top_of_arrow(panel.mean_length)],
        _ARROW,
        f"mean of the unit vectors: length {panel.mean_length:.2f}",
        mode="lines+markers",
        line={"color": _ARROW, "width": 4},
        marker_size=[0, 13],
        marker_symbol="triangle-up",
    )
    return [directions, arrow]


def on_sphere(
    angles: npt.ArrayLike, azimuths: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return across, up and nearness of directions, (N,) each; the far side is negative."""
    theta, phi = np.radians(angles), np.radians(azimuths)
    depth, height = np.sin(theta) * np.sin(phi), np.cos(theta)
    up = height * np.cos(TILT) - depth * np.sin(TILT)
    nearness = depth * np.cos(TILT) + height * np.sin(TILT)
    across = np.sin(theta) * np.cos(phi)
    return np.round(across, 3), np.round(up, 3), np.round(nearness, 3)


def top_of_arrow(mean_length: float) -> float:
    """Return the height of the tip of a mean vector's arrow in `spheres`."""
    return float(mean_length * np.cos(TILT))


def arrow(title: str, spec: str, mean_length: float) -> dict[str, Any]:
    """Return the title, colour and arrow of a panel of `spheres`, for a browser to draw."""
    top = top_of_arrow(mean_length)
    return {"title": title, "colour": colour_of(spec), "top": top, "mean_length": mean_length}


def spheres_payload(
    shown: Mapping[str, Mapping[str, Any]],
    pairs: Sequence[Sequence[Any]],
    scale: tuple[float, float],
) -> dict[str, Any]:
    """Return what `cone.js` draws: a sphere for each row of a report of `cone`, by its title.

    `pairs` has the shown pairs of the report; `scale` the lowest and the highest gold score. Lists
    are in tuples, because Streamlit checks whether a list is a table. That imports pandas, which
    would delay the first picture.
    """
    return {
        "panels": tuple(_panel(title, row) for title, row in shown.items()),
        "circles": tuple({"x": x.tolist(), "y": y.tolist()} for x, y in circles()),
        "pairs": tuple(pairs),
        "scale": scale,
    }


def _panel(title: str, row: Mapping[str, Any]) -> dict[str, Any]:
    x, y, nearness = on_sphere(row["angles"], row["azimuths"])
    return {
        **arrow(title, row["calibrator"], row["mean_length"]),
        "x": x.tolist(),
        "y": y.tolist(),
        "near": np.where(nearness > 0, 1, 0).tolist(),
        "pair_angles": row["pair_angles"],
    }


def circles() -> list[tuple[FloatArray, FloatArray]]:
    """Return x and y of the lines under the points of `spheres`, the outline first, (73,) each."""
    turn = np.linspace(0, 360, 73)
    outline = np.round([np.sin(np.radians(turn)), np.cos(np.radians(turn))], 3)
    rings = [on_sphere(np.full_like(turn, angle), turn) for angle in (30, 60, 90)]
    return [(outline[0], outline[1]), *((x, y) for x, y, _ in rings)]


def _grid() -> Scatter:
    lines = [(np.append(x, np.nan), np.append(y, np.nan)) for x, y in circles()]
    x, y = (np.concatenate(each) for each in zip(*lines, strict=True))
    return line("", x, y, BASELINE, line_width=1, opacity=0.45)
