"""Columns: what they hold, show and refuse."""

import numpy as np
import pytest

from bertflow_core.errors import InputError
from bertflow_core.studies.wall.row_properties import (
    Column,
    category_column,
    column_of,
    number_column,
)


def test_categories_are_labelled_in_order_of_first_appearance():
    column = category_column("subset", ["b", "a", "b", "c"])
    assert column.labels == ("b", "a", "c")
    assert column.values.tolist() == [0, 1, 0, 2]
    assert [column.cell(row) for row in range(4)] == ["b", "a", "b", "c"]


def test_a_pane_has_values_of_its_own_or_the_shared_ones():
    own = number_column("norm", [[1, 2, 3], [4, 5, np.nan]], "L2")
    assert own.per_pane
    assert own.header == "norm (L2)"
    assert own.of_pane(1)[0] == 4
    assert own.cell(2, 0) == 3.0
    assert own.cell(2, 1) is None
    shared = number_column("length", [1, 2, 3])
    assert not shared.per_pane
    assert shared.header == "length"
    assert shared.of_pane(1).tolist() == [1, 2, 3]


def test_values_are_a_copy_that_cannot_be_written():
    values = np.ones(3)
    column = number_column("length", values)
    values[0] = 9
    assert column.values[0] == 1
    assert column.values.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 2


def test_a_table_shows_what_was_read():
    column = column_of("date", ["20231115", "20231117", "3.8"])
    assert [column.cell(row) for row in range(3)] == [20231115, 20231117, 3.8]


@pytest.mark.parametrize(
    ("values", "labels", "words"),
    [
        (np.zeros((2, 2, 2)), (), r"expected \(N,\) or \(P, N\)"),
        ([0, 1, 2], ("a", "b"), "no label"),
        ([0.5], ("a", "b"), "no label"),
        ([-1], ("a", "b"), "no label"),
    ],
)
def test_values_that_do_not_fit_are_refused(values, labels, words):
    with pytest.raises(InputError, match=words):
        Column("subset", np.asarray(values, float), labels)


def test_an_unknown_category_is_no_label():
    assert Column("subset", np.array([np.nan, 1]), ("a", "b")).cell(0) is None


def test_a_table_s_column_is_of_numbers_if_all_its_cells_are():
    found = column_of("year", ["2001", "", None, " 1999.5 ", 7])
    assert found.labels == ()
    np.testing.assert_array_equal(found.values, [2001, np.nan, np.nan, 1999.5, 7])
    named = column_of("source", ["news", "2001", None, "news", ""])
    assert named.labels == ("news", "2001")
    np.testing.assert_array_equal(named.values, [0, 1, np.nan, 0, np.nan])


@pytest.mark.parametrize("values", [["", None], [f"text {i}" for i in range(201)]])
def test_a_column_that_says_nothing_or_too_much_is_none(values):
    assert column_of("notes", values) is None


@pytest.mark.parametrize("text", ["1e39", "inf", "-inf"])
def test_what_float32_cannot_hold_is_a_text(text):
    assert column_of("size", ["1", text]).labels == ("1", text)
