"""Figures of words: Table 1 and Figure 2 of the paper, and a model that learns words."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bertflow_core.arrays.types import FloatArray
from bertflow_core.figures.kinds import Look, line, lines, panels, picture, points
from bertflow_core.figures.style import BASELINE, Figure, colour_of, plain
from bertflow_core.wording import ranks_text

PUBLISHED = "BERT, published"
_TREND = "#CC3311"
_BLUE, _GREEN = "#0072B2", "#009E73"  # close pairs are green and others blue, as in the paper

Trend = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""Ranks counted from 0, the fitted values, and both ends of their intervals, shape (m,) each."""


def norm_against_rank(
    ranks: npt.NDArray[np.int64],
    norms: FloatArray,
    words: Sequence[str],
    *,
    spec: str = "identity",
    trend: Trend | None = None,
) -> Figure:
    """Draw the norm of each word at its frequency rank, counted from 0, with the trend."""
    marks = points(
        ranks + 1,
        norms,
        _colour(spec),
        "%{customdata}: rank %{x}, %{y:.3f}",
        many=True,
        name=spec,
        marker_size=4,
        marker_opacity=0.35,
        customdata=list(words),
    )
    drawn = [marks]
    if trend is not None:
        order = np.argsort(trend[0])
        at, middle, low, high = (each[order] for each in trend)
        x, colour = at + 1, _TREND
        ends = np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])
        look: Look = {"fill": "toself", "fillcolor": "rgba(204, 51, 17, 0.3)", "line_width": 0}
        band = points(*ends, None, many=True, mode="lines", name="95 % interval", **look)
        look = {"mode": "lines", "name": "trend", "line_color": colour, "line_width": 2}
        hover = "trend at rank %{x:.0f}: %{y:.3f}"
        drawn += [band, points(x, middle, colour, hover, many=True, **look)]
    across = {"title": "frequency rank (1 is the most frequent)", "type": "log", "dtick": 1}
    alt = "L2 norm of each word against its frequency rank"
    return picture(drawn, x=across, y="L2 norm", height=420, alt=alt)


def _colour(spec: str) -> str:
    """Return a calibrator's colour, but blue for identity, since the published row is grey."""
    return _BLUE if spec == "identity" else colour_of(spec)


def measure_by_bin(
    bins: Sequence[tuple[int, int]],
    values: Mapping[str, Sequence[float | None]],
    *,
    label: str,
    published: Sequence[float | None] | None = None,
) -> Figure:
    """Draw a measure by bin [low, high) of ranks, a line per calibrator, and the published row."""
    names = [ranks_text(*each) for each in bins]
    drawn = []
    if published is not None and any(number is not None for number in published):
        look: Look = {"line_dash": "dash", "marker_symbol": "circle-open", "marker_size": 11}
        drawn.append(line(PUBLISHED, names, list(published), BASELINE, "%{x}: %{y:.2f}", **look))
    curves = {spec: (names, list(numbers)) for spec, numbers in values.items()}
    drawn += lines(curves, map(_colour, values), "%{x}: %{y:.3f}", marked=True, marker_size=10)
    across = {"title": "frequency ranks (1 is the most frequent)", "type": "category"}
    alt = f"{label} by bin of frequency rank"
    return picture(drawn, x=across, y=label, height=380, alt=alt)


def coordinate_bars(rhos: Mapping[str, Sequence[float | None]]) -> Figure:
    """Draw |Spearman| of each leading singular coordinate with log frequency, by calibrator."""
    drawn = [
        go.Bar(
            x=list(range(1, len(numbers) + 1)),
            y=list(numbers),
            name=spec,
            marker={"color": _colour(spec)},
            hovertemplate="coordinate %{x}: %{y:.3f}<extra>" + spec + "</extra>",
        )
        for spec, numbers in rhos.items()
    ]
    return picture(
        drawn,
        x={"title": "singular coordinate (1 has the largest singular value)", "dtick": 1},
        y={"title": "|Spearman's rho| with log frequency", "range": [0, 1]},
        height=360,
        alt="Rank correlation of each leading singular coordinate with log frequency, by "
        "calibrator",
        barmode="group",
    )


def similarity_panels(
    similarities: Mapping[str, FloatArray],
    distances: npt.ArrayLike,
    *,
    near: npt.NDArray[np.bool_],
    threshold: int,
    distance: str = "edit distance",
    texts: Sequence[str] = (),
) -> Figure:
    """Draw one mark per pair by similarity and edit distance; those `near` are green diamonds."""
    apart = np.asarray(distances)
    groups = (
        (f"edit distance > {threshold}", ~near, _BLUE, "circle", 4),
        (f"edit distance <= {threshold}", near, _GREEN, "diamond", 5),
    )
    shown = np.array([plain(text[:80]) for text in texts], dtype=object)
    hover = f"%{{x:.3f}}, {distance} %{{y:.3~g}}{'<br>%{text}' if len(texts) else ''}"
    drawn = {
        name: [
            points(
                np.asarray(values, np.float32)[rows],
                apart[rows],
                colour,
                hover,
                name=label,
                marker={"opacity": 0.55, "symbol": symbol, "size": size},
                text=shown[rows] if len(shown) else None,
            )
            for label, rows, colour, symbol, size in groups
        ]
        for name, values in similarities.items()
    }
    return panels(
        drawn,
        across=3,
        x=["gold score" if name == "gold" else "cosine" for name in similarities],
        y=distance,
        height=(80, 320),
        alt=f"Similarity against {distance} of each pair; close pairs are diamonds",
        grid={"shared_yaxes": True},
    )


def equation_cloud(
    expected: Sequence[float], score: Sequence[float], texts: Sequence[str], *, r2: float
) -> Figure:
    """Draw h . w of words in contexts against Eq. 3, in nats, and the line where both agree."""
    drawn = points(
        list(expected),
        list(score),
        "#3377CC",
        "%{text}<br>expected %{x:.2f}, found %{y:.2f}",
        name=f"words in contexts, R² {r2:.2f}",
        marker_size=5,
        marker_opacity=0.7,
        text=[plain(text) for text in texts],
    )
    ends = [min(*expected, *score), max(*expected, *score)]
    return picture(
        [drawn, line("agreement", ends, ends, BASELINE, line_dash="dash")],
        x="a PMI + b log p, minus the context's mean (nats)",
        y="h · w, minus the context's mean",
        height=380,
        alt="Dot products h · w of words in contexts against the prediction of equation 3; all "
        "points are near a line",
    )
