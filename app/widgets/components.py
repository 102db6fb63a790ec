"""Pieces that pages share: notices and the texts below numbers.

Text that may be untrusted, such as a file's name, is shown as plain text by `st.text`. In Markdown
even an escaped name can become a link.
"""

from collections.abc import Sequence
from typing import NoReturn

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
    """End the page here. Unlike `st.stop`, this lets the frame draw its own messages."""
    raise PageEnd


def problem(error: BertFlowError | str) -> None:
    """Show one sentence that says what is wrong, as plain text: it may hold untrusted text."""
    with st.container(border=True):
        st.markdown(":material/error: **This cannot be done**")
        st.text(without_folders(str(error)))


def say_notes(notes: Sequence[str]) -> None:
    """Show the notes of fits on the sidebar's recipe, and how to act on them."""
    if notes:
        st.text(" ".join(with_remedy(notes, state.current_recipe())))


def cell(text: str) -> str:
    """Return untrusted text for a table: shortened, and safe in the CSV that every table offers."""
    return guard_formula(text[:SHOWN_CHARACTERS])
