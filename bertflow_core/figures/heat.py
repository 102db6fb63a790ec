"""Heat-maps of layers and of typed sentences, and maps of these sentences among real ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bertflow_core.arrays.types import FloatArray
from bertflow_core.figures.kinds import SHARED, Look, panels, points
from bertflow_core.figures.style import BASELINE, Figure, ink_on, inks_on, plain

Numbers = Sequence[float | None]

_WRITTEN_UP_TO = 12  # largest number of sentences for which cells show numbers
_NARROW_UP_TO = 4  # largest number of sentences for which more than two maps are side by side
_NUMBERED_UP_TO = 30
_GAPS_UP_TO = 20  # sentences; if there are more, gaps would be more visible than cells
_TYPED, _SCALE = "#D55E00", "PuOr"
_SIDES = ("top center", "bottom center", "middle right", "middle left")
"""Positions of numbers beside marks, cycled so that numbers of nearby marks do not overlap."""


def _bar(title: str) -> dict[str, Any]:
    """Return a colour bar above the cells; beside them it would leave no room on a phone."""
    place = {"orientation": "h", "y": 1.05, "yanchor": "bottom", "thickness": 12}
    return {"title": {"text": title, "side": "top"}, **place}


def layer_heatmap(
    parts: Mapping[str, Sequence[Numbers]],
    layers: Sequence[str | int],
    tokens: Sequence[str],
    *,
    measure: str,
    decimals: int = 1,
    diverging: bool = False,
) -> Figure:
    """Draw one heat-map per calibrator: layers down, token poolings across, on one colour scale.

    A click on a cell selects its (layer, token pooling, calibrator), as custom data. The colours
    are `diverging` from 0 for numbers of either sign.
    """
    places = [(layer, name) for layer in layers for name in tokens]
    x, y = [name for _, name in places], [str(layer) for layer, _ in places]
    flat = {spec: [n for row in rows for n in row] for spec, rows in parts.items()}
    known = [n for numbers in flat.values() for n in numbers if n is not None] or [0.0, 1.0]
    low, high = float(min(known)), float(max(known))
    if diverging:
        high = max(abs(low), abs(high)) or 1.0
        low = -high
    scale = _SCALE if diverging else "Cividis"
    drawn: dict[str, list[Any]] = {}
    for spec, numbers in flat.items():
        shares = [0.0 if n is None else (n - low) / ((high - low) or 1.0) for n in numbers]
        inks = [  # the page's own colour where a number is undefined
            BASELINE if n is None else ink
            for n, ink in zip(numbers, inks_on(scale, shares), strict=True)
        ]
        written = ["-" if n is None else f"{n:z.{decimals}f}" for n in numbers]
        cells = _cells(parts[spec], tokens, [str(layer) for layer in layers], hoverinfo="skip")
        marks = points(  # invisible: browsers report clicks on marks, not on cells
            x,
            y,
            BASELINE,
            f"layer %{{y}}, %{{x}}: %{{text}} ({plain(spec)})",
            marker={"symbol": "square", "size": 28, "opacity": 0.0},
            text=["undefined" if n is None else f"{n:.{decimals + 1}f}" for n in numbers],
            customdata=[(*place, spec) for place in places],
        )
        texts = _texts(x, y, written, inks)
        texts.customdata = marks.customdata  # a click may report either trace
        drawn[spec] = [cells, texts, marks]
    down = {"type": "category", "autorange": "reversed"}
    return panels(
        drawn,
        across=4,
        x={"type": "category", "title": "token pooling"},
        y=[{**down, "title": "" if i % 4 else "layer"} for i in range(len(parts))],
        height=(90, 110 + 30 * len(layers)),
        alt=f"{measure} by layer and token pooling, one heat-map per calibrator",
        grid=SHARED,
        coloraxis={"colorscale": scale, "cmin": low, "cmax": high, "colorbar": _bar(measure)},
        plot_bgcolor="rgba(0,0,0,0)",  # undefined numbers have no colour
        margin={"t": 110},
    )


def _cells(z: Any, x: Any, y: Any, **look: Any) -> go.Heatmap:  # noqa: ANN401 - of a trace
    return go.Heatmap(z=z, x=x, y=y, coloraxis="coloraxis", **{"xgap": 1, "ygap": 1, **look})


def _texts(x: Any, y: Any, texts: Sequence[str], inks: Sequence[str]) -> go.Scatter:  # noqa: ANN401
    kept: Look = {"selected_textfont_color": BASELINE}  # a click would otherwise fade all texts
    return points(x, y, None, mode="text", text=texts, textfont_color=inks, **kept)


def similarity_heatmaps(
    cosines: Mapping[str, FloatArray],
    ranks: Mapping[str, npt.NDArray[np.int64]],
    texts: Sequence[str],
) -> Figure:
    """Draw the cosine of every two sentences, one heat-map per calibrator on one colour scale.

    The scale is fixed, from -1 to 1, so that maps are comparable over time. The sentences are hover
    texts, since labels would leave no room on a phone.
    """
    n, is_written = len(texts), len(texts) <= _WRITTEN_UP_TO
    numbers, gap = np.arange(1, n + 1), int(n <= _GAPS_UP_TO)
    labels = [f"{t[:25]}…" if len(t) > 26 else t for t in texts]
    labels = [plain(f"{label} {number}") for number, label in enumerate(labels, start=1)]
    pointed = [[f"{a}<br>{b}<br>" for b in labels] for a in labels] if is_written else None
    said = "%{y} and %{x}: cosine %{z:.3f}, rank %{customdata}"
    drawn: dict[str, list[Any]] = {}
    for spec, cosine in cosines.items():
        rank = np.asarray(ranks[spec], np.int32)
        drawn[spec] = [
            _cells(
                np.asarray(cosine, np.float32),
                numbers,
                numbers,
                customdata=rank,
                hovertext=pointed,
                hovertemplate=f"{'%{hovertext}' * is_written}{said}<extra>{plain(spec)}</extra>",
                **{"xgap": gap, "ygap": gap},
            )
        ]
        if is_written:  # of every two distinct sentences
            rows, columns = np.nonzero(rank)
            values = np.asarray(cosine)[rows, columns]
            told = [f"{v:z.2f}<br>#{r}" for v, r in zip(values, rank[rows, columns], strict=True)]
            inks = inks_on(_SCALE, (values + 1) / 2)
            drawn[spec].append(_texts(columns + 1, rows + 1, told, inks))
    ticks = {"showgrid": False, **({"tickvals": numbers} if is_written else {})}
    return panels(
        drawn,
        across=4 if n <= _NARROW_UP_TO else 2,
        x=ticks,
        y=[{"autorange": "reversed", **ticks}] * len(drawn),
        height=(0, 120 + 38 * min(max(n, 5), _WRITTEN_UP_TO)),
        alt="Cosine of every two sentences, one heat-map per calibrator",
        grid=SHARED,
        coloraxis={
            "colorscale": _SCALE,
            "cmin": -1,
            "cmid": 0,
            "cmax": 1,
            "colorbar": _bar("cosine"),
        },
    )


def sentence_maps(
    real: Mapping[str, FloatArray],
    typed: Mapping[str, FloatArray],
    explained: Mapping[str, Sequence[float]],
    *,
    real_texts: Sequence[str],
    typed_texts: Sequence[str],
) -> Figure:
    """Draw typed sentences, (n, 2), as numbered marks among real ones, (m, 2), by calibrator."""
    numbered = len(typed_texts) <= _NUMBERED_UP_TO
    numbers = [str(number) for number in range(1, len(typed_texts) + 1)]
    sides = [_SIDES[i % len(_SIDES)] for i in range(len(numbers))]
    own: Look = {"mode": "markers+text", "text": numbers, "textposition": sides} if numbered else {}
    drawn = {
        spec: [
            points(
                real[spec][:, 0],
                real[spec][:, 1],
                BASELINE,
                "%{text}",
                name="sentences of the data set",
                marker_size=4,
                marker_opacity=0.45,
                text=[plain(text[:80]) for text in real_texts],
            ),
            points(
                typed[spec][:, 0],
                typed[spec][:, 1],
                _TYPED,
                "%{customdata}",
                name="typed sentences, by number",
                marker_size=7,
                marker_line={"color": ink_on(_TYPED), "width": 1},
                textfont={"size": 16, "weight": 700, "color": _TYPED},
                customdata=[plain(f"{i}. {t[:80]}") for i, t in enumerate(typed_texts, start=1)],
                **own,
            ),
        ]
        for spec in real
    }
    across, up = (
        [
            {
                "zeroline": False,
                "title": f"PC {k + 1}, {100 * explained[spec][k]:.1f} % of the variance",
            }
            for spec in real
        ]
        for k in (0, 1)
    )
    alt = "Typed sentences, marked by numbers, among real ones, one map per calibrator"
    return panels(drawn, across=2, x=[*across], y=[*up], height=(80, 360), alt=alt)
