"""Pictures of words: Table 1 and Figure 2 of the paper, and a model that learns them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bertflow_core.figures.kinds import (
    HIDDEN,
    agreement,
    line,
    lines,
    panels,
    picture,
    points,
    shape_of,
)
from bertflow_core.figures.style import BASELINE, Figure, colour_of, plain
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import ranks_text

PUBLISHED = "BERT, published"
_TREND, _RAW = "#CC3311", "#0072B2"
_CLOSE, _REST = "#009E73", "#0072B2"  # green and blue as in the paper, in Okabe and Ito's hues
PARTS = ("#0072B2", "#E69F00", "#009E73", "#D55E00")

Trend = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""Ranks from 0 (m,), the fitted values there, and the lower and upper ends of their interval."""


def norm_against_rank(
    ranks: npt.NDArray[np.int64],
    norms: FloatArray,
    words: Sequence[str],
    *,
    spec: str = "identity",
    trend: Trend | None = None,
) -> Figure:
    """Draw the norm of each word at its frequency rank, on a logarithmic axis, with the trend.

    Ranks count from 0, shape (n,), and are shown from 1; words are the marks' custom data.
    """
    drawn = [
        points(
            ranks + 1,
            norms,
            _colour(spec),
            "%{customdata}: rank %{x}, %{y:.3f}",
            name=spec,
            marker={"size": 4, "opacity": 0.35},
            kind=go.Scattergl,
            customdata=list(words),
        )
    ]
    across = {"title": "frequency rank (1 is the most frequent)", "type": "log", "dtick": 1}
    alt = "L2 norm of each word against its frequency rank"
    return picture([*drawn, *_trend(trend)], x=across, y="L2 norm", height=420, alt=alt)


def _colour(spec: str) -> str:
    """Return a calibrator's colour; grey, the baseline's own, is the published row's here."""
    return _RAW if spec == "identity" else colour_of(spec)


def _trend(trend: Trend | None) -> list[go.Scattergl]:
    if trend is None:
        return []
    order = np.argsort(trend[0])
    ranks, middle, low, high = (each[order] for each in trend)
    x = ranks + 1
    band = go.Scattergl(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([low, high[::-1]]),
        fill="toself",
        line={"width": 0},
        mode="lines",
        fillcolor="rgba(204, 51, 17, 0.3)",
        name="95 % interval",
        **HIDDEN,
    )
    hover, look = "trend at rank %{x:.0f}: %{y:.3f}<extra></extra>", {"color": _TREND, "width": 2}
    fitted = {"mode": "lines", "line": look, "hovertemplate": hover, "name": "trend"}
    return [band, go.Scattergl(x=x, y=middle, **fitted)]


def measure_by_bin(
    bins: Sequence[tuple[int, int]],
    values: Mapping[str, Sequence[float | None]],
    *,
    label: str,
    published: Sequence[float | None] | None = None,
) -> Figure:
    """Draw a measure bin by bin, one line per calibrator, beside the published row.

    A bin is [low, high) of ranks from 0, shown from 1; None leaves a gap.
    """
    names = [ranks_text(*each) for each in bins]
    drawn = []
    if published is not None and any(number is not None for number in published):
        look = {"dash": "dash", "symbol": "circle-open", "size": 11}
        drawn.append(line(PUBLISHED, names, list(published), BASELINE, "%{x}: %{y:.2f}", **look))
    curves = {spec: (names, list(numbers)) for spec, numbers in values.items()}
    drawn += lines(curves, map(_colour, values), "%{x}: %{y:.3f}", marked=True, size=10)
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
        alt="How far each leading singular coordinate follows log frequency, by calibrator",
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
    """Draw one mark per pair: similarity across, edit distance up, close pairs as green diamonds.

    Similarities are gold or cosine by panel, `near` says which pairs are at most `threshold` edits
    apart, each of shape (N,); texts are cut.
    """
    apart = np.asarray(distances)
    groups = (
        (f"edit distance > {threshold}", ~near, _REST, {"symbol": "circle", "size": 4}),
        (f"edit distance <= {threshold}", near, _CLOSE, {"symbol": "diamond", "size": 5}),
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
                marker={"opacity": 0.55, **look},
                text=shown[rows] if len(shown) else None,
            )
            for label, rows, colour, look in groups
        ]
        for name, values in similarities.items()
    }
    _, down = shape_of(len(drawn), 3)
    figure = panels(
        drawn,
        across=3,
        x="cosine",
        y=distance,
        room=0.28,
        height=80 + 320 * down,
        alt=f"Similarity against {distance} of each pair; close pairs are diamonds",
        grid={"shared_yaxes": True},
        margin={"b": 40},
        legend={"yref": "container", "y": 0, "yanchor": "bottom"},  # above lie the panels' titles
    )
    if next(iter(similarities)) == "gold":
        figure.update_xaxes(title="gold score", row=1, col=1)
    return figure


def word_places(
    places: npt.ArrayLike, counts: Sequence[int], words: Sequence[str], *, step: int
) -> Figure:
    """Draw words in the plane of the cone's axis, across and along it, shape (S, 2).

    Colour is how often each occurs in training up to a step; 0 has a mark of its own.
    """
    xy, n = np.asarray(places, np.float64), np.asarray(counts)
    ticks = {"tickvals": [0, 1, 2, 3, 4], "ticktext": ["1", "10", "100", "1,000", "10,000"]}
    common: dict[str, Any] = {"size": 5, "colorscale": "Viridis"}
    common["colorbar"] = {"title": "count", **ticks}
    never = {"size": 8, "symbol": "x-thin", "line": {"color": PARTS[3], "width": 1.5}}
    drawn = [
        points(
            xy[rows, 0],
            xy[rows, 1],
            colour,
            "%{text}: occurs %{customdata:,} times",
            name=name,
            marker=marker,
            text=[plain(word) for word, kept in zip(words, rows, strict=True) if kept],
            customdata=n[rows],
        )
        for name, rows, colour, marker in (
            (f"words after {step:,} steps", n > 0, np.log10(np.maximum(n[n > 0], 1)), common),
            ("never occur", n == 0, None, never),
        )
        if rows.any()
    ]
    marker = {"symbol": "cross", "size": 10}
    drawn.append(points([0], [0], BASELINE, "", name="origin", marker=marker, **HIDDEN))
    return picture(
        drawn,
        x="across: where words differ most beside the axis",
        y={"title": "along the mean direction of words", "scaleanchor": "x"},
        height=560,
        alt=f"Words in the plane of the cone's axis after {step:,} steps, coloured by frequency",
    )


def equation_cloud(
    expected: Sequence[float], score: Sequence[float], texts: Sequence[str], *, r2: float
) -> Figure:
    """Draw h . w of words in contexts against what Eq. 3 says, and the line where both agree.

    Both are in nats, less their mean over the context; R² is explained within contexts.
    """
    drawn = points(
        list(expected),
        list(score),
        "#3377CC",
        "%{text}<br>expected %{x:.2f}, found %{y:.2f}",
        name=f"words in contexts, R² {r2:.2f}",
        marker={"size": 5, "opacity": 0.7},
        text=[plain(text) for text in texts],
    )
    ends = (*expected, *score)
    return picture(
        [drawn, agreement(min(ends), max(ends), "dash")],
        x="a PMI + b log p, less the context's mean (nats)",
        y="h · w, less the context's mean",
        height=380,
        alt="h times w of words in contexts against what equation 3 expects, near a line",
    )
