"""Pictures of choices: rho along a parameter, and a map of layers and token poolings."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from bertflow_core.figures.style import BASELINE, colour_of, inks_on, styled

__all__ = ["layer_heatmap", "sweep_curve"]

Numbers = Sequence[float | None]

_PANELS_ACROSS = 4
_MARKERS = {"dev": "circle-open", "test": "diamond"}
_DASHES = {"dev": "dash", "test": "solid"}


def sweep_curve(
    values: Sequence[float | str],
    curves: Mapping[str, Numbers],
    *,
    spec: str,
    label: str,
    chosen: int | None = None,
    log_x: bool = False,
) -> go.Figure:
    """Draw rho x 100 against a parameter, one line per split, and mark the chosen value.

    Args:
        values: V values of the parameter: numbers, or names that are drawn at equal distances.
        curves: Rho in [-1, 1] by split (dev, test), length V each; None leaves a gap.
        spec: The calibrator that is swept; it decides the colour.
        label: Title of the horizontal axis, with its unit.
        chosen: Index in `values` of the value that dev chose.
        log_x: Whether the axis is logarithmic; 0 is then drawn left of the smallest value above it.
    """
    figure = go.Figure()
    places = _log_places(figure, values) if log_x else values
    for name, rhos in curves.items():
        figure.add_scatter(
            x=places,
            y=[None if rho is None else 100 * rho for rho in rhos],
            name=name,
            mode="lines+markers",
            line={"color": colour_of(spec), "dash": _DASHES.get(name, "dot")},
            marker={"symbol": _MARKERS.get(name, "x"), "size": 8},
            customdata=[str(value) for value in values],
            hovertemplate=f"{label} %{{customdata}}: %{{y:.2f}}<extra>{name}</extra>",
        )
    if chosen is not None:
        _mark(figure, places[chosen], str(values[chosen]))
    figure.update_xaxes(title=label)
    if any(isinstance(place, str) for place in places):
        figure.update_xaxes(type="category")
    figure.update_yaxes(title="Spearman's rho x 100")
    return styled(figure, height=380)


def layer_heatmap(
    panels: Mapping[str, Sequence[Numbers]],
    layers: Sequence[int],
    tokens: Sequence[str],
    *,
    measure: str,
    factor: float = 1.0,
    decimals: int = 1,
    diverging: bool = False,
) -> go.Figure:
    """Draw one heat-map per calibrator: layers down, token poolings across, one scale of colours.

    A press on a cell selects its (layer, token pooling, calibrator), as custom data.

    Args:
        panels: Numbers by calibrator, a row per layer and a column per pooling; None is undefined.
        layers: Layers, length L; 0 is the embedding output.
        tokens: Token poolings, length P.
        measure: Title of the colour bar, with its unit.
        factor: What the numbers are multiplied by: 100 for rho x 100.
        decimals: Decimals in a cell.
        diverging: Whether the colours part at 0, for numbers of either sign.
    """
    drawn = {spec: _scaled(numbers, factor) for spec, numbers in panels.items()}
    axis = _colour_axis(drawn, measure, diverging=diverging)
    across = min(len(panels), _PANELS_ACROSS)
    down = math.ceil(len(panels) / _PANELS_ACROSS)
    figure = make_subplots(
        rows=down,
        cols=across,
        subplot_titles=list(panels),
        shared_yaxes=True,
        horizontal_spacing=0.03,
    )
    notes = [*figure.layout.annotations]  # set together: one at a time takes a second
    for i, (spec, numbers) in enumerate(drawn.items()):
        place = {"row": i // _PANELS_ACROSS + 1, "col": i % _PANELS_ACROSS + 1}
        figure.add_trace(_cells(numbers, layers, tokens), **place)
        figure.add_trace(_targets(spec, numbers, layers, tokens, decimals), **place)
        refs = {"xref": figure.data[-1].xaxis, "yref": figure.data[-1].yaxis, "showarrow": False}
        notes += [note | refs for note in _notes(numbers, layers, tokens, decimals, axis)]
    figure.update_xaxes(type="category")
    figure.update_xaxes(title="token pooling", row=down)
    figure.update_yaxes(type="category", autorange="reversed")
    figure.update_yaxes(title="layer", col=1)
    figure.update_layout(
        annotations=notes,
        coloraxis=axis,
        plot_bgcolor="rgba(0,0,0,0)",  # where a number is undefined there is no colour
    )
    return styled(figure, height=90 + down * (110 + 30 * len(layers))).update_layout(margin_t=110)


def _cells(numbers: Sequence[Numbers], layers: Sequence[int], tokens: Sequence[str]) -> go.Heatmap:
    return go.Heatmap(
        z=numbers,
        x=list(tokens),
        y=[str(layer) for layer in layers],
        coloraxis="coloraxis",
        hoverinfo="skip",  # the marks above it speak
        xgap=1,
        ygap=1,
    )


def _targets(
    spec: str,
    numbers: Sequence[Numbers],
    layers: Sequence[int],
    tokens: Sequence[str],
    decimals: int,
) -> go.Scatter:
    """Return invisible marks, one per cell: browsers report clicks on marks, not on cells."""
    places = [(layer, name) for layer in layers for name in tokens]
    texts = ["undefined" if n is None else f"{n:.{decimals + 1}f}" for row in numbers for n in row]
    return go.Scatter(
        x=[name for _, name in places],
        y=[str(layer) for layer, _ in places],
        mode="markers",
        marker={"symbol": "square", "size": 28, "opacity": 0.0},
        text=texts,
        customdata=[(layer, name, spec) for layer, name in places],
        hovertemplate=f"layer %{{y}}, %{{x}}: %{{text}}<extra>{spec}</extra>",
        showlegend=False,
    )


def _notes(
    numbers: Sequence[Numbers],
    layers: Sequence[int],
    tokens: Sequence[str],
    decimals: int,
    axis: dict[str, Any],
) -> list[dict[str, Any]]:
    """Return the text of each cell: notes, because texts of marks fade when one is pressed."""
    low, high = axis["cmin"], axis["cmax"]
    known = [
        0.0 if n is None else (n - low) / ((high - low) or 1.0) for row in numbers for n in row
    ]
    inks = iter(inks_on(axis["colorscale"], known))
    notes = []
    for layer, row in zip(layers, numbers, strict=True):
        for name, number in zip(tokens, row, strict=True):
            ink = next(inks)
            text, ink = ("-", BASELINE) if number is None else (f"{number:z.{decimals}f}", ink)
            notes.append({"x": name, "y": str(layer), "text": text, "font": {"color": ink}})
    return notes


def _scaled(numbers: Sequence[Numbers], factor: float) -> list[list[float | None]]:
    return [[None if n is None else factor * n for n in row] for row in numbers]


def _mark(figure: go.Figure, place: float | str, value: str) -> None:
    """Draw a line through the chosen value, and say what it is."""
    figure.add_vline(x=place, line_dash="dot", line_color="gray")
    is_log = figure.layout.xaxis.type == "log"
    figure.add_annotation(
        x=math.log10(float(place)) if is_log else place,
        y=1,
        yref="paper",
        yanchor="top",
        xanchor="left",
        text=f"chosen on dev: {value}",
        showarrow=False,
    )


def _log_places(figure: go.Figure, values: Sequence[float | str]) -> list[float]:
    """Make the axis logarithmic and return where values stand: 0 a decade left of the least.

    Whole decades are labelled, and 0 where it stands.
    """
    numbers = [float(value) for value in values]
    above = [number for number in numbers if number > 0] or [1.0]
    zero = min(above) / 10
    decades = range(math.ceil(math.log10(min(above))), math.floor(math.log10(max(above))) + 1)
    ticks = {10.0**power: f"{10.0**power:g}" for power in decades}
    ticks |= {zero: "0"} if min(numbers) <= 0 else {}
    figure.update_xaxes(type="log", tickvals=list(ticks), ticktext=list(ticks.values()))
    return [number if number > 0 else zero for number in numbers]


def _colour_axis(
    panels: Mapping[str, Sequence[Numbers]], measure: str, *, diverging: bool
) -> dict[str, Any]:
    """Return one scale for all panels: cividis, or purple and orange that part at 0."""
    known = [
        number for rows in panels.values() for row in rows for number in row if number is not None
    ]
    low, high = (float(np.min(known)), float(np.max(known))) if known else (0.0, 1.0)
    if diverging:
        high = max(abs(low), abs(high)) or 1.0
        low = -high
    return {
        "colorscale": "PuOr" if diverging else "Cividis",
        "cmin": low,
        "cmax": high,
        "colorbar": {  # above the cells, which a bar beside them would leave no room on a telephone
            "title": {"text": measure, "side": "top"},
            "orientation": "h",
            "y": 1.08,
            "yanchor": "bottom",
            "thickness": 12,
        },
    }
