"""Heat-maps, of layers and of typed sentences; and maps of these sentences among real ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bertflow_core.figures.kinds import HIDDEN, panels, points, shape_of
from bertflow_core.figures.style import BASELINE, Figure, ink_on, inks_on, plain
from bertflow_core.linalg import FloatArray

Numbers = Sequence[float | None]

_WRITTEN_UP_TO = 12  # sentences, above which cells have no numbers
_NARROW_UP_TO = 4  # sentences, above which only two maps stand side by side
_NUMBERED_UP_TO = 30
_GAPS_UP_TO = 20  # sentences, above which gaps would be seen before the cells
_TYPED, _SCALE = "#D55E00", "PuOr"
_SIDES = ("top center", "bottom center", "middle right", "middle left")
"""Where numbers stand beside their marks, in turn: similar sentences are often typed in a row."""


def _bar(title: str, y: float) -> dict[str, Any]:
    """Return a colour bar above the cells: beside them it would leave a telephone no room."""
    place = {"orientation": "h", "y": y, "yanchor": "bottom", "thickness": 12}
    return {"title": {"text": title, "side": "top"}, **place}


def layer_heatmap(
    parts: Mapping[str, Sequence[Numbers]],
    layers: Sequence[int],
    tokens: Sequence[str],
    *,
    measure: str,
    factor: float = 1.0,
    decimals: int = 1,
    diverging: bool = False,
) -> Figure:
    """Draw one heat-map per calibrator: layers down, token poolings across, one scale of colours.

    A press on a cell selects its (layer, token pooling, calibrator), as custom data.

    Args:
        parts: Numbers by calibrator, a row per layer and a column per pooling; None is undefined.
        layers: Layers, length L; 0 is the embedding output.
        tokens: Token poolings, length P.
        measure: Title of the colour bar, with its unit.
        factor: What the numbers are multiplied by: 100 for rho x 100.
        decimals: Decimals in a cell.
        diverging: Whether the colours part at 0, for numbers of either sign.
    """
    places = [(layer, name) for layer in layers for name in tokens]
    x, y = [name for _, name in places], [str(layer) for layer, _ in places]
    drawn = {
        spec: [[None if n is None else factor * n for n in row] for row in rows]
        for spec, rows in parts.items()
    }
    flat = {spec: [n for row in rows for n in row] for spec, rows in drawn.items()}
    axis = _colours([n for numbers in flat.values() for n in numbers], measure, diverging)
    _, down = shape_of(len(parts), 4)
    figure = panels(
        {
            spec: [
                _cells(
                    drawn[spec], tokens, [str(layer) for layer in layers], **HIDDEN
                ),  # the marks above it speak
                _texts(
                    x,
                    y,
                    ["-" if n is None else f"{n:z.{decimals}f}" for n in numbers],
                    _inks_in(numbers, axis),
                ),
                points(  # invisible: browsers report clicks on marks, not on cells
                    x,
                    y,
                    BASELINE,
                    f"layer %{{y}}, %{{x}}: %{{text}} ({plain(spec)})",
                    marker={"symbol": "square", "size": 28, "opacity": 0.0},
                    text=["undefined" if n is None else f"{n:.{decimals + 1}f}" for n in numbers],
                    customdata=[(*place, spec) for place in places],
                    showlegend=False,
                ),
            ]
            for spec, numbers in flat.items()
        },
        across=4,
        x={"type": "category", "title": "token pooling"},
        y={"type": "category", "autorange": "reversed"},
        each_y=True,
        height=90 + down * (110 + 30 * len(layers)),
        alt=f"{measure} by layer and token pooling, one heat-map per calibrator",
        grid={"shared_yaxes": True, "horizontal_spacing": 0.03},
        coloraxis=axis,
        plot_bgcolor="rgba(0,0,0,0)",  # where a number is undefined there is no colour
        margin={"t": 110},
    )
    return figure.update_yaxes(title="layer", col=1)


def _cells(z: Any, x: Any, y: Any, **look: Any) -> go.Heatmap:  # noqa: ANN401 - of a trace
    return go.Heatmap(z=z, x=x, y=y, coloraxis="coloraxis", **{"xgap": 1, "ygap": 1, **look})


def _inks_in(numbers: Numbers, axis: dict[str, Any]) -> list[str]:
    """Return the ink that reads best on each cell; where there is no colour, on the page."""
    low, width = axis["cmin"], (axis["cmax"] - axis["cmin"]) or 1.0
    inks = inks_on(axis["colorscale"], [0.0 if n is None else (n - low) / width for n in numbers])
    return [BASELINE if n is None else ink for n, ink in zip(numbers, inks, strict=True)]


def _texts(x: Any, y: Any, texts: Sequence[str], inks: Sequence[str]) -> go.Scatter:  # noqa: ANN401
    """Return texts on cells, each in the ink that reads best."""
    return go.Scatter(
        x=x,
        y=y,
        mode="text",
        text=texts,
        textfont={"color": inks},
        selected={"textfont": {"color": BASELINE}},  # of none: else all would fade at a press
        showlegend=False,
        **HIDDEN,
    )


def _colours(numbers: Numbers, measure: str, diverging: bool) -> dict[str, Any]:
    """Return one scale for all panels: cividis, or purple and orange that part at 0."""
    known = [number for number in numbers if number is not None]
    low, high = (float(min(known)), float(max(known))) if known else (0.0, 1.0)
    if diverging:
        high = max(abs(low), abs(high)) or 1.0
        low = -high
    scale = _SCALE if diverging else "Cividis"
    return {"colorscale": scale, "cmin": low, "cmax": high, "colorbar": _bar(measure, 1.08)}


def similarity_heatmaps(
    cosines: Mapping[str, FloatArray],
    ranks: Mapping[str, npt.NDArray[np.int64]],
    texts: Sequence[str],
) -> Figure:
    """Draw the cosine of every two sentences, one heat-map per calibrator on one colour scale.

    The scale is fixed from -1, orange, over 0, white, to 1, purple, so that maps can be compared
    with each other and with those of another day. Up to 12 sentences each cell holds its cosine and
    its rank, and the sentences stand under the pointer: beside the cells they would leave a
    telephone no room. Cosines and ranks, 1 for the most similar, have shape (n, n), by calibrator.
    """
    n, is_written = len(texts), len(texts) <= _WRITTEN_UP_TO
    numbers, gap = np.arange(1, n + 1), int(n <= _GAPS_UP_TO)
    labels = [_label(number, text) for number, text in enumerate(texts, start=1)]
    pointed = [[f"{a}<br>{b}<br>" for b in labels] for a in labels] if is_written else None
    said = (
        "%{hovertext}" if is_written else ""
    ) + "%{y} and %{x}: cosine %{z:.3f}, rank %{customdata}"
    drawn: dict[str, list[Any]] = {}
    for spec, cosine in cosines.items():
        cells = _cells(
            np.asarray(cosine, np.float32),
            numbers,
            numbers,
            customdata=np.asarray(ranks[spec], np.int32),
            hovertext=pointed,
            hovertemplate=f"{said}<extra>{plain(spec)}</extra>",
            **{"xgap": gap, "ygap": gap},
        )
        drawn[spec] = [cells, *([_written(cosine, ranks[spec])] if is_written else [])]
    across = min(len(cosines), 4 if n <= _NARROW_UP_TO else 2)
    _, down = shape_of(len(cosines), across)
    ticks = {"showgrid": False, **({"tickvals": numbers} if is_written else {})}
    scale = {"colorscale": _SCALE, "cmin": -1, "cmid": 0, "cmax": 1}
    return panels(
        drawn,
        across=across,
        x=ticks,
        y={"autorange": "reversed", **ticks},
        each_y=True,
        room=0.24,
        height=down * (120 + 38 * min(max(n, 5), _WRITTEN_UP_TO)),
        alt="Cosine of every two sentences, one heat-map per calibrator",
        grid={"shared_yaxes": True, "horizontal_spacing": 0.02},
        coloraxis={**scale, "colorbar": _bar("cosine", 1.02)},
    )


def _written(cosine: FloatArray, ranks: npt.NDArray[np.int64]) -> go.Scatter:
    """Return cosine and rank of every two different sentences."""
    rows, columns = np.nonzero(ranks)
    values, places = np.asarray(cosine)[rows, columns], np.asarray(ranks)[rows, columns]
    texts = [f"{value:z.2f}<br>#{rank}" for value, rank in zip(values, places, strict=True)]
    return _texts(columns + 1, rows + 1, texts, inks_on(_SCALE, (values + 1) / 2))


def _label(number: int, text: str) -> str:
    return plain(f"{f'{text[:25]}…' if len(text) > 26 else text} {number}")


def sentence_maps(
    real: Mapping[str, FloatArray],
    typed: Mapping[str, FloatArray],
    explained: Mapping[str, Sequence[float]],
    *,
    real_texts: Sequence[str],
    typed_texts: Sequence[str],
) -> Figure:
    """Draw typed sentences as numbered marks among real ones, one map per calibrator.

    Coordinates have shape (m, 2) and (n, 2), by calibrator; `explained` are the shares of the
    variance on each axis, in [0, 1].
    """
    drawn = {
        spec: [_real_marks(real[spec], real_texts), _typed_marks(typed[spec], typed_texts)]
        for spec in real
    }
    columns, down = shape_of(len(real), 2)
    figure = panels(
        drawn,
        across=2,
        x={"zeroline": False},
        y={"zeroline": False},
        each_y=True,
        room=0.24,
        height=80 + 360 * down,
        alt="Typed sentences by number among real ones, one map per calibrator",
        margin={"t": 80},
        legend={"y": 1.0 + 0.1 / down},
    )
    for i, shares in enumerate(explained[spec] for spec in real):
        place = {"row": i // columns + 1, "col": i % columns + 1}
        first, second = (f"{100 * share:.1f} % of the variance" for share in shares)
        figure.update_xaxes(title=f"PC 1, {first}", **place)
        figure.update_yaxes(title=f"PC 2, {second}", **place)
    return figure


def _real_marks(places: FloatArray, texts: Sequence[str]) -> go.Scatter:
    return points(
        places[:, 0],
        places[:, 1],
        BASELINE,
        "%{text}",
        name="sentences of the data set",
        marker={"size": 4, "opacity": 0.45},
        text=[plain(text[:80]) for text in texts],
    )


def _typed_marks(places: FloatArray, texts: Sequence[str]) -> go.Scatter:
    numbered = len(texts) <= _NUMBERED_UP_TO
    return points(
        places[:, 0],
        places[:, 1],
        _TYPED,
        "%{customdata}",
        name="typed sentences, by number",
        mode="markers+text" if numbered else "markers",
        marker={"size": 7, "line": {"color": ink_on(_TYPED), "width": 1}},
        text=[str(number) for number in range(1, len(texts) + 1)] if numbered else None,
        textposition=[_SIDES[i % len(_SIDES)] for i in range(len(texts))],
        textfont={"size": 16, "weight": 700, "color": _TYPED},
        customdata=[plain(f"{i}. {text[:80]}") for i, text in enumerate(texts, start=1)],
    )
