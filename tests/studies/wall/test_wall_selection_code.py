"""The text that names selected rows, against a number worked by hand and the entropy of a set."""

import base64
import math

import numpy as np
import pytest

from bertflow_core.errors import InputError
from bertflow_core.studies.wall.selection_code import (
    LONGEST,
    decode_selection,
    encode_selection,
)

RNG = np.random.default_rng(0)
N = 20_000


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


def test_half_of_all_rows_at_random_are_too_many():
    assert encode_selection(np.flatnonzero(RNG.random(N) < 0.5), "ids", N) is None


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
