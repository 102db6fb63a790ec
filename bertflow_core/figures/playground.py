"""Typed sentences in pictures: heat-maps of their similarity, and maps among real sentences."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import BASELINE, ink_on, inks_on, plain, styled
from bertflow_core.linalg import FloatArray

__all__ = ["sentence_maps", "similarity_heatmaps"]

_WRITTEN_UP_TO = 12  # sentences, above which cells have no numbers
_NARROW_UP_TO = 4  # sentences, above which only two maps stand side by side
_NUMBERED_UP_TO = 30
_GAPS_UP_TO = 20  # sentences, above which gaps would be seen before the cells
_TICK_TEXT, _HOVER_TEXT = 26, 80
_TYPED = "#D55E00"
_SCALE = "PuOr"
_SIDES = ("top center", "bottom center", "middle right", "middle left")
"""Where numbers stand beside their marks, in turn: similar sentences are often typed in a row."""


def similarity_heatmaps(
    cosines: Mapping[str, FloatArray],
    ranks: Mapping[str, npt.NDArray[np.int64]],
    texts: Sequence[str],
) -> go.Figure:
    """Draw the cosine of every two sentences, one heat-map per calibrator on one colour scale.

    The scale is fixed from -1, orange, over 0, white, to 1, purple, so that maps can be compared
    with each other and with those of another day. Up to 12 sentences each cell holds its cosine and
    its rank, and the sentences stand under the pointer: beside the cells they would leave a
    telephone no room.

    Args:
        cosines: Shape (n, n), by calibrator.
        ranks: Of each pair among all, 1 for the most similar, shape (n, n), by calibrator.
        texts: The n sentences; cut, and shown as they are.
    """
    n = len(texts)
    is_written = n <= _WRITTEN_UP_TO
    across = min(len(cosines), 4 if n <= _NARROW_UP_TO else 2)
    down = math.ceil(len(cosines) / across)
    figure = make_subplots(
        rows=down,
        cols=across,
        shared_yaxes=True,
        subplot_titles=[plain(spec) for spec in cosines],
        horizontal_spacing=0.02,
        vertical_spacing=0.24 / down,
    )
    labels = [_label(number, text) for number, text in enumerate(texts, start=1)]
    pointed = [[f"{a}<br>{b}<br>" for b in labels] for a in labels] if is_written else None
    for place, (spec, cosine) in enumerate(cosines.items()):
        heatmap = _heatmap(spec, cosine, ranks[spec], pointed)
        written = [_written(cosine, ranks[spec])] if is_written else []
        for trace in (heatmap, *written):
            figure.add_trace(trace, row=place // across + 1, col=place % across + 1)
    figure.update_xaxes(showgrid=False)
    figure.update_yaxes(showgrid=False, autorange="reversed")
    if is_written:
        figure.update_xaxes(tickvals=np.arange(1, n + 1))
        figure.update_yaxes(tickvals=np.arange(1, n + 1))
    axis = {
        "title": {"text": "cosine", "side": "top"},
        "thickness": 12,
        "orientation": "h",
        "y": 1.02,
        "yanchor": "bottom",
    }
    figure.update_layout(
        coloraxis={"colorscale": _SCALE, "cmin": -1, "cmid": 0, "cmax": 1, "colorbar": axis}
    )
    figure.update_annotations(font_size=12)
    return styled(figure, height=down * (120 + 38 * min(max(n, 5), _WRITTEN_UP_TO)))


def sentence_maps(
    real: Mapping[str, FloatArray],
    typed: Mapping[str, FloatArray],
    explained: Mapping[str, tuple[float, float]],
    *,
    real_texts: Sequence[str],
    typed_texts: Sequence[str],
) -> go.Figure:
    """Draw typed sentences as numbered marks among real ones, one map per calibrator.

    Args:
        real: Coordinates of the m real sentences, shape (m, 2), by calibrator.
        typed: Coordinates of the n typed ones, shape (n, 2), by calibrator.
        explained: Share of the variance on each axis, in [0, 1], by calibrator.
        real_texts: m sentences; cut, and shown as they are.
        typed_texts: n sentences.
    """
    across = min(len(real), 2)
    down = math.ceil(len(real) / across)
    figure = make_subplots(
        rows=down,
        cols=across,
        subplot_titles=[plain(spec) for spec in real],
        vertical_spacing=0.24 / down,
    )
    for index, spec in enumerate(real):
        place = {"row": index // across + 1, "col": index % across + 1}
        figure.add_trace(_real_marks(real[spec], real_texts, legend=index == 0), **place)
        figure.add_trace(_typed_marks(typed[spec], typed_texts, legend=index == 0), **place)
        first, second = (f"{100 * share:.1f} % of the variance" for share in explained[spec])
        figure.update_xaxes(title=f"PC 1, {first}", zeroline=False, **place)
        figure.update_yaxes(title=f"PC 2, {second}", zeroline=False, **place)
    figure.update_annotations(font_size=12)
    return styled(figure, height=80 + 360 * down).update_layout(
        margin={"t": 80}, legend={"y": 1.0 + 0.1 / down}
    )


def _heatmap(
    spec: str,
    cosine: FloatArray,
    ranks: npt.NDArray[np.int64],
    pointed: list[list[str]] | None,
) -> go.Heatmap:
    """Return the cells of a calibrator; `pointed` is what each says under the pointer."""
    n = len(cosine)
    numbers, gap = np.arange(1, n + 1), int(n <= _GAPS_UP_TO)
    return go.Heatmap(
        z=np.asarray(cosine, np.float32),
        x=numbers,
        y=numbers,
        customdata=np.asarray(ranks, np.int32),
        coloraxis="coloraxis",
        xgap=gap,
        ygap=gap,
        hovertext=pointed,
        hovertemplate=("" if pointed is None else "%{hovertext}")
        + "%{y} and %{x}: cosine %{z:.3f}, rank %{customdata}"
        f"<extra>{plain(spec)}</extra>",
    )


def _written(cosine: FloatArray, ranks: npt.NDArray[np.int64]) -> go.Scatter:
    """Return cosine and rank of every two different sentences, each in the ink that reads best."""
    rows, columns = np.nonzero(ranks)
    values = np.asarray(cosine)[rows, columns]
    return go.Scatter(
        x=columns + 1,
        y=rows + 1,
        mode="text",
        text=[
            f"{value:z.2f}<br>#{rank}"
            for value, rank in zip(values, np.asarray(ranks)[rows, columns], strict=True)
        ],
        textfont={"color": inks_on(_SCALE, (values + 1) / 2), "size": 12},
        hoverinfo="skip",  # the cells below it speak
        showlegend=False,
    )


def _label(number: int, text: str) -> str:
    cut = f"{text[: _TICK_TEXT - 1]}…" if len(text) > _TICK_TEXT else text
    return plain(f"{cut} {number}")


def _real_marks(points: FloatArray, texts: Sequence[str], *, legend: bool) -> go.Scatter:
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        name="sentences of the data set",
        legendgroup="real",
        showlegend=legend,
        mode="markers",
        marker={"color": BASELINE, "size": 4, "opacity": 0.45},
        text=[plain(text[:_HOVER_TEXT]) for text in texts],
        hovertemplate="%{text}<extra></extra>",
    )


def _typed_marks(points: FloatArray, texts: Sequence[str], *, legend: bool) -> go.Scatter:
    numbered = len(texts) <= _NUMBERED_UP_TO
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        name="typed sentences, by number",
        legendgroup="typed",
        showlegend=legend,
        mode="markers+text" if numbered else "markers",
        marker={
            "color": _TYPED,
            "size": 7,
            "line": {"color": ink_on(_TYPED), "width": 1},
        },
        text=[str(number) for number in range(1, len(texts) + 1)] if numbered else None,
        textposition=[_SIDES[i % len(_SIDES)] for i in range(len(texts))],
        textfont={"size": 16, "weight": 700, "color": _TYPED},
        customdata=[plain(f"{i}. {text[:_HOVER_TEXT]}") for i, text in enumerate(texts, start=1)],
        hovertemplate="%{customdata}<extra></extra>",
    )
