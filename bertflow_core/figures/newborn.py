"""Pictures of a newborn model: where words lie, measures by step, Eq. 3 of the paper."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import BASELINE, plain, styled, symbol_of

__all__ = ["equation_cloud", "measures_by_step", "word_places"]

_LINES = ("#0072B2", "#E69F00", "#009E73", "#D55E00")
_NEVER = "never occur"
_COUNTS = {
    "title": "count",
    "tickvals": [0, 1, 2, 3, 4],
    "ticktext": ["1", "10", "100", "1,000", "10,000"],
}
_ACROSS = 2


def word_places(
    places: npt.ArrayLike, counts: Sequence[int], words: Sequence[str], *, step: int
) -> go.Figure:
    """Draw words in the plane of the cone's axis, coloured by frequency.

    Args:
        places: Across and along the axis, shape (S, 2).
        counts: How often each word occurs; 0 for one that never does, which gets a mark of its own.
        words: S of them.
        step: Of training, for the legend.
    """
    xy, n = np.asarray(places, np.float64), np.asarray(counts)
    figure = go.Figure()
    for name, rows in ((f"words after {step:,} steps", n > 0), (_NEVER, n == 0)):
        frequency = np.log10(np.maximum(n[rows], 1))
        marker = {"size": 5, "color": frequency, "colorscale": "Viridis", "colorbar": _COUNTS}
        if name == _NEVER:
            marker = {"size": 8, "symbol": "x-thin", "line": {"color": _LINES[3], "width": 1.5}}
        if rows.any():
            figure.add_scatter(
                x=xy[rows, 0],
                y=xy[rows, 1],
                mode="markers",
                name=name,
                marker=marker,
                text=[plain(word) for word, kept in zip(words, rows, strict=True) if kept],
                customdata=n[rows],
                hovertemplate="%{text}: occurs %{customdata:,} times<extra></extra>",
            )
    figure.add_scatter(
        x=[0],
        y=[0],
        mode="markers",
        name="origin",
        marker={"symbol": "cross", "size": 10, "color": BASELINE},
        hoverinfo="skip",
    )
    figure.update_xaxes(title="across: where words differ most beside the axis")
    figure.update_yaxes(title="along the mean direction of words", scaleanchor="x")
    return styled(figure, height=560)


def measures_by_step(
    steps: Sequence[int], panels: Mapping[str, Mapping[str, Sequence[float | None]]]
) -> go.Figure:
    """Draw one panel per quantity over the steps of a training, with a line for each of its parts.

    Args:
        steps: Of the frames.
        panels: By title with unit or range, the values at the steps by name of the part.
    """
    down = -(-len(panels) // _ACROSS)
    figure = make_subplots(
        rows=down, cols=_ACROSS, subplot_titles=list(panels), vertical_spacing=0.36 / down
    )
    for i, lines in enumerate(panels.values()):
        for k, (name, values) in enumerate(lines.items()):
            figure.add_scatter(
                x=list(steps),
                y=list(values),
                name=name,
                mode="lines+markers",
                line={"color": _LINES[k % 4]},
                marker={"size": 5, "symbol": symbol_of(k)},
                hovertemplate="step %{x}: %{y:.3f}<extra>" + name + "</extra>",
                row=i // _ACROSS + 1,
                col=i % _ACROSS + 1,
                showlegend=len(lines) > 1,
            )
    figure.update_xaxes(title="step of training")
    figure.update_annotations(font_size=12)
    styled(figure, height=60 + 250 * down)
    return figure.update_layout(legend={"y": -0.22 / down, "yanchor": "top"}, margin={"b": 60})


def equation_cloud(
    expected: Sequence[float], score: Sequence[float], texts: Sequence[str], *, r2: float
) -> go.Figure:
    """Draw h . w of words in contexts against what Eq. 3 says, and the line where both agree.

    Args:
        expected: a PMI + b log p(x), less its mean over the context, in nats.
        score: h . w, likewise.
        texts: The context with the word in its gap.
        r2: Explained share of the variance within contexts.
    """
    ends = [min((*expected, *score)), max((*expected, *score))]
    figure = go.Figure()
    figure.add_scatter(
        x=list(expected),
        y=list(score),
        mode="markers",
        marker={"size": 5, "opacity": 0.7, "color": "#3377CC"},
        text=[plain(text) for text in texts],
        hovertemplate="%{text}<br>expected %{x:.2f}, found %{y:.2f}<extra></extra>",
        name=f"words in contexts, R² {r2:.2f}",
    )
    figure.add_scatter(
        x=ends,
        y=ends,
        mode="lines",
        line={"color": BASELINE, "dash": "dash"},
        hoverinfo="skip",
        name="agreement",
    )
    figure.update_xaxes(title="a PMI + b log p, less the context's mean (nats)")
    figure.update_yaxes(title="h · w, less the context's mean")
    return styled(figure, height=380)
