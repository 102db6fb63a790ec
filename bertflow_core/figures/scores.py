"""Figures of scores: bars, intervals, histograms, and gold scores against cosines."""

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.figures.kinds import (
    DOWN,
    SHARED,
    SYMBOLS,
    Look,
    Traces,
    bars,
    line,
    lines,
    log_axis,
    panels,
    picture,
    points,
    stepped,
)
from bertflow_core.figures.style import BASELINE, RHO_TITLE, Figure, colour_of, colours_of, plain

_SPLITS = {"dev": ("dash", "circle-open"), "test": ("solid", "diamond")}
_DATA, _CUT = "#0072B2", "#D55E00"


def _hundredfold(scores: Sequence[float | None]) -> list[float | None]:
    return [None if score is None else 100 * score for score in scores]


def score_bars(
    specs: Sequence[str],
    scores: Sequence[float | None],
    *,
    labels: Sequence[str] | None = None,
) -> Figure:
    """Draw the score x 100 of each row as a bar with its number; the first is the baseline."""
    values = _hundredfold(scores)
    figure = value_bars(RHO_TITLE, labels or specs, specs, values, digits=".2f")
    if values and values[0] is not None:
        figure.add_vline(x=values[0], line_dash="dash", line_color="gray")
    return figure


def value_bars(
    title: str,
    names: Sequence[str],
    specs: Sequence[str],
    values: Sequence[float | None],
    *,
    digits: str = ".3g",
) -> Figure:
    """Draw one quantity of several spaces as bars in their calibrators' colours."""
    texts = ["undefined" if value is None else format(value, digits) for value in values]
    ends = [0.0, *(value for value in values if value is not None)]
    # The number beside a bar to the left needs room, which Plotly leaves to the right alone.
    left = {"include": min(ends) - 0.35 * (max(ends) - min(ends))} if min(ends) < 0 else {}
    return picture(
        [bars(values, names, texts, f"%{{y}}: %{{x:{digits}}}", specs=specs)],
        x={"title": title, "autorangeoptions": left},
        y=DOWN | {"automargin": True},
        height=120 + 34 * len(names),
        alt=f"{title} of {', '.join(names)}, one bar each",
    )


def verdict_bars(
    parts: Sequence[tuple[str, tuple[float, float], Mapping[str, tuple[float, str]]]],
) -> Figure:
    """Draw measures as bars with a verdict on each, a panel for each (title, axis ends, values)."""
    drawn = {}
    for title, (low, high), values in parts:
        shares = [min(max((value - low) / (high - low), 0), 1) for value, _ in values.values()]
        texts = [f"{value:z.2f}, {word}" for value, word in values.values()]
        sides = ["inside" if share > 0.5 else "outside" for share in shares]
        look: Look = {"textposition": sides, "specs": list(values)}
        title = "\n".join(textwrap.wrap(title, 42))  # of a phone's width
        drawn[title] = [bars(shares, list(values), texts, "%{y}: %{text}", **look)]
    ends = [[f"{end:g}" for end in ends] for _, ends, _ in parts]
    figure = panels(
        drawn,
        across=1,
        x=[{"range": [0, 1], "tickvals": [0, 1], "ticktext": each} for each in ends],
        y=DOWN,
        height=(60, 90 + 26 * max(len(values) for _, _, values in parts)),
        alt="Measures of each calibrator as bars with a verdict on each",
    )
    return figure.update_annotations(x=0, xanchor="left", align="left", font_size=13)


def score_by_dataset(
    scores: Mapping[str, Sequence[float | None]],
    datasets: Sequence[str],
    calibrators: Sequence[str],
    *,
    title: str = RHO_TITLE,
) -> Figure:
    """Draw the scores x 100 of each label as one mark per data set, joined by a line."""
    names = [plain(name) for name in datasets]
    look: Look = {"marked": True, "line_dash": "dot", "line_width": 1, "marker_size": 10}
    curves = {plain(label): (names, _hundredfold(values)) for label, values in scores.items()}
    return picture(
        lines(curves, colours_of(calibrators), "%{x}: %{y:.2f}", **look),
        x={"title": "data set", "type": "category"},
        y=title,
        height=340 + 12 * len(scores),
        alt=f"{title} of each row by data set",
        legend_orientation="v",
    )


def sweep_curve(
    values: Sequence[float | str],
    curves: Mapping[str, Sequence[float | None]],
    *,
    spec: str,
    label: str,
    title: str = RHO_TITLE,
    chosen: int | None = None,
    log_x: bool = False,
) -> Figure:
    """Draw a score x 100 against a parameter, a line per split (dev, test), with the chosen value.

    Names are equally spaced. On a logarithmic axis 0 is a decade left of the smallest value.
    """
    axis: dict[str, Any] = {}
    places: Sequence[float | str] = values
    if log_x:
        numbers = [float(value) for value in values]
        low = min((number for number in numbers if number > 0), default=1.0)
        zero = low / 10 if min(numbers) <= 0 else None
        axis, places = log_axis(low, max(*numbers, low), zero), [n or low / 10 for n in numbers]
    elif any(isinstance(place, str) for place in places):
        axis = {"type": "category"}
    drawn = []
    for name, rhos in curves.items():
        dash, symbol = _SPLITS.get(name, ("dot", "x"))
        look: Look = {"line_dash": dash, "marker_symbol": symbol, "marker_size": 8}
        hover, told = f"{label} %{{customdata}}: %{{y:.2f}}", [str(value) for value in values]
        y = _hundredfold(rhos)
        drawn.append(line(name, places, y, colour_of(spec), hover, customdata=told, **look))
    alt = f"{title} against {label}"
    figure = picture(drawn, x={"title": label, **axis}, y=title, height=380, alt=alt)
    if chosen is not None:
        place = places[chosen]
        figure.add_vline(x=place, line_dash="dot", line_color="gray")
        figure.add_annotation(
            x=math.log10(float(place)) if log_x else place,
            text=f"chosen on dev: {values[chosen]}",
            showarrow=False,
            xanchor="left",
            **{"y": 1, "yref": "paper", "yanchor": "top"},
        )
    return figure


def interval_forest(
    labels: Sequence[str],
    estimates: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    title: str,
    reference: float | None = None,
    notes: Sequence[str] = (),
    apart: Sequence[bool] = (),
    shown: Sequence[str] = (),
) -> Figure:
    """Draw on each line one estimate in [-1, 1] and its interval, both times 100.

    The last word of a label is the calibrator. Estimates that are not `apart` from the `reference`
    are hollow and grey.
    """
    centres, left, right = (100 * np.asarray(v, np.float64) for v in (estimates, lows, highs))
    filled = apart or [True] * len(labels)
    specs = [label.rsplit(" ", 1)[-1] for label in labels]
    colours = [
        colour_of(spec) if full else BASELINE for spec, full in zip(specs, filled, strict=True)
    ]
    whole: Look = {"width": 28, "break_long_words": False, "break_on_hyphens": False}
    names = [  # in lines that leave room for the plot on a phone
        "<br>".join(textwrap.wrap(plain(f"{a}  {b}".rstrip()), **whole))
        for a, b in zip_longest(labels, notes, fillvalue="")
    ]
    drawn = [
        line("", [low, high], [name, name], colour, line_width=3, showlegend=False)
        for low, high, name, colour in zip(left, right, names, colours, strict=True)
    ]
    hover = "%{y}: %{text} [%{customdata[0]:.2f}, %{customdata[1]:.2f}]"
    look: Look = {"marker_size": 11, "marker_line_width": 2}
    look["marker_symbol"] = ["circle" if full else "circle-open" for full in filled]
    look["text"] = shown or [f"{centre:.2f}" for centre in centres]
    ends = np.column_stack([left, right])
    marks = points(centres, names, colours, hover, customdata=ends, **look)
    reach = [*ends.ravel(), *([] if reference is None else [100 * reference])]
    room = 0.05 * (max(reach) - min(reach) or 1.0)
    figure = picture(
        [*drawn, marks],
        x={"title": title, "range": [min(reach) - room, max(reach) + room]},
        y=DOWN | {"type": "category"},
        height=130 + 44 * len(labels),
        alt=f"{title} with its interval, one per line",
    )
    if reference is not None:
        figure.add_vline(x=100 * reference, line_dash="dash", line_color=BASELINE)
    return figure


def scores_by_layer(
    curves: Mapping[str, tuple[Sequence[int], Sequence[Sequence[float]]]],
    names: Sequence[str],
    plain_output: float,
    *,
    title: str = RHO_TITLE,
) -> Figure:
    """Draw the score x 100 of each layer under each calibrator, with intervals.

    `curves` has the positions of layers among the names, and (score, low, high) of each.
    """
    drawn = []
    for i, (spec, (layers, numbers)) in enumerate(curves.items()):
        score, low, high = 100 * np.asarray(numbers, np.float64)
        aside = 0.09 * (i - (len(curves) - 1) / 2)  # so that intervals do not hide each other
        trace = line(
            spec,
            [layer + aside for layer in layers],
            score,
            colour_of(spec),
            "%{text}: %{y:.2f} [%{customdata[0]:.2f}, %{customdata[1]:.2f}]",
            marker_symbol=SYMBOLS[i % len(SYMBOLS)],
            marker_size=8,
            text=[f"layer {names[layer]}".replace("layer output", "output") for layer in layers],
            customdata=np.column_stack([low, high]),
        )
        ends = {"array": high - score, "arrayminus": score - low, "thickness": 1.5, "width": 3}
        drawn.append(trace.update(error_y={"type": "data", "symmetric": False, **ends}))
    told = f"{100 * plain_output:.2f}"
    figure = picture(
        drawn,
        x={"title": "layer", "tickvals": [*range(len(names))], "ticktext": list(names)},
        y=title,
        height=440,
        alt=f"{title} of each layer under each calibrator with its interval; a line at the plain "
        f"output's score, {told}",
    )
    note = {"annotation_text": f"plain output, {told}", "annotation_position": "top left"}
    figure.add_hline(y=100 * plain_output, line_dash="dash", line_color=BASELINE, **note)
    return figure


def rank_changes(
    before: FloatArray,
    after: FloatArray,
    gold: FloatArray,
    *,
    names: tuple[str, str],
    numbers: Sequence[int],
) -> Figure:
    """Draw the distance of each pair's rank from its gold rank, before and after, (N,) each."""
    far = float(max(before.max(initial=1), after.max(initial=1)))
    pairs = points(
        np.asarray(before, np.float32),
        np.asarray(after, np.float32),
        np.asarray(gold, np.float32),
        "pair %{customdata}<br>before %{x:.0f}<br>after %{y:.0f}",
        many=True,
        marker_colorscale="Cividis",
        marker_colorbar_title="gold score",
        marker_size=6,
        marker_opacity=0.8,
        marker_line={"width": 0.6, "color": BASELINE},  # dark marks on a dark page would vanish
        customdata=np.asarray(numbers, np.int32),
    )
    across, up = (
        {"title": f"distance from gold rank under {name}", "range": [-far * 0.02, far * 1.02]}
        for name in names
    )
    equal = line("", [0, far], [0, far], BASELINE, line_dash="dash", showlegend=False)
    alt = "Distance of each pair from its gold rank before and after"
    figure = picture([pairs, equal], x=across, y=up, height=480, alt=alt)
    figure.add_annotation(x=far * 0.85, y=far * 0.1, text="moved closer", showarrow=False)
    figure.add_annotation(x=far * 0.12, y=far * 0.9, text="moved away", showarrow=False)
    return figure


def gold_against_cosine(
    gold: FloatArray, cosines: Mapping[str, FloatArray], *, gold_label: str
) -> Figure:
    """Draw each pair's gold score against its cosine, one panel per calibrator on shared axes."""
    drawn = {
        spec: [
            points(
                np.asarray(gold, np.float32),
                np.asarray(cosine, np.float32),
                colour_of(spec),
                "pair %{customdata}<br>gold %{x}<br>cosine %{y:.3f}",
                many=True,
                marker_size=5,
                marker_opacity=0.55,
                customdata=np.arange(1, len(gold) + 1, dtype=np.int32),
            )
        ]
        for spec, cosine in cosines.items()
    }
    alt = "Gold score against cosine of every pair, one panel per calibrator"
    look: Look = {"across": len(drawn), "height": (0, 380), "grid": SHARED}
    return panels(drawn, x=gold_label, y="cosine", alt=alt, **look)


def cosine_by_label(
    labels: FloatArray, cosines: Mapping[str, FloatArray], *, bins: int = 50
) -> Figure:
    """Draw the distribution of cosines for each label, 1 or 0, one panel per calibrator."""
    edges = np.linspace(-1, 1, bins + 1)
    drawn = {}
    for spec, cosine in cosines.items():
        groups = {label: np.clip(np.asarray(cosine)[labels == label], -1, 1) for label in (1, 0)}
        named = {f"label {label}": each for label, each in groups.items()}
        drawn[spec] = stepped(named, [colour_of(spec)], "cosine %{x:.2f}: %{y:.1f} %", bins=edges)
    across = {"title": "cosine of a pair", "range": [-1, 1]}
    alt = "Distribution of the cosines of pairs for each label, one panel per calibrator"
    look: Look = {"across": len(drawn), "height": (0, 360), "grid": SHARED}
    return panels(drawn, x=across, y="% of the pairs of a label", alt=alt, **look)


def cosine_histograms(cosines: Mapping[str, FloatArray], *, bins: int = 50) -> Figure:
    """Draw the distribution of the pairs' cosines, one stepped line per calibrator."""
    edges = np.linspace(-1, 1, bins + 1)
    shares = {
        spec: np.histogram(np.clip(cosine, -1, 1), edges)[0] / max(1, len(cosine))
        for spec, cosine in cosines.items()
    }
    return share_histograms(shares, label="cosine of a pair")


def share_histograms(shares: Mapping[str, npt.ArrayLike], *, label: str) -> Figure:
    """Draw the share of pairs in equal bins of cosine from -1 to 1, one line per calibrator."""
    curves = _share_lines(shares, colours_of(shares), fill="tozeroy")
    across = {"title": label, "range": [-1, 1]}
    alt = f"Distribution of the {label} under each calibrator"
    return picture(curves, x=across, y="pairs in %", height=320, alt=alt)


def threshold_curves(curve: Mapping[str, Sequence[float | None]], threshold: float) -> Figure:
    """Draw shares x 100 against the thresholds `at`, and mark one threshold."""
    drawn = {name: (curve["at"], _hundredfold(y)) for name, y in curve.items() if name != "at"}
    figure = picture(
        lines(drawn, (_DATA, _CUT), "cosine above %{x:.3f}: %{y:.1f} %", dashed=True),
        x={"title": "threshold of the cosine"},
        y={"title": "%", "range": [0, 102]},
        height=320,
        alt=f"{' and '.join(drawn)} by threshold, marked at {threshold:.3f}",
    )
    note = {"annotation_text": f"{threshold:.3f}", "annotation_position": "top left"}
    figure.add_vline(x=threshold, line_dash="dot", line_color=BASELINE, **note)
    return figure


def share_ridges(
    parts: Mapping[str, Mapping[str, npt.ArrayLike]],
    thresholds: Mapping[str, float],
    example: float,
    *,
    label: str,
) -> Figure:
    """Draw shares of pairs by space, then by set of sentences, with the threshold of each space.

    A thin line marks the same cosine, `example`, in every panel.
    """
    drawn = {}
    for part, shares in parts.items():
        at, hover = thresholds[part], "threshold: %{x:.3f}"
        top = max(float(np.max(each)) for each in shares.values())
        cut = line("threshold", [at, at], [0, 100 * top], _CUT, hover, line_dash="dot")
        mark = line(f"cosine of {example:g}", [example] * 2, [0, 100 * top], BASELINE, line_width=1)
        drawn[part] = [*_share_lines(shares, (_DATA, BASELINE)), cut, mark]
    across = {"title": label, "range": [-1, 1]}
    alt = f"Distribution of the {label} and the threshold, a panel for each calibrator"
    up = {"title": "pairs in %", "rangemode": "tozero"}
    grid = {"shared_xaxes": True, "vertical_spacing": 0.3 / len(drawn)}
    look: Look = {"across": 1, "height": (90, 110), "grid": grid}
    figure = panels(drawn, x={"range": [-1, 1]}, y=up, alt=alt, **look)
    return figure.update_xaxes(across, row=len(drawn), col=1)


def _share_lines(
    shares: Mapping[str, npt.ArrayLike],
    colours: Iterable[str],
    **look: Any,  # noqa: ANN401 - of a trace
) -> Traces:
    drawn = {}
    for name, share in shares.items():
        heights = 100 * np.asarray(share)
        step = 2 / len(heights)
        drawn[name] = np.arange(-1 + step / 2, 1, step), heights
    hover = "cosine %{x:.2f}: %{y:.1f} %"
    return lines(drawn, colours, hover, dashed=True, line_shape="hvh", **look)
