"""What the browser reports of a wall: anyone can send such a report, so nothing is trusted."""

import base64
import binascii
from dataclasses import dataclass

import numpy as np
from bertflow_app.browser.wall.payload import Shape

from bertflow_core.errors import InputError

_BROKEN = "the wall's selection could not be read: reload the page and select again"


@dataclass(frozen=True)
class WallState:
    """What a visitor selected and picked.

    Attributes:
        selected: Row numbers, rising; None where nothing is selected.
        picked: The row that was clicked, if one was.
        pane: The pane it was clicked in.
    """

    selected: tuple[int, ...] | None = None
    picked: int | None = None
    pane: int | None = None


def decode(report: object, shape: Shape) -> WallState:
    """Read a report; one about other rows than those shown now, or none, says nothing.

    Raises:
        InputError: It is not of the form that the canvas sends.
    """
    if report is None:
        return WallState()
    if not isinstance(report, dict) or not isinstance(report.get("ids"), str):
        raise InputError(_BROKEN)
    if report["ids"] != shape.ids:
        return WallState()
    picked = _number(report.get("picked"), shape.n_rows)
    pane = _number(report.get("pane"), shape.n_panes)
    if (picked is None) != (pane is None):
        raise InputError(_BROKEN)
    return WallState(_rows(report.get("selected"), shape.n_rows), picked, pane)


def _rows(text: object, n_rows: int) -> tuple[int, ...] | None:
    """Read base64 of one bit a row, the lowest first."""
    if text is None:
        return None
    n_bytes = -(-n_rows // 8)
    if not isinstance(text, str) or len(text) != 4 * -(-n_bytes // 3):
        raise InputError(_BROKEN)
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError(_BROKEN) from error
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
    if len(packed) != n_bytes or bits[n_rows:].any():
        raise InputError(_BROKEN)
    return tuple(np.flatnonzero(bits).tolist()) or None


def _number(value: object, end: int) -> int | None:
    if value is None:
        return None
    # True is an int to Python, but no row.
    if type(value) is not int or not 0 <= value < end:
        raise InputError(_BROKEN)
    return value
