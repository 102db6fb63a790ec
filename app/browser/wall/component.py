"""The two Streamlit components: the wall itself, and the invisible one that marks its rows."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app.browser.assets import script, style
from bertflow_app.browser.wall.report import WallState, decode, packed_rows
from bertflow_app.parts.components import problem

from bertflow_core.errors import InputError
from bertflow_core.studies.wall.payload import Shape, shape_of, with_key
from bertflow_core.studies.wall.recipe import MAX_PANES

_MAX_LIT = 1_000
_WALL = st.components.v2.component(
    "bertflow_wall", html='<div class="wall"></div>', css=style("wall"), js=script("wall")
)
_MARKS = st.components.v2.component("bertflow_wall_marks", js=script("marks"))


def wall(payload: bytes, *, key: str) -> WallState:
    """Draw a wall and return what is selected in it.

    A wall whose payload did not change costs a reference on the wire, whatever is selected.

    Args:
        payload: What `payload.encode` wrote.
        key: Names the wall on the page; `marks` finds it by this.

    Returns:
        Nothing selected where the browser reports what no wall sends; the page then says so.
    """
    result = _WALL(data=with_key(payload, key), key=key, on_report_change=lambda: None)
    try:
        return decode(result["report"], shape_of(payload))
    except InputError as error:
        problem(error)
        return WallState(is_told=False)


def marks(
    lit: Sequence[Sequence[int]],
    asked: Sequence[int] | None,
    shape: Shape,
    *,
    wall_key: str,
    key: str,
) -> None:
    """Ring rows in a wall without sending it again, such as the neighbours of a picked row.

    Args:
        lit: Row numbers, one list per pane; empty takes all rings away.
        asked: Row numbers to select, as if the visitor did; empty selects none, None leaves what is
            selected.
        shape: Of the wall's rows.
        wall_key: The key of the wall.
        key: Names this component on the page.

    Raises:
        InputError: More lists than panes can be, or more rows than can be ringed.
    """
    if len(lit) > MAX_PANES or any(len(rows) > _MAX_LIT for rows in lit):
        raise InputError(f"at most {_MAX_LIT} rows can be lit in each of {MAX_PANES} panes")
    wanted = None
    if asked is not None:
        wanted = {"ids": shape.ids, "rows": packed_rows(asked, shape.n_rows)}
    data = {
        "wall": wall_key,
        "lit": [[int(row) for row in rows] for rows in lit],
        "asked": wanted,
    }
    _MARKS(data=data, key=key)
