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


@pytest.mark.parametrize(
    "hostile",
    [
        {"selected": ""},
        {"selected": "AAA"},
        {"selected": "AAAAAAAA"},
        {"selected": "A*A="},
        {"selected": "é" * 4},
        {"selected": "AAD/"},  # rows 20 to 23 of 20
        {"selected": "AA=="},
        {"selected": [1, 2]},
        {"selected": True},
        {"picked": 20},
        {"picked": -1},
        {"picked": 1.0},
        {"picked": True},
        {"picked": "1"},
        {"ids": None},
    ],
    ids=str,
)
def test_a_hostile_report_is_refused_in_a_sentence(hostile):
    with pytest.raises(InputError, match="reload the page"):
        decode(report(**hostile), *SHAPE)


@pytest.mark.parametrize("hostile", ["rows", 7, [], {}, {"ids": 3}])
def test_a_report_of_another_kind_is_refused(hostile):
    with pytest.raises(InputError, match="reload the page"):
        decode(hostile, *SHAPE)
