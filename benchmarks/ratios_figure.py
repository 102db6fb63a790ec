"""The picture of every ratio to a named peer, drawn from the recorded results alone, as SVG."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .record import Record

__all__ = ["FIGURE", "draw", "write"]

FIGURE = Path(__file__).parent / "ratios.svg"

_WIDTH, _LEFT, _RIGHT, _TOP, _ROW = 900, 230, 640, 76, 24
_FASTER, _SLOWER = "#0072b2", "#d55e00"  # after Okabe and Ito; the length says it as well

_STYLE = """\
text { font: 13px sans-serif; fill: #222 }
.small { font-size: 11px }
.line { stroke: #8888; stroke-width: 1 }
path, polyline { stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .ground { fill: #16181d } }
@media (prefers-color-scheme: light) { .ground { fill: #fff } }"""


def write(records: Iterable[Record]) -> None:
    """Write the picture beside the README."""
    FIGURE.write_text(draw(records), encoding="utf-8")


def draw(records: Iterable[Record]) -> str:
    """Return a picture with a bar for each of our own rows that has a peer, on a log2 axis."""
    rows = [row for record in records for row in record["results"] if _is_own(row)]
    rows.sort(key=lambda row: -row["ratio"])
    ends = [end for row in rows for end in row["spread"]]
    axis = _Axis(min(1, *ends), max(ends))
    bottom = _TOP + _ROW * len(rows)
    title = "Speed of each work, as a multiple of a named peer's"
    width, height = _WIDTH, bottom + 56
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{title}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="20" y="24">{title}</text>',
        '<text class="small" x="20" y="44">Median of the rounds of one run each; the line on a bar '
        "spans all rounds. Days, machines and versions stand in the tables of README.md.</text>",
        *(_tick(axis, value, bottom) for value in axis.ticks),
        *(_bar(axis, row, _TOP + _ROW * i) for i, row in enumerate(rows)),
        f'<text x="{(_LEFT + _RIGHT) // 2}" y="{bottom + 40}" text-anchor="middle">'
        "Ratio (1: as fast as the peer; each step twice as fast)</text>",
        "</svg>\n",
    ]
    return "\n".join(parts)


class _Axis:
    """A log2 axis from the power of two below the least value to that above the most."""

    def __init__(self, least: float, most: float) -> None:
        self._low = math.floor(math.log2(least))
        self._high = max(math.ceil(math.log2(most)), self._low + 1)

    @property
    def ticks(self) -> list[float]:
        """The powers."""
        return [2.0**power for power in range(self._low, self._high + 1)]

    def place(self, value: float) -> float:
        """Return where a value lies, in pixels."""
        share = (math.log2(value) - self._low) / (self._high - self._low)
        return _LEFT + share * (_RIGHT - _LEFT)


def _is_own(row: dict[str, Any]) -> bool:
    """Tell our own rows from those of other ways, whose names hold a comma."""
    return row.get("peer") is not None and row.get("ratio") is not None and "," not in row["name"]


def _tick(axis: _Axis, value: float, bottom: int) -> str:
    x = axis.place(value)
    width = 3 if value == 1 else 1
    return (
        f'<path class="line" style="stroke-width: {width}" d="M{x:.1f} {_TOP - 8}V{bottom}"/>'
        f'<text class="small" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:g}</text>'
    )


def _bar(axis: _Axis, row: dict[str, Any], top: int) -> str:
    one, end = axis.place(1), axis.place(row["ratio"])
    low, high = (axis.place(value) for value in row["spread"])
    colour, middle = _FASTER if row["ratio"] >= 1 else _SLOWER, top + _ROW // 2
    return (
        f'<text x="{_LEFT - 10}" y="{middle + 4}" text-anchor="end">{row["name"]}</text>'
        f'<rect x="{min(one, end):.1f}" y="{top + 5}" width="{abs(end - one):.1f}" '
        f'height="{_ROW - 10}" fill="{colour}"/>'
        f'<path class="line" style="stroke: #888" d="M{low:.1f} {middle}H{high:.1f}"/>'
        f'<text class="small" x="{_RIGHT + 20}" y="{middle + 4}">{row["ratio"]:.2f} against '
        f"{row['peer']}</text>"
    )
