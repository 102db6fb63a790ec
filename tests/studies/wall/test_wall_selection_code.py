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
CLOUDS = [RNG.standard_normal((N, 2)), RNG.standard_normal((N, 3))]
FLAT, DEEP = CLOUDS


def test_rows_1_and_3_of_5_are_this_number():
    # 2 of 6 possible counts; the second of them first: 3 of 1 to 4, then 1 of 0 to 2.
    text = encode_selection([1, 3], "ids", 5, [np.zeros((5, 2))])
    assert text[0] == "r"
    number = int.from_bytes(
        base64.urlsafe_b64decode(text[1:] + "=" * (-len(text[1:]) % 4)), "little"
    )
    assert number >> 32 == 2 + 6 * ((3 - 1) + 4 * 1)


@pytest.mark.parametrize(
    ("selected", "form"),
    [
        ([0], "r"),
        (range(N), "r"),
        ([0, 7, N - 1], "r"),
        (np.flatnonzero(RNG.random(N) < 0.07), "r"),
        (np.flatnonzero(np.hypot(FLAT[:, 0] - 0.4, FLAT[:, 1]) < 0.7), "0"),  # a lasso's
        (np.flatnonzero((DEEP > 0).all(axis=1)), "1"),
    ],
)
def test_a_selection_comes_back_from_a_short_text(selected, form):
    rows = tuple(int(row) for row in selected)
    text = encode_selection(rows, "ids", N, CLOUDS)
    assert text[0] == form
    assert len(text) <= LONGEST
    assert decode_selection(text, "ids", N, CLOUDS) == rows


def test_scattered_rows_cost_little_more_than_their_entropy():
    rows = np.sort(RNG.choice(N, 1_000, replace=False))
    bits = (math.lgamma(N + 1) - math.lgamma(1_001) - math.lgamma(N - 999)) / math.log(2)
    assert len(encode_selection(rows, "ids", N, CLOUDS)) < 1.06 * bits / 6 + 10


def test_half_of_all_rows_at_random_are_too_many():
    assert encode_selection(np.flatnonzero(RNG.random(N) < 0.5), "ids", N, CLOUDS) is None


def test_a_text_that_is_not_of_these_rows_is_refused():
    disc = np.flatnonzero(np.hypot(*FLAT.T) < 1)
    by_number, by_place = (encode_selection(rows, "ids", N, CLOUDS) for rows in ([3, 5], disc))
    moved = [FLAT[::-1], DEEP]
    long = "r" + "A" * LONGEST
    for text, ids, n_rows, clouds in [
        (by_number, "others", N, CLOUDS),
        (by_number, "ids", N - 1, CLOUDS),
        (by_place, "ids", N, moved),
        (by_place, "ids", N, []),
        *((text, "ids", N, CLOUDS) for text in ("", "r", "9AAAA", "rA", "rß", "r A=", "x", long)),
        (by_number[:-1], "ids", N, CLOUDS),
        (by_number + "B", "ids", N, CLOUDS),
    ]:
        with pytest.raises(InputError, match="of other rows or of another picture"):
            decode_selection(text, ids, n_rows, clouds)
