"""A report on a page: its table, remarks, pictures, downloads and command, from one description."""

import re
from collections.abc import Iterator
from typing import Any

import streamlit as st
from bertflow_app.parts.components import caption, cell
from bertflow_app.parts.exports import Origin, chart, downloads

from bertflow_core.report import Column, Report, Row, Table

_BROWSERS_TOO = re.compile(r"[+]?(\.\d+)?[efg]")
"""The formats that Streamlit takes as Python does."""


def show(report: Report) -> None:
    """Show everything of a report: tables, remarks, pictures, downloads and the command."""
    show_table(report.table, alt=report.title)
    for table in report.tables:
        st.subheader(table.title.capitalize())
        show_table(table, alt=f"{report.title} {table.title.capitalize()}")
    for name in report.pictures():
        show_picture(report, name)
    show_end(report)


def show_table(table: Table, *, alt: str) -> None:
    """Show rows as a table that can be sorted, and what its columns mean under it."""
    columns = table.shown
    st.dataframe(
        [dict(cell for each in columns for cell in _cells(each, row)) for row in table.rows],
        column_config={each.key: _config(each) for each in columns},
        hide_index=True,
        alt=alt,
    )
    if said := (*table.remarks, *table.help):
        caption(" ".join(said))


def show_picture(report: Report, name: str, **options: Any) -> Any:  # noqa: ANN401 - plotly's own
    """Show one picture of a report, which can be saved; returns what `st.plotly_chart` returns."""
    return chart(report.pictures()[name](), key=name, origin=_origin(report), **options)


def show_end(report: Report) -> None:
    """Show downloads and the command that makes the numbers again."""
    downloads(lambda: report)
    if report.command:
        st.code(report.command, language="shell", wrap_lines=True)


def _cells(column: Column, row: Row) -> Iterator[tuple[str, Any]]:
    """Yield a number, which sorts as one, and after it its interval, by name of column."""
    value = row.get(column.key)
    if isinstance(value, str):
        value = cell(value)
    is_p = column.format == "p" and value is not None
    yield column.key, column.text(value) if is_p else column.number(value)
    if column.ends:
        low, high = (column.number(end) for end in column.interval(row))
        known = low is not None and high is not None
        yield f"{column.header}: 95 %", f"{low:.2f} to {high:.2f}" if known else ""


def _origin(report: Report) -> Origin:
    return Origin(" ".join(report.remarks), report.command)


def _config(column: Column) -> Any:  # noqa: ANN401 - what Streamlit calls a column's config
    """Return how Streamlit shows a column: its numbers as everywhere."""
    spec = column.format.replace("z", "")
    known = _BROWSERS_TOO.fullmatch(spec)
    number = f"%{spec}" if known else "localized" if spec == "," else None
    if number is None:
        return st.column_config.Column(column.header, help=column.help or None)
    return st.column_config.NumberColumn(column.header, help=column.help or None, format=number)
