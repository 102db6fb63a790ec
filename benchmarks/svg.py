"""What the pictures of the records share: their style and a logarithmic axis."""

import math
from collections.abc import Iterable

__all__ = ["Axis", "picture"]

_STYLE = """\
text { font: 13px sans-serif; fill: #222 }
.small { font-size: 11px }
.line { stroke: #8888; stroke-width: 1 }
path, polyline { stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .ground { fill: #16181d } }
@media (prefers-color-scheme: light) { .ground { fill: #fff } }"""


def picture(parts: Iterable[str], *, width: int, height: int, label: str) -> str:
    """Return a picture on a ground that follows the reader's theme."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{label}">',
            f"<style>{_STYLE}</style>",
            f'<rect class="ground" width="{width}" height="{height}" fill="#fff"/>',
            *parts,
            "</svg>\n",
        ]
    )


class Axis:
    """A logarithmic axis from the power of a base below the least value to that above the most."""

    def __init__(
        self, least: float, most: float, first: float, last: float, *, base: float = 10.0
    ) -> None:
        self._base = base
        self._log = {2.0: math.log2, 10.0: math.log10}[base]  # exact at the powers
        self._low, self._high = math.floor(self._log(least)), math.ceil(self._log(most))
        self._high = max(self._high, self._low + 1)
        self._first, self._last = first, last

    @property
    def ticks(self) -> list[float]:
        """The powers."""
        return [self._base**power for power in range(self._low, self._high + 1)]

    def place(self, value: float) -> float:
        """Return where a value lies, in pixels."""
        share = (self._log(value) - self._low) / (self._high - self._low)
        return self._first + share * (self._last - self._first)
