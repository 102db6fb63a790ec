"""What the server believes of what the wall's canvas reports."""

import base64

import pytest
from bertflow_app.browser.canvas import WallState, decode

from bertflow_core.errors import InputError

SHAPE = (20, "rows")


def report(rows=(), n=20, **changes):
    """What the browser sends, made bit by bit."""
    number = sum(1 << row for row in rows)
    packed = base64.b64encode(number.to_bytes(-(-n // 8), "little")).decode()
    return {"ids": "rows", "selected": packed, "picked": None, **changes}


def test_a_selection_comes_back_as_rising_row_numbers():
    assert decode(report([19, 0, 8, 7]), *SHAPE) == WallState((0, 7, 8, 19))
    assert decode(report(picked=19), *SHAPE) == WallState(None, 19)


@pytest.mark.parametrize("nothing", [None, report(ids="other rows"), report()])
def test_silence_and_reports_on_other_rows_select_nothing(nothing):
    assert decode(nothing, *SHAPE) == WallState()


SELECTED = ("", "AAA", "AAAAAAAA", "A*A=", "é" * 4, "AA==", [1, 2], True)
PICKED = (20, -1, 1.0, True, "1")


@pytest.mark.parametrize(
    "hostile",
    [
        *(report(selected=each) for each in SELECTED),
        report(selected="AAD/"),  # rows 20 to 23 of 20
        *(report(picked=each) for each in PICKED),
        *(report(ids=None), {"ids": 3}, {}, [], "rows", 7),
    ],
    ids=str,
)
def test_a_hostile_report_is_refused_in_a_sentence(hostile):
    with pytest.raises(InputError, match="reload the page"):
        decode(hostile, *SHAPE)
