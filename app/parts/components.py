"""Pieces that pages share: notices, and what is said below numbers.

What may hold untrusted text, such as a file's name, is plain text by `st.text`: in Markdown even an
escaped name can become a link.
"""

from collections.abc import Sequence
from typing import NoReturn

import streamlit as st
from bertflow_app import state
from bertflow_app.folders import without_folders

from bertflow_core.encoders.given import ROWS
from bertflow_core.errors import BertFlowError
from bertflow_core.text_table import guard_formula
from bertflow_core.wording import with_remedy

SHOWN_CHARACTERS = 500
_MORE_SENTENCES = (
    "To fit on more sentences, add some to the data, or choose a larger Fit corpus under More in "
    "the sidebar."
)
_MORE_VECTORS = "To fit on more vectors, upload a larger file of them under Your data."
_ALL_WORDS = "Calibrators of words are fitted on every row of the word table: there are no more."


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


def say_notes(notes: Sequence[str], *, of_words: bool = False) -> None:
    """Say what fits noted, and where this page lets one do what a note asks for."""
    if notes:
        how = _ALL_WORDS if of_words else how_to_fit_on_more()
        st.text(" ".join(with_remedy(notes, how)))


def how_to_fit_on_more() -> str:
    """Say where the visitor has a fit of the sidebar's recipe take more rows."""
    return _MORE_VECTORS if state.current_recipe().source is ROWS else _MORE_SENTENCES


def cell(text: str) -> str:
    """Return untrusted text for a table: cut, and safe in the CSV that every table offers."""
    return guard_formula(text[:SHOWN_CHARACTERS])
