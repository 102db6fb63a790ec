"""Plotly's own script, for a page that holds several figures and needs it once."""

from plotly.offline import get_plotlyjs

__all__ = ["plotly_script"]


def plotly_script() -> str:
    """Return the JavaScript that draws figures, of the version that makes them; 4 to 5 MB."""
    text: str = get_plotlyjs()
    return text
