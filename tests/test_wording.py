"""What sentences repeat of the outside: bounded, whatever it is."""

from pathlib import Path

import pytest

from bertflow_core.errors import InputError, check_name, listed
from bertflow_core.wording import MAX_QUOTED, quoted, reason, size_text


@pytest.mark.parametrize("value", ["", "it's", "x" * MAX_QUOTED, 3, None, [1, "a"], -1.5])
def test_what_is_short_is_repeated_whole(value):
    assert quoted(value) == repr(value)


def test_of_what_is_long_beginning_and_end_are_repeated():
    long = "begin" + "x" * 5_000 + "end.csv"
    for value in (long, Path(long)):
        assert quoted(value).startswith("'beginxx")
        assert quoted(value).endswith("end.csv'")
        assert len(quoted(value)) == MAX_QUOTED + 2
    assert len(quoted([long])) == MAX_QUOTED


def test_refusals_are_bounded_however_long_and_many_the_names_are():
    names = [f"{i}" + "y" * 5_000 for i in range(500)]
    with pytest.raises(InputError) as refused:
        check_name("x" * 5_000, names, "column")
    assert "and 480 more" in str(refused.value)
    assert len(str(refused.value)) < 25 * MAX_QUOTED
    assert len(listed(names)) < 25 * MAX_QUOTED


def test_a_reason_is_one_bounded_line():
    assert reason(ValueError("no such thing.\nat line 3")) == "no such thing"
    assert reason(KeyError()) == "KeyError"
    assert len(reason(ValueError("x" * 5_000))) == 200


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [
        (0, "0.0 MB"),
        (1_500_000, "1.5 MB"),
        (500_000_000, "500 MB"),
        ((1 << 30) - 1, "1,074 MB"),
        (1 << 30, "1 GiB"),
        (20 << 30, "20 GiB"),
        (1.5 * (1 << 40), "1,536 GiB"),
    ],
)
def test_sizes_below_a_gibibyte_are_in_megabytes(n_bytes, text):
    assert size_text(n_bytes) == text
