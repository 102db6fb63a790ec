"""The selected rows of the wall in the address, so that a link brings them back."""

from dataclasses import dataclass
from typing import TypeAlias

import streamlit as st
from bertflow_app import state
from bertflow_app.browser.canvas import WallState
from bertflow_app.parts.components import problem

from bertflow_core.errors import InputError
from bertflow_core.studies.wall.page import DrawnWall
from bertflow_core.studies.wall.payload import shape_of
from bertflow_core.studies.wall.selection import decode_selection, encode_selection

NOW_SELECTS = "A link to this page now selects these rows."
TOO_LONG = (
    "A link to this page cannot select these rows: they are too many and too scattered for an "
    "address. The files below hold them."
)
NOT_YET = "A link to this page selects rows once UMAP is laid out."
_LAST = "wall_last_selected"
_Rows: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class _Followed:
    """The address and the canvas as they were left.

    Attributes:
        code: What the address holds of the selection.
        named: The rows that it stands for; none where it could not be read.
        selected: The rows that the browser had selected.
        ids: The digest of all rows.
    """

    code: str | None = None
    named: _Rows = ()
    selected: _Rows = ()
    ids: str = ""


def follow_selection(drawn: DrawnWall, seen: WallState) -> _Rows | None:
    """Write what the visitor selects to the address, and read an address that was opened.

    An address is also opened where the visitor goes back in the browser's history.
    """
    code, ids = state.parameter(state.SELECTED), shape_of(drawn.payload).ids
    last = state.held(_LAST)
    last = last if isinstance(last, _Followed) else _Followed()
    named, selected = last.named, seen.selected or ()
    if seen.is_told and selected not in (last.selected, last.named):  # by the visitor
        named = selected
        code = _encoded(named, drawn)
    elif code != last.code or not last.named:
        named = _decoded(code, drawn)
    elif ids != last.ids:
        named, code = (), None
    state.set_parameter(state.SELECTED, code)
    state.choose(**{_LAST: _Followed(code, named, selected, ids)})
    if named != selected:
        return named
    if named:
        st.write(TOO_LONG if code is None else NOW_SELECTS)
    return None


def _encoded(named: _Rows, drawn: DrawnWall) -> str | None:
    """Return what stands for rows in an address; None where there are none, or too many."""
    shape = shape_of(drawn.payload)
    return encode_selection(named, shape.ids, shape.n_rows) if named else None


def _decoded(code: str | None, drawn: DrawnWall) -> _Rows:
    """Return the rows that stand in an address; none, and a sentence, where it cannot be read."""
    shape = shape_of(drawn.payload)
    try:
        return decode_selection(code, shape.ids, shape.n_rows) if code else ()
    except InputError as error:
        problem(error)
        return ()
