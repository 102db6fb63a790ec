"""One colour per calibrator and one style for all figures, safe for colour blindness."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

Figure = go.Figure
"""What every drawing function returns. Only this package imports plotly."""

BASELINE = "#8A8A8A"
"""Grey of the uncalibrated baseline, readable on white and on black."""

RHO_TITLE = "Spearman's rho x 100"
"""Title of an axis of rho."""

# The paper's five calibrators have Okabe and Ito's hues (https://jfly.uni-koeln.de/color) except
# yellow, which fades on white. The others mostly have Tol's (https://sronpersonalpages.nl/~pault),
# with similar hues for calibrators of one kind.
_COLOURS = {
    "identity": BASELINE,
    "standardize": "#E69F00",
    "drop-coordinates": "#B8860B",
    "null-top-k": "#009E73",
    "all-but-the-top": "#44AA99",
    "common-component": "#117733",
    "whiten": "#56B4E9",
    "soft-whiten": "#3377CC",
    "ledoit-wolf": "#7A6FDB",
    "flow": "#D55E00",
}
_PIPELINE = "#CC79A7"
_SHADES = ((0, 0.0), (0, 0.35), (255, 0.4), (0, 0.6))
"""Shades of a calibrator's colour for its settings: the grey that is mixed in, and its share."""


def colour_of(spec: str) -> str:
    """Return the colour of a calibrator's spec; all pipelines share one."""
    if "+" in spec:
        return _PIPELINE
    return _COLOURS.get(spec.partition(":")[0], "#0072B2")


def colours_of(specs: Iterable[str]) -> list[str]:
    """Return a colour for each spec; settings of one calibrator get shades of its colour."""
    seen: dict[str, list[str]] = {}
    return [_shade(seen.setdefault(colour_of(spec), []), spec) for spec in specs]


def _shade(specs: list[str], spec: str) -> str:
    """Return the shade for a spec among `specs`, which share one colour; a new spec is added."""
    if spec not in specs:
        specs.append(spec)
    towards, share = _SHADES[specs.index(spec) % len(_SHADES)]
    mixed = (round(c + share * (towards - c)) for c in _channels(colour_of(spec)))
    return "#" + "".join(f"{c:02X}" for c in mixed)


def _channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def ink_on(colour: str) -> str:
    """Return black or white, whichever reads better on a colour `#RRGGBB` (WCAG 2's contrast)."""
    channels = [c / 255 for c in _channels(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#000000" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "#FFFFFF"


def inks_on(scale: str, shares: npt.ArrayLike) -> list[str]:
    """Return black or white for each position, from 0 to 1, on one of Plotly's colour scales."""
    shades = sample_colorscale(scale, np.clip(shares, 0, 1).tolist(), colortype="tuple")
    return [ink_on("#" + "".join(f"{round(255 * c):02X}" for c in shade)) for shade in shades]


def plain(text: str) -> str:
    """Return a text in which Plotly sees no tags or links."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def in_html(text: str) -> str:
    """Return a text as `plain` does, with `<br>` between its lines."""
    return plain(text).replace("\n", "<br>")
