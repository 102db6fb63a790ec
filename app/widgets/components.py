"""Pieces that pages share: notices, and what is said below numbers.

What may hold untrusted text, such as a file's name, is plain text by `st.text`: in Markdown even an
escaped name can become a link.
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
    """A page has no more to show; the frame of the pages catches it."""


def end_page() -> NoReturn:
    """End the page here: unlike `st.stop` it lets the frame say what it has to say."""
    raise PageEnd


def problem(error: BertFlowError | str) -> None:
    """Show one sentence that says what is wrong; it may hold untrusted text, so it is plain."""
    with st.container(border=True):
        st.markdown(":material/error: **This cannot be done**")
        st.text(without_folders(str(error)))


def say_notes(notes: Sequence[str]) -> None:
    """Say what fits of the sidebar's recipe noted, and how to do what a note asks for."""
    if notes:
        st.text(" ".join(with_remedy(notes, state.current_recipe())))


def cell(text: str) -> str:
    """Return untrusted text for a table: cut, and safe in the CSV that every table offers."""
    return guard_formula(text[:SHOWN_CHARACTERS])
