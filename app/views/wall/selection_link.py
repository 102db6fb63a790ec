"""The selected rows of the wall in the address, so that a link brings them back."""

import streamlit as st
from bertflow_app import state
from bertflow_app.browser.wall.report import WallState
from bertflow_app.parts.components import problem
from bertflow_app.views.wall.jobs import Drawn

from bertflow_core.errors import InputError
from bertflow_core.studies.wall.payload import shape_of
from bertflow_core.studies.wall.selection_code import decode_selection, encode_selection

TOO_LONG = (
    "A link to this page cannot select these rows: they are too many and too scattered for an "
    "address. The files below hold them."
)
_LAST = "wall_last_selected"


def follow_selection(drawn: Drawn, seen: WallState) -> tuple[int, ...] | None:
    """Write what the visitor selects to the address, and read an address that was opened.

    Args:
        drawn: The wall.
        seen: What the browser reports of it.

    Returns:
        The rows that the browser is to select; None leaves what is selected.
    """
    shape = shape_of(drawn.payload)
    clouds = [each.coordinates for each in drawn.pictures]
    text, last = state.parameter(state.SELECTED), state.held(_LAST)
    last_text, last_rows = last if isinstance(last, tuple) else (None, None)
    asked = None
    if seen.selected != last_rows:
        text = None
        if seen.selected is not None:
            text = encode_selection(seen.selected, shape.ids, shape.n_rows, clouds)
        state.set_parameter(state.SELECTED, text)
    elif text is not None and (text != last_text or seen.selected is None):
        try:
            asked = decode_selection(text, shape.ids, shape.n_rows, clouds)
        except InputError as error:
            problem(error)
    state.choose(**{_LAST: (text, seen.selected)})
    if seen.selected:
        st.write(TOO_LONG if text is None else "A link to this page now selects these rows.")
    return asked
