"""One colour per calibrator and one style for all figures, safe for colour blindness."""

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

Figure = go.Figure
"""The result of every function here; only this package imports plotly."""

BASELINE = "#8A8A8A"
"""Grey of the uncalibrated baseline, readable on white and on black."""

RHO_TITLE = "Spearman's rho x 100"
"""Title of an axis of rho."""

# Okabe and Ito's palette (https://jfly.uni-koeln.de/color) without yellow, which fades on white,
# for the paper's five; for the others mostly Tol's schemes (https://sronpersonalpages.nl/~pault),
# each kind of map near one hue.
_COLOURS = {
    "identity": BASELINE,
    "standardize": "#E69F00",
    "null-top-k": "#009E73",
    "all-but-the-top": "#44AA99",
    "common-component": "#117733",
    "whiten": "#56B4E9",
    "soft-whiten": "#3377CC",
    "ledoit-wolf": "#7A6FDB",
    "gaussianize": "#999933",
    "rbig": "#AA4499",
    "flow": "#D55E00",
    "realnvp": "#EE3377",
    "spline-flow": "#A6611A",
    "maf": "#CC6677",
}
_PIPELINE = "#CC79A7"


def colour_of(spec: str) -> str:
    """Return the colour of a calibrator's spec; all pipelines share one."""
    if "+" in spec:
        return _PIPELINE
    return _COLOURS.get(spec.partition(":")[0], "#0072B2")


def ink_on(colour: str) -> str:
    """Return black or white, whichever reads better on a colour `#RRGGBB` (WCAG 2's contrast)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#000000" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "#FFFFFF"


def inks_on(scale: str, shares: npt.ArrayLike) -> list[str]:
    """Return the ink for each position on one of Plotly's colour scales.

    Args:
        scale: Name of the scale, such as `PuOr`.
        shares: Positions from 0, the low end, to 1; positions beyond take the colour of the end.
    """
    shades = sample_colorscale(scale, np.clip(shares, 0, 1).tolist(), colortype="tuple")
    return [ink_on("#" + "".join(f"{round(255 * c):02X}" for c in shade)) for shade in shades]


def plain(text: str) -> str:
    """Return a text with Plotly's tags and links disarmed."""
    return text.replace("&", "&amp;").replace("<", "&lt;")
