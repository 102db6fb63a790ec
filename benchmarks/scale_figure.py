"""The picture of time and memory against rows, drawn from `results/scale.json` alone, as SVG."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .record import Record
from .svg import Axis, picture

__all__ = ["FIGURE", "draw", "write"]

FIGURE = Path(__file__).parent / "scale.svg"

_WIDTH, _HEIGHT, _PANEL, _TOP, _PLOT_WIDTH, _PLOT_HEIGHT = 900, 440, (80, 530), 70, 340, 260
_MARKS = {  # colours and shapes that differ to any eye, after Okabe and Ito
    "flow fit": ("#0072b2", "M-5-5h10v10h-10z"),
    "flow transform": ("#d55e00", "M0-6L6 5H-6z"),
    "whitening": ("#009e73", "M0-7L7 0L0 7L-7 0z"),
    "sts": ("#cc79a7", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z"),
}
_PANELS = (
    ("seconds", "Time (seconds)", "seconds_exponent", 1e-3),
    ("above_base_mib", "Peak memory above the base (MiB)", "memory_exponent", 1.0),
)


def write(record: Record) -> None:
    """Write the picture beside the README."""
    FIGURE.write_text(draw(record), encoding="utf-8")


def draw(record: Record) -> str:
    """Return the picture of a record of `scale`: two panels, both axes logarithmic."""
    rows = record["results"]
    machine = record["machine"]
    caption = (
        f"{record['date']}; {machine['cpu']}, {machine['cores']} cores; "
        f"{record['recipe']['features']} features, float32, each point measured once; "
        "in brackets the exponents of N; bertflow-lab bench scale"
    )
    panels = [_panel(rows, left, *panel) for left, panel in zip(_PANEL, _PANELS, strict=True)]
    title = "Time and memory against the number of rows"
    parts = [
        f'<text x="{_PANEL[0]}" y="24">{title}</text>',
        *panels,
        f'<text class="small" x="{_PANEL[0]}" y="{_HEIGHT - 14}">{caption}</text>',
    ]
    return picture(parts, width=_WIDTH, height=_HEIGHT, label=title)


def _panel(
    rows: Sequence[dict[str, Any]], left: int, key: str, title: str, exponent: str, least: float
) -> str:
    sizes = sorted({row["rows"] for row in rows})
    values = [max(row[key], least) for row in rows]
    x = Axis(min(sizes), max(sizes), left, left + _PLOT_WIDTH)
    y = Axis(min(values), max(values), _TOP + _PLOT_HEIGHT, _TOP)
    parts = [
        f'<text x="{left}" y="{_TOP - 16}">{title}</text>',
        f'<text x="{left + _PLOT_WIDTH / 2:.0f}" y="{_TOP + _PLOT_HEIGHT + 42}" '
        'text-anchor="middle">Rows, N</text>',
    ]
    for value in x.ticks:
        parts.append(
            f'<text class="small" x="{x.place(value):.1f}" y="{_TOP + _PLOT_HEIGHT + 18}" '
            f'text-anchor="middle">{value:,.0f}</text>'
        )
    for value in y.ticks:
        parts.append(
            f'<path class="line" d="M{left} {y.place(value):.1f}h{_PLOT_WIDTH}"/>'
            f'<text class="small" x="{left - 6}" y="{y.place(value) + 4:.1f}" '
            f'text-anchor="end">{value:g}</text>'
        )
    for number, (work, (colour, mark)) in enumerate(_MARKS.items()):
        own = [row for row in rows if row["work"] == work]
        points = [(x.place(row["rows"]), y.place(max(row[key], least))) for row in own]
        parts += _curve(points, colour, mark)
        at = _TOP + 10 + 18 * number
        parts.append(
            f'<g transform="translate({left + 14} {at})"><path d="{mark}" fill="{colour}"/></g>'
            f'<text class="small" x="{left + 26}" y="{at + 4}">{work} '
            f"({own[0][exponent]:.2f})</text>"
        )
    return "\n".join(parts)


def _curve(points: Iterable[tuple[float, float]], colour: str, mark: str) -> list[str]:
    points = list(points)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return [
        f'<polyline points="{line}" fill="none" stroke="{colour}"/>',
        *(
            f'<g transform="translate({x:.1f} {y:.1f})"><path d="{mark}" fill="{colour}"/></g>'
            for x, y in points
        ),
    ]
