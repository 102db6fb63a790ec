"""What the browser reports of a wall: the rows that are selected, and the one that was clicked."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bertflow_app.browser.wire import refused, report_about, whole

from bertflow_core.studies.wall.payload import Shape


@dataclass(frozen=True)
class WallState:
    """What a visitor selected and picked.

    Attributes:
        selected: Row numbers, rising; None where nothing is selected.
        picked: The row that was clicked, if one was.
        pane: The pane it was clicked in.
        is_told: Whether the browser has said so of these rows; else nothing is known yet.
    """

    selected: tuple[int, ...] | None = None
    picked: int | None = None
    pane: int | None = None
    is_told: bool = True


def decode(report: object, shape: Shape) -> WallState:
    """Read a report; nothing is told where there is none, or one about other rows.

    Raises:
        InputError: It is not of the form that the wall sends.
    """
    fields = report_about(report, "ids", shape.ids)
    if fields is None:
        return WallState(is_told=False)
    picked, pane = fields.get("picked"), fields.get("pane")
    if (picked is None) != (pane is None):
        raise refused()
    return WallState(
        _rows(fields.get("selected"), shape.n_rows),
        None if picked is None else whole(picked, shape.n_rows),
        None if pane is None else whole(pane, shape.n_panes),
    )


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
