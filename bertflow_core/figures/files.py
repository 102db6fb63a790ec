"""Figures as files: an HTML page or a picture, with caption and command."""

import textwrap

from plotly.offline import get_plotlyjs

from bertflow_core.figures.kinds import alt_of
from bertflow_core.figures.pages import render
from bertflow_core.figures.style import Figure, plain

_WIDTH = 175

_LINE, _AXIS, _LEGEND = 15, 70, 90


def figure_page(figure: Figure, *, title: str, caption: str, command: str) -> str:
    """Return an HTML page with a figure that works offline, its caption and its command."""
    own = Figure(figure).update_layout(template="plotly_white")
    return render(
        __package__,
        "figure.html.jinja",
        title=title,
        figure=own.to_html(full_html=False, include_plotlyjs=True),
        alt=alt_of(figure) or title,
        caption=caption,
        command=command,
    )


def captioned(figure: Figure, caption: str) -> Figure:
    """Return a copy of a figure with its caption below, for a picture of 1,000 pixels' width."""
    lines = textwrap.wrap(caption, _WIDTH)
    room = _AXIS + _LINE * len(lines)
    own = Figure(figure).update_layout(
        template="plotly_white",
        height=figure.layout.height + room,
        margin={"l": 70, "r": 20, "b": room},
    )
    if own.layout.legend.yref == "container":  # at the bottom, where the caption is
        own.update_layout(legend={"y": 1, "yanchor": "top"}, margin={"t": _LEGEND})
    own.add_annotation(
        text="<br>".join(map(plain, lines)),
        font={"size": 11},
        align="left",
        showarrow=False,
        **{"xref": "paper", "x": 0, "xanchor": "left", "xshift": -50},
        **{"yref": "paper", "y": 0, "yanchor": "top", "yshift": 15 - _AXIS},
    )
    return own


def plotly_script() -> str:
    """Return the JavaScript that draws figures, of the version that makes them; 4 to 5 MB."""
    text: str = get_plotlyjs()
    return text
