"""A page from top to bottom: picture, headline, table of few columns, and how to reproduce them."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import streamlit as st
from bertflow_app import state
from bertflow_app.widgets.components import cell, save_button, show_rows

from bertflow_core.errors import InputError
from bertflow_core.report.remark import BASIS, Kind, texts_of
from bertflow_core.report.report import Column, Form, Report, Row, Table

ENDS = "95 %"
"""The header of an interval."""

IN_VIEW = 7
"""Number of columns that a table shows; the downloads have all of them."""

_SENTENCE_PIXELS, _WRAPPED_PIXELS = 165, 66
"""Width of a column of sentences, and height of its rows, in pixels; texts wrap only from 65 on."""

_BROWSERS_TOO = re.compile(r"[+]?(\.\d+)?[efg]")
"""The number formats that Streamlit writes as Python does."""

_DRAWING = threading.Lock()
"""Held while a figure is drawn, so that the server starts one browser at a time."""

_FORMS = {Form.CSV: "CSV", Form.MARKDOWN: "Markdown", Form.LATEX: "LaTeX", Form.JSON: "JSON"}
"""The name of each download."""

_PAPER = """@inproceedings{li2020sentence,
  title = {On the Sentence Embeddings from Pre-trained Language Models},
  author = {Li, Bohan and Zhou, Hao and He, Junxian and
    Wang, Mingxuan and Yang, Yiming and Li, Lei},
  booktitle = {Proceedings of EMNLP},
  pages = {9119--9130},
  year = {2020}
}"""
"""The source of the method, as in CITATION.cff."""


@dataclass(frozen=True)
class Origin:
    """Where a page's numbers come from: what they depend on, and the command that makes them."""

    caption: str
    command: str


def show(report: Report) -> None:
    """Show everything of a report, the picture first."""
    first, *others = [*report.pictures()] or [""]
    if first:
        show_picture(report, first)
    headline(report.text(Kind.HEADLINE))
    say(report, Kind.ANSWER, Kind.WARNING, Kind.MISSING)
    columns = show_table(report.table, alt=report.title)
    for table in report.tables:
        title = table.title[:1].upper() + table.title[1:]
        st.header(title)
        show_table(table, alt=f"{report.title} {title}")
    for name in others:
        show_picture(report, name)
    drawer(report, columns=columns)


def headline(text: str, *, key: str = "") -> None:
    """Show the answer of a page, or the one of a part of it that `key` names, as plain text."""
    if text:
        with st.container(key=f"headline-{key}"):
            st.text(text)


def chart(figure: Any, *, key: str, alt: str = "", **options: Any) -> Any:  # noqa: ANN401 - plotly's own
    """Show a figure, which the page's `drawer` saves. Return the value of `st.plotly_chart`."""
    from bertflow_core.figures import alt_of

    state.visit().drawn[key] = figure
    saved = {"format": "png", "filename": key, "scale": 2}
    config = {"toImageButtonOptions": saved, "displaylogo": False}
    return st.plotly_chart(figure, key=key, alt=alt or alt_of(figure), config=config, **options)


def show_picture(report: Report, name: str, **options: Any) -> Any:  # noqa: ANN401 - plotly's own
    """Show a picture of a report. Return the value of `st.plotly_chart`."""
    return chart(report.figure(name), key=name, **options)


def drawer(shown: Report | Origin, *, columns: Sequence[Column] = ()) -> None:
    """Say what a page's numbers depend on, how to make them again and how to cite them.

    It offers the page's figures, and a report in each of its forms. `columns` are those that the
    page shows, if they are not the report's first ones.
    """
    if isinstance(shown, Report):
        caption = " ".join((*texts_of(shown.remarks, *BASIS), *shown.table.help))
    else:
        caption = shown.caption
    with st.expander("Reproduce and cite", icon=":material/format_quote:"):
        st.text(caption)
        if shown.command:
            st.code(shown.command, language="shell", wrap_lines=True)
        if isinstance(shown, Report):
            save_table(shown, columns)
        for key, figure in state.visit().drawn.items():
            _save_figure(figure, key, Origin(caption, shown.command))
        st.code(f"{_software()}\n\n{_PAPER}", language="latex", wrap_lines=True)


def save_table(report: Report, columns: Sequence[Column] = (), *, label: str = "Table") -> None:
    """Offer a report in each of its forms; LaTeX has the columns that the page shows."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(label)
        for form, title in _FORMS.items():
            seen = replace(report, columns=[*columns]) if columns and form == Form.LATEX else report
            save_button(
                title,
                partial(seen.write, form),
                f"{report.name}.{form.ending}",
                icon=None,
                key=f"save-{report.name}-{form}",
                type="tertiary",
            )


def _save_figure(figure: Any, key: str, origin: Origin) -> None:  # noqa: ANN401 - plotly's own
    from bertflow_core.figures import figure_page

    title = re.sub("[-_]", " ", key)
    about = {"caption": origin.caption, "command": origin.command}
    files: dict[str, Callable[[], str | bytes]] = {
        "HTML": lambda: figure_page(figure, title=title, **about)
    }
    if _can_draw():
        forms = ("PNG", "SVG", "PDF")
        files = {form: partial(_image, figure, form.lower()) for form in forms} | files
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Figure: {title}")
        for form, make in files.items():
            save_button(
                form,
                make,
                f"{key}.{form.lower()}",
                icon=None,
                key=f"{key}-{form}",
                type="tertiary",
            )


@cache
def _software() -> str:
    from bertflow_core.runtime.shipped import version_of

    version = version_of("bertflow-lab")
    return (
        f"@software{{bertflow_lab,\n  title = {{BERT-flow Lab}},\n"
        f"  author = {{{{The maintainers of BERT-flow Lab}}}},\n  version = {{{version}}}\n}}"
    )


@cache
def _can_draw() -> bool:
    from bertflow_core.figures.images import check_exporter

    try:
        check_exporter()
    except InputError:
        return False
    return True


def _image(figure: Any, form: str) -> bytes:  # noqa: ANN401 - plotly's own
    from bertflow_core.figures.images import draw_images

    with _DRAWING:
        return draw_images([(figure, form)])[0]


def say(report: Report, *kinds: Kind) -> None:
    """Show the remarks of these kinds, a line each, if there are any."""
    if texts := texts_of(report.remarks, *kinds):
        st.text("\n".join(texts))


def show_table(
    table: Table,
    *,
    alt: str,
    keys: Sequence[str] = (),
    n_most: int = IN_VIEW,
    **options: Any,  # noqa: ANN401 - Streamlit's own
) -> Sequence[Column]:
    """Show a sortable table of at most `n_most` columns, and return these.

    They are the first ones that are not empty, by default in the order of the table, else of
    `keys`. Other `options` are those of `st.dataframe`.
    """
    known = {each.key: each for each in table.shown}
    named = [known[key] for key in keys or known if key in known]
    filled = [c for c in named if any(row.get(c.key) not in (None, "") for row in table.rows)]
    columns = filled[:n_most]
    lines = [dict(cell for each in columns for cell in _cells(each, row)) for row in table.rows]
    show_rows(
        lines,
        alt=alt,
        column_config=dict(cell for each in columns for cell in (_config(each), _ends(each))),
        row_height=_WRAPPED_PIXELS if any(map(_holds_sentences, columns)) else None,
        placeholder="",
        **options,
    )
    if len(filled) > len(columns):
        st.caption(f"{len(filled) - len(columns)} more columns are in the files.")
    return columns


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
