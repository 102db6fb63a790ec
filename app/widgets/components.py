"""Pieces that pages share: tables, buttons that save a file, notices, and notes below numbers.

Text that may be untrusted, such as a file's name, is shown as plain text by `st.text`. In Markdown
even an escaped name can become a link.
"""

from collections.abc import Callable, Sequence
from mimetypes import guess_type
from typing import Any, NoReturn

import streamlit as st
from bertflow_app import state
from bertflow_app.folders import without_folders

from bertflow_core.errors import BertFlowError
from bertflow_core.lab.remarks import with_remedy
from bertflow_core.text_table import guard_formula

SHOWN_CHARACTERS = 500


class PageEnd(Exception):
    """Raised when a page has no more to show; the frame of the pages catches it."""


def end_page() -> NoReturn:
    """End the page here. Unlike `st.stop`, this lets `frame.py` draw its messages."""
    raise PageEnd


def show_rows(rows: Any, *, alt: str, **options: Any) -> Any:  # noqa: ANN401 - Streamlit's own
    """Show rows without an index; return the value of `st.dataframe`."""
    return st.dataframe(rows, hide_index=True, alt=alt, **options)


def save_button(
    label: str,
    content: bytes | str | Callable[[], bytes | str],
    file: str,
    *,
    icon: str | None = ":material/download:",
    **options: Any,  # noqa: ANN401 - Streamlit's own
) -> None:
    """Draw a button that saves a file without a rerun; a function writes the file on demand."""
    mime, _ = guess_type(file)
    st.download_button(label, content, file, mime, icon=icon, on_click="ignore", **options)


def problem(error: BertFlowError | str) -> None:
    """Show one sentence that says what is wrong, as plain text: it may quote untrusted text."""
    with st.container(border=True):
        st.markdown(":material/error: **This cannot be done**")
        st.text(without_folders(str(error)))


def say_notes(notes: Sequence[str]) -> None:
    """Show the warnings of fits of the sidebar's recipe, and what to do about them."""
    if notes:
        st.text(" ".join(with_remedy(notes, state.current_recipe())))


def cell(text: str) -> str:
    """Shorten untrusted text for a table, and make it safe in the CSV that every table offers."""
    return guard_formula(text[:SHOWN_CHARACTERS])
