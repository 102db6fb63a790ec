"""Figure 2 of the paper: similarity against edit distance, for gold and each calibrator."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import plain, styled
from bertflow_core.linalg import FloatArray

__all__ = ["similarity_panels"]

_CLOSE, _REST = "#009E73", "#0072B2"  # green and blue as in the paper, in Okabe and Ito's hues
_PANELS_ACROSS = 3
_MAX_TEXT = 80


def similarity_panels(
    similarities: Mapping[str, FloatArray],
    distances: npt.ArrayLike,
    *,
    near: npt.NDArray[np.bool_],
    threshold: int,
    distance: str = "edit distance",
    texts: Sequence[str] = (),
) -> go.Figure:
    """Draw one mark per pair: similarity across, edit distance up, close pairs as green diamonds.

    Args:
        similarities: Gold or cosine of each pair by panel, each of shape (N,).
        distances: How far apart the words of each pair are, shape (N,).
        near: Which pairs are close, shape (N,).
        threshold: Close pairs are at most so many edits apart.
        distance: Name of the distances.
        texts: Text of each pair's mark; cut, and shown as plain text.
    """
    across = max(1, min(len(similarities), _PANELS_ACROSS))
    down = max(1, math.ceil(len(similarities) / across))
    figure = make_subplots(
        rows=down,
        cols=across,
        shared_yaxes=True,
        subplot_titles=[plain(name) for name in similarities],
        vertical_spacing=0.28 / down,
    )
    apart = np.asarray(distances)
    groups = (
        (f"edit distance > {threshold}", ~near, _REST, "circle", 4),
        (f"edit distance <= {threshold}", near, _CLOSE, "diamond", 5),
    )
    below = "<br>%{text}" if len(texts) else ""
    shown = np.array([plain(text[:_MAX_TEXT]) for text in texts], dtype=object)
    for i, values in enumerate(similarities.values()):
        for label, rows, colour, symbol, size in groups:
            trace = go.Scatter(
                x=np.asarray(values, np.float32)[rows],
                y=apart[rows],
                name=label,
                legendgroup=label,
                showlegend=i == 0,
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": size, "opacity": 0.55},
                text=shown[rows] if len(shown) else None,
                hovertemplate=f"%{{x:.3f}}, {distance} %{{y:.3~g}}{below}<extra></extra>",
            )
            figure.add_trace(trace, row=i // across + 1, col=i % across + 1)
        title = "gold score" if i == 0 and "gold" in similarities else "cosine"
        figure.update_xaxes(title=title, row=i // across + 1, col=i % across + 1)
    for line in range(down):
        figure.update_yaxes(title=distance, row=line + 1, col=1)
    figure.update_annotations(font_size=12)
    legend = {"yref": "container", "y": 0, "yanchor": "bottom"}  # above lie the panels' titles
    return styled(figure, height=80 + 320 * down).update_layout(margin={"b": 40}, legend=legend)
