"""One colour a calibrator and one look a figure, safe for colour-blind eyes in light and dark."""

import plotly.graph_objects as go

__all__ = ["BASELINE", "colour_of", "plain", "styled"]

BASELINE = "#8A8A8A"
"""Grey of the uncalibrated baseline; it reads on white and on black."""

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
    """Return the colour of a calibrator's spec; pipelines share one."""
    if "+" in spec:
        return _PIPELINE
    return _COLOURS.get(spec.partition(":")[0], "#0072B2")


def plain(text: str) -> str:
    """Return text for a figure as it is: Plotly reads tags and links in labels."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def styled(figure: go.Figure, *, height: int) -> go.Figure:
    """Give a figure the common margins, legend place and hover, and return it."""
    return figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
        hoverlabel={"namelength": -1},
    )
