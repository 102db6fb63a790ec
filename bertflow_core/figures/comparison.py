"""Figures of a comparison: scores by data set, intervals, and changes of rank."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bertflow_core.figures.style import (
    BASELINE,
    RHO_TITLE,
    colour_of,
    plain,
    styled,
    symbol_of,
)
from bertflow_core.linalg import FloatArray

__all__ = ["interval_forest", "rank_changes", "score_by_dataset"]


def score_by_dataset(
    scores: Mapping[str, Sequence[float | None]],
    datasets: Sequence[str],
    calibrators: Sequence[str],
    *,
    title: str = RHO_TITLE,
) -> go.Figure:
    """Draw the score x 100 of each row as one mark per data set, joined by a line.

    Args:
        scores: Rho or AUC, in [-1, 1], of each row by its label, one per data set, None undefined.
        datasets: The columns.
        calibrators: The calibrator's spec of each row, which decides its colour.
        title: Of the vertical axis: the metric times 100.
    """
    figure = go.Figure()
    for index, (label, values) in enumerate(scores.items()):
        figure.add_scatter(
            x=[plain(name) for name in datasets],
            y=[None if score is None else 100 * score for score in values],
            name=plain(label),
            mode="lines+markers",
            marker={
                "symbol": symbol_of(index),
                "size": 10,
                "color": colour_of(calibrators[index]),
            },
            line={"width": 1, "dash": "dot", "color": colour_of(calibrators[index])},
            hovertemplate="%{x}: %{y:.2f}<extra>" + plain(label) + "</extra>",
        )
    figure.update_xaxes(title="data set", type="category")
    figure.update_yaxes(title=title)
    return styled(figure, height=340 + 12 * len(scores)).update_layout(
        legend={"orientation": "v", "y": -0.25, "yanchor": "top", "x": 0}
    )


def interval_forest(
    labels: Sequence[str],
    estimates: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    reference: float | None = None,
    notes: Sequence[str] = (),
    apart: Sequence[bool] | None = None,
    shown: Sequence[str] | None = None,
) -> go.Figure:
    """Draw one estimate with its interval per line, in hundredths.

    Args:
        labels: What each line is.
        estimates: In [-1, 1], as all numbers here.
        lows: Lower ends.
        highs: Upper ends.
        title: Of the horizontal axis, with its unit.
        reference: Where a dashed line stands, such as no difference.
        notes: A few characters beside each label, such as letters of groups.
        apart: Whether each differs significantly from the reference; others are hollow and grey.
        shown: Each estimate in hundredths as the page writes it; None rounds it to two digits.
    """
    centres, left, right = (100 * np.asarray(v, np.float64) for v in (estimates, lows, highs))
    filled = [True] * len(labels) if apart is None else list(apart)
    colours = [
        colour_of(label.rsplit(" ", 1)[-1]) if is_apart else BASELINE
        for label, is_apart in zip(labels, filled, strict=True)
    ]
    lines = [
        plain(f"{label}  {note}".rstrip())
        for label, note in zip_longest(labels, notes, fillvalue="")
    ]
    figure = go.Figure([_interval(*each) for each in zip(left, right, lines, colours, strict=True)])
    figure.add_scatter(
        x=centres,
        y=lines,
        mode="markers",
        marker={
            "color": colours,
            "size": 11,
            "symbol": ["circle" if is_apart else "circle-open" for is_apart in filled],
            "line": {"width": 2},
        },
        text=[f"{centre:.2f}" for centre in centres] if shown is None else shown,
        customdata=np.column_stack([left, right]),
        hovertemplate="%{y}: %{text} [%{customdata[0]:.2f}, %{customdata[1]:.2f}]<extra></extra>",
        showlegend=False,
    )
    ends = [*left, *right]
    if reference is not None:
        figure.add_vline(x=100 * reference, line_dash="dash", line_color=BASELINE)
        ends.append(100 * reference)
    room = 0.05 * (max(ends) - min(ends) or 1.0)
    figure.update_xaxes(title=title, range=[min(ends) - room, max(ends) + room])
    figure.update_yaxes(title=None, autorange="reversed", type="category")
    return styled(figure, height=130 + 44 * len(labels))


def _interval(low: float, high: float, line: str, colour: str) -> go.Scatter:
    return go.Scatter(
        x=[low, high],
        y=[line, line],
        mode="lines",
        line={"color": colour, "width": 3},
        showlegend=False,
        hoverinfo="skip",
    )


def rank_changes(
    before: FloatArray,
    after: FloatArray,
    gold: FloatArray,
    *,
    names: tuple[str, str],
    rows: npt.ArrayLike,
) -> go.Figure:
    """Draw how far each pair's rank lies from its gold rank, before and after.

    Below the diagonal a pair has moved closer to its gold rank, above it away from it.

    Args:
        before: Distance of each pair's rank from its gold rank under the first calibrator, (N,).
        after: The same under the second, shape (N,).
        gold: Gold score of each pair, shape (N,), the colour.
        names: The two calibrators.
        rows: The pair's row, from 0, N of them; shown counted from 1.
    """
    far = float(max(before.max(initial=1), after.max(initial=1)))
    figure = go.Figure(
        go.Scattergl(
            x=np.asarray(before, np.float32),
            y=np.asarray(after, np.float32),
            mode="markers",
            marker={
                "color": np.asarray(gold, np.float32),
                "colorscale": "Cividis",
                "size": 6,
                "opacity": 0.8,
                "line": {"width": 0.6, "color": BASELINE},  # dark marks on a dark page
                "colorbar": {"title": "gold score"},
            },
            customdata=np.asarray(rows, np.int32) + 1,
            hovertemplate="pair %{customdata}<br>before %{x:.0f}<br>after %{y:.0f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_shape(
        type="line", x0=0, y0=0, x1=far, y1=far, line={"dash": "dash", "color": BASELINE}
    )
    figure.add_annotation(x=far * 0.85, y=far * 0.1, text="moved closer", showarrow=False)
    figure.add_annotation(x=far * 0.12, y=far * 0.9, text="moved away", showarrow=False)
    figure.update_xaxes(title=f"ranks off gold under {names[0]}", range=[-far * 0.02, far * 1.02])
    figure.update_yaxes(title=f"ranks off gold under {names[1]}", range=[-far * 0.02, far * 1.02])
    return styled(figure, height=480)
