"""Selected rows: their records, and the text that names them in an address.

The text is held against a number worked by hand and the entropy of a set.
"""

import base64
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from tiny_walls import tiny_wall

from bertflow_core.errors import InputError
from bertflow_core.studies.wall.recipe import Picture
from bertflow_core.studies.wall.selection import (
    LONGEST,
    decode_selection,
    encode_selection,
    selection_records,
    selection_report,
)
from bertflow_core.studies.wall.spaces import Column

RNG = np.random.default_rng(0)
N = 20_000
Z = np.array([[3.0, 4], [0, 1], [0, 2]])


def test_a_record_holds_id_text_and_every_column_by_pane():
    wall = tiny_wall([Z, 2 * Z])
    extra = Column("kept", np.array([[0.5, np.nan, 1], [0, 0, 0.25]]), unit="share")
    assert selection_records(wall, [2, 0], [extra]) == [
        {
            "id": 6,
            "text": "=2",
            "length (words)": 2.0,
            "subset": "even",
            "norm (L2), layer:0, identity": 2.0,
            "norm (L2), layer:1, identity": 4.0,
            "kept (share), layer:0, identity": 1.0,
            "kept (share), layer:1, identity": 0.25,
        },
        {
            "id": 0,
            "text": "=0",
            "length (words)": 0.0,
            "subset": "even",
            "norm (L2), layer:0, identity": 5.0,
            "norm (L2), layer:1, identity": 10.0,
            "kept (share), layer:0, identity": 0.5,
            "kept (share), layer:1, identity": 0.0,
        },
    ]
    unknown = selection_records(wall, [1], [extra])[0]["kept (share), layer:0, identity"]
    assert unknown is None


def test_a_report_says_which_wall_and_picture_its_rows_are_of_without_a_path_of_the_server():
    wall = tiny_wall([Z])
    recipe = replace(wall.recipe, counts="/secret/counts.txt")
    report = selection_report(replace(wall, recipe=recipe), Picture(metric="l2"), [2, 0])
    document = json.loads(report.write("json"))
    assert [row["id"] for row in document["rows"]] == [6, 0]
    assert document["wall"]["counts"] == "counts.txt"
    assert document["recipe"]["metric"] == "l2"
    assert "secret" not in report.write("json") + report.write("csv") + report.write("markdown")
    header, line, _ = report.write("csv").splitlines()
    assert header.startswith("id,text,length (words),subset,")
    assert line.startswith("6,'=2,2.0,even,")  # which no spreadsheet takes for a formula


def test_rows_1_and_3_of_5_are_this_number():
    # 2 of 6 possible counts; the second of them first: 3 of 1 to 4, then 1 of 0 to 2.
    text = encode_selection([1, 3], "ids", 5)
    assert text[0] == "r"
    number = int.from_bytes(
        base64.urlsafe_b64decode(text[1:] + "=" * (-len(text[1:]) % 4)), "little"
    )
    assert number >> 32 == 2 + 6 * ((3 - 1) + 4 * 1)


@pytest.mark.parametrize(
    "selected", [[0], range(N), [0, 7, N - 1], np.flatnonzero(RNG.random(N) < 0.07)]
)
def test_a_selection_comes_back_from_a_short_text(selected):
    rows = tuple(int(row) for row in selected)
    text = encode_selection(rows, "ids", N)
    assert len(text) <= LONGEST
    assert decode_selection(text, "ids", N) == rows


def test_scattered_rows_cost_little_more_than_their_entropy():
    rows = np.sort(RNG.choice(N, 1_000, replace=False))
    bits = (math.lgamma(N + 1) - math.lgamma(1_001) - math.lgamma(N - 999)) / math.log(2)
    assert len(encode_selection(rows, "ids", N)) < 1.06 * bits / 6 + 10


def test_a_text_that_is_not_of_these_rows_is_refused():
    known = encode_selection([3, 5], "ids", N)
    long = "r" + "A" * LONGEST
    for text, ids, n_rows in [
        (known, "others", N),
        (known, "ids", N - 1),
        *((text, "ids", N) for text in ("", "r", "0AAAA", "rA", "rß", "r A=", "x", long)),
        (known[:-1], "ids", N),
        (known + "B", "ids", N),
    ]:
        with pytest.raises(InputError, match="of other rows"):
            decode_selection(text, ids, n_rows)
