"""The wall's canvas: linked panes of the same rows, drawn and brushed in the browser.

Anyone can send a report of a selection, so nothing in a report is trusted.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from bertflow_app.browser.pictures import component, refused

from bertflow_core.exhibits.wall.payload import header_of, with_key
from bertflow_core.runtime.shipped import bundle

_WALL = component("wall", "wall")
_MARKS = st.components.v2.component("bertflow_wall_marks", js=bundle("marks.js"))


@dataclass(frozen=True)
class WallState:
    """The rows that a visitor selected, and the one that was clicked."""

    selected: tuple[int, ...] | None = None  # row numbers, ascending; None if none is selected
    picked: int | None = None  # the row that was clicked, if one was


def wall(payload: bytes, *, key: str) -> WallState:
    """Draw a wall and return its selection. Refuse a report that no wall would send.

    A wall that has not changed is not sent again; the browser gets a reference to it.
    """
    header = header_of(payload)
    result = _WALL(data=with_key(payload, key), key=key, on_report_change=lambda: None)
    return decode(result["report"], header["n"], header["ids"])


def marks(lit: Sequence[Sequence[int]], *, wall_key: str, key: str) -> None:
    """Draw rings around rows, such as neighbours, in each pane of a wall in the browser."""
    _MARKS(data={"wall": wall_key, "lit": lit}, key=key)


def decode(report: object, n_rows: int, ids: str) -> WallState:
    """Read a report. Return an empty state if there is none, or if its rows have other ids."""
    if report is None:
        return WallState()
    if not isinstance(report, dict) or not isinstance(report.get("ids"), str):
        raise refused()
    if report["ids"] != ids:
        return WallState()
    picked = report.get("picked")
    # In Python True is an int, but it is not a row number.
    if picked is not None and (type(picked) is not int or not 0 <= picked < n_rows):
        raise refused()
    return WallState(_rows(report.get("selected"), n_rows), picked)


def _rows(text: object, n_rows: int) -> tuple[int, ...] | None:
    """Read row numbers from base64 of one bit per row, the lowest row first."""
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
