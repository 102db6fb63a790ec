"""Downloads: figures as SVG and HTML, and numbers as CSV, Markdown and JSON."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from bertflow_core.report import Form, Report

_SVG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}


class _Download(NamedTuple):
    name: str
    mime: str
    help: str


_FORMS = {
    Form.CSV: _Download("CSV", "text/csv", "Every number with its recipe, for a spreadsheet."),
    Form.MARKDOWN: _Download("Markdown", "text/markdown", "A table for GitHub."),
    Form.JSON: _Download("JSON", "application/json", "Every number with its recipe."),
}


@dataclass(frozen=True)
class Origin:
    """Where a figure's numbers come from.

    Attributes:
        caption: What they depend on.
        command: What reproduces them.
    """

    caption: str
    command: str


def origin_of(report: Report) -> Origin:
    """Return where the numbers of a report come from."""
    return Origin(" ".join(report.remarks), report.command)


def chart(figure: Any, *, key: str, origin: Origin, alt: str = "", **options: Any) -> Any:  # noqa: ANN401 - plotly's own
    """Show a figure that can be saved: the camera above it writes SVG, a button writes HTML.

    Args:
        figure: A plotly figure.
        key: Its name on the page, and that of the files.
        origin: Caption and command of its numbers, for the file.
        alt: What it shows, for those who cannot see it, where the figure does not say it.
        options: Passed on to `st.plotly_chart`.

    Returns:
        What `st.plotly_chart` returns.
    """
    from bertflow_core.figures import alt_of

    event = st.plotly_chart(figure, key=key, alt=alt or alt_of(figure), config=_SVG, **options)
    figure_button(lambda: figure, key=key, origin=origin)
    return event


def figure_button(make: Callable[[], Any], *, key: str, origin: Origin) -> None:
    """Offer a figure as a page of its own, with its caption and command.

    Args:
        make: Returns the plotly figure when it is asked for.
        key: Its name on the page, and that of the file.
        origin: Where its numbers come from.
    """

    def page() -> str:
        from bertflow_core.figures import figure_page

        title = re.sub("[-_]", " ", key)
        return figure_page(make(), title=title, caption=origin.caption, command=origin.command)

    st.download_button(
        "Figure as HTML",
        page,
        f"{key}.html",
        "text/html",
        key=f"{key}-html",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
        help="A page of its own that works offline, with what its numbers depend on and the "
        "command that makes them; the camera above it saves SVG.",
    )


def downloads(make: Callable[[], Report], *, label: str = "{}") -> None:
    """Offer a report as CSV, Markdown and JSON; each is made when it is asked for.

    Args:
        make: Returns the report; what it writes is made later.
        label: Of a button, with `{}` for the name of its form.
    """
    name = make().name
    with st.container(horizontal=True):
        for form, download in _FORMS.items():
            st.download_button(
                label.format(download.name),
                partial(_written, make, form),
                f"{name}.{form.ending}",
                download.mime,
                icon=":material/download:",
                on_click="ignore",
                help=download.help,
            )


def _written(make: Callable[[], Report], form: Form) -> str:
    return make().write(form)
