"""A report on a page: table, remarks, pictures, one menu of downloads, and the command."""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import streamlit as st
from bertflow_app.widgets.components import cell, save_button, show_rows

from bertflow_core.errors import InputError
from bertflow_core.report.remark import BASIS, Kind, texts_of
from bertflow_core.report.report import Column, Form, Report, Row, Table

ENDS = "95 %"
"""The header of an interval."""

_IN_VIEW = 9
"""Number of columns that fit in a window of 1280 pixels, in most tables."""

SHORT = 160
"""Largest number of characters of a text below a table; a longer text is folded."""

_SENTENCE_PIXELS, _WRAPPED_PIXELS = 165, 66
"""Width of a column of sentences, and height of its rows, in pixels; texts wrap only from 65 on."""

_BROWSERS_TOO = re.compile(r"[+]?(\.\d+)?[efg]")
"""The number formats that Streamlit writes as Python does."""

_DRAWING = threading.Lock()
"""Held while a figure is drawn, so that the server starts one browser at a time."""

_FORMS = {
    Form.CSV: ("CSV", "Every number with its recipe, for a spreadsheet."),
    Form.MARKDOWN: ("Markdown", "A table for GitHub."),
    Form.LATEX: ("LaTeX", "A table for the package booktabs."),
    Form.JSON: ("JSON", "Every number with its recipe."),
}
"""The name and the help of each download."""


@dataclass(frozen=True)
class Origin:
    """Where a figure's numbers come from: what they depend on, and what reproduces them."""

    caption: str
    command: str


def origin_of(report: Report) -> Origin:
    """Return the remarks and the command of a report."""
    return Origin(report.text(), report.command)


def chart(figure: Any, *, key: str, origin: Origin, alt: str = "", **options: Any) -> Any:  # noqa: ANN401 - plotly's own
    """Show a figure and a menu that saves it as PNG, SVG, HTML or, if possible, PDF.

    Where the server has no Chrome, the camera button above the figure saves PNG and SVG.
    """
    from bertflow_core.figures import alt_of, figure_page

    place, title, camera = st.container(), re.sub("[-_]", " ", key), "PNG"
    with st.popover("Save figure", icon=":material/download:", type="tertiary"):
        about = {"caption": origin.caption, "command": origin.command}
        files: dict[str, Callable[[], str | bytes]] = {
            "HTML": lambda: figure_page(figure, title=title, **about)
        }
        if _can_draw():
            caption = f"{origin.caption} {origin.command}"
            drawn = ("PNG", "SVG", "PDF")
            files |= {form: partial(_image, figure, caption, form.lower()) for form in drawn}
        else:
            camera = st.segmented_control(
                "Point at the figure: the camera at its top right saves",
                ["PNG", "SVG"],
                default="PNG",
                key=f"{key}-camera",
                required=True,
            )
        for form, make in files.items():
            save_button(
                form,
                make,
                f"{key}.{form.lower()}",
                icon=None,
                key=f"{key}-{form}",
                type="tertiary",
                help="Includes what its numbers depend on and the command that makes them.",
            )
    saved = {"format": camera.lower(), "filename": key, "scale": 2}
    config = {"toImageButtonOptions": saved, "displaylogo": False}
    return place.plotly_chart(figure, key=key, alt=alt or alt_of(figure), config=config, **options)


@cache
def _can_draw() -> bool:
    from bertflow_core.figures.images import check_exporter

    try:
        check_exporter()
    except InputError:
        return False
    return True


def _image(figure: Any, caption: str, form: str) -> bytes:  # noqa: ANN401 - plotly's own
    from bertflow_core.figures import captioned
    from bertflow_core.figures.images import draw_images

    with _DRAWING:
        return draw_images([(captioned(figure, caption), form)])[0]


def show(report: Report) -> None:
    """Show everything of a report: tables, remarks, pictures, downloads and the command."""
    say(report, Kind.ANSWER, Kind.MISSING)
    say(report, Kind.WARNING)
    show_table(report.table, alt=report.title)
    for table in report.tables:
        title = table.title[:1].upper() + table.title[1:]
        st.subheader(title)
        show_table(table, alt=f"{report.title} {title}")
    for name in report.pictures():
        show_picture(report, name)
    show_end(report)


def say(report: Report, *kinds: Kind) -> None:
    """Show the remarks of these kinds, a line each, if there are any."""
    if texts := texts_of(report.remarks, *kinds):
        st.text("\n".join(texts))


def show_table(table: Table, *, alt: str) -> None:
    """Show a sortable table and what its numbers depend on, folded if that text is long.

    The answer is not among it: it stands above, on every page.
    """
    columns = table.shown
    lines = [dict(cell for each in columns for cell in _cells(each, row)) for row in table.rows]
    filled = {key for line in lines for key, value in line.items() if value not in (None, "")}
    lines = [{key: line[key] for key in line if key in filled} for line in lines]
    show_rows(
        lines,
        alt=alt,
        column_config=dict(cell for each in columns for cell in (_config(each), _ends(each))),
        row_height=_WRAPPED_PIXELS if any(map(_holds_sentences, columns)) else None,
        placeholder="",
    )
    if lines and len(lines[0]) > _IN_VIEW:
        st.caption(f"{len(lines[0])} columns: scroll the table sideways if some are out of view.")
    depends_on(" ".join((*texts_of(table.remarks, *BASIS), *table.help)))


def depends_on(text: str) -> None:
    """Say what numbers depend on, folded if the text is long."""
    if len(text) > SHORT:
        with st.expander("What these numbers depend on"):
            st.text(text)
    elif text:
        st.text(text)


def show_picture(report: Report, name: str, **options: Any) -> Any:  # noqa: ANN401 - plotly's own
    """Show a picture of a report with its save menu. Return the value of `st.plotly_chart`."""
    return chart(report.figure(name), key=name, origin=origin_of(report), **options)


def show_end(report: Report) -> None:
    """Show the downloads and the command that reproduces the numbers."""
    downloads(report)
    if report.command:
        st.code(report.command, language="shell", wrap_lines=True)


def _cells(column: Column, row: Row) -> Iterator[tuple[str, Any]]:
    """Yield a column's key and value, then those of its interval. Numbers stay sortable."""
    value = row.get(column.key)
    if isinstance(value, str):
        value = cell(value)
    is_p = column.format == "p" and value is not None
    yield column.key, column.text(value) if is_p else column.number(value)
    if column.ends:
        low, high = (column.number(end) for end in column.interval(row))
        known = low is not None and high is not None
        yield _ends(column)[0], f"{low:.2f} to {high:.2f}" if known else ""


def _ends(column: Column) -> tuple[str, Any]:
    """Return the key of a column's interval, and its configuration for Streamlit."""
    about = f"95 % interval of {column.header}."
    return f"{column.key}: {ENDS}", st.column_config.Column(ENDS, help=about)


def _holds_sentences(column: Column) -> bool:
    return column.format[1:].isdigit()  # a format such as .60 cuts a text


def _config(column: Column) -> tuple[str, Any]:
    spec = column.format.replace("z", "")
    known = _BROWSERS_TOO.fullmatch(spec)
    about = column.help or None
    number = f"%{spec}" if known else "localized" if spec == "," else None
    if number is None:
        width = _SENTENCE_PIXELS if _holds_sentences(column) else None
        return column.key, st.column_config.Column(column.header, help=about, width=width)
    return column.key, st.column_config.NumberColumn(column.header, help=about, format=number)


def downloads(report: Report, *, label: str = "Save") -> None:
    """Draw a menu that offers a report in every form of `_FORMS`; each is made on request."""
    with st.popover(label, icon=":material/download:", help="Every number with its recipe."):
        for form, (title, about) in _FORMS.items():
            save_button(
                title,
                partial(report.write, form),
                f"{report.name}.{form.ending}",
                icon=None,
                key=f"save-{report.name}-{form}",
                type="tertiary",
                help=about,
            )
