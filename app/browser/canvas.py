"""The wall's canvas: linked panes of the same rows, drawn and brushed in the browser.

Anyone can send a report of what is selected there, so nothing in it is trusted.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from bertflow_app.browser.pictures import component, refused
from bertflow_app.parts.components import problem

from bertflow_core.errors import InputError
from bertflow_core.files import bundle
from bertflow_core.studies.wall.payload import Shape, shape_of, with_key

_WALL = component("wall", "wall")
_MARKS = st.components.v2.component("bertflow_wall_marks", js=bundle("marks.js"))


@dataclass(frozen=True)
class WallState:
    """What a visitor selected and picked.

    Attributes:
        selected: Row numbers, rising; None where nothing is selected.
        picked: The row that was clicked, if one was.
        is_told: Whether the browser has said so of these rows; else nothing is known yet.
    """

    selected: tuple[int, ...] | None = None
    picked: int | None = None
    is_told: bool = True


def wall(payload: bytes, *, key: str) -> WallState:
    """Draw a wall and return what is selected in it; nothing where no wall sends such a report.

    A wall whose payload did not change costs a reference on the wire, whatever is selected.
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
    """Ring and select rows in a wall without sending it again.

    `lit` has the rows to ring in each pane, such as the neighbours of a picked row; `asked` those
    to select, as if the visitor did: None leaves what is selected.
    """
    wanted = None
    if asked is not None:
        wanted = {"ids": shape.ids, "rows": packed_rows(asked, shape.n_rows)}
    rings = [[int(row) for row in rows] for rows in lit]
    _MARKS(data={"wall": wall_key, "lit": rings, "asked": wanted}, key=key)


def decode(report: object, shape: Shape) -> WallState:
    """Read a report; nothing is told where there is none, or one about other rows."""
    if report is None:
        return WallState(is_told=False)
    if not isinstance(report, dict) or not isinstance(report.get("ids"), str):
        raise refused()
    if report["ids"] != shape.ids:
        return WallState(is_told=False)
    picked = report.get("picked")
    # True is an int to Python, but no row.
    if picked is not None and (type(picked) is not int or not 0 <= picked < shape.n_rows):
        raise refused()
    return WallState(_rows(report.get("selected"), shape.n_rows), picked)


def packed_rows(rows: Sequence[int], n_rows: int) -> str:
    """Return row numbers as the browser reads and writes them: base64 of one bit per row."""
    bits = np.zeros(n_rows, bool)
    bits[list(rows)] = True
    return base64.b64encode(np.packbits(bits, bitorder="little").tobytes()).decode()


def _rows(text: object, n_rows: int) -> tuple[int, ...] | None:
    """Read base64 of one bit per row, the lowest first."""
    if text is None:
        return None
    n_bytes = -(-n_rows // 8)
    if not isinstance(text, str) or len(text) != 4 * -(-n_bytes // 3):
        raise refused()
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise refused() from error
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
    if len(packed) != n_bytes or bits[n_rows:].any():
        raise refused()
    return tuple(np.flatnonzero(bits).tolist()) or None
