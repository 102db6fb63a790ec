import numpy as np
import pytest

from bertflow_core.analysis.edit_distance import Unit, edit_distances, normalised_distances


@pytest.mark.parametrize(
    ("first", "second", "unit", "expected"),
    [
        # One verb: the full stop is a token of its own.
        ("A man is playing.", "a man is eating .", "treebank", 1),
        ("A man is playing.", "a man is eating .", "whitespace", 2),
        # A to a, p and l to e, y to t, and a space
        ("A man is playing.", "a man is eating .", "character", 5),
        ("It's here", "it is here", "treebank", 1),  # 's is a token
        ("the cat sat", "the sat cat", "whitespace", 2),  # no transposition
        ("Kitten", "sitting", "character", 3),
        ("", "one two three", "whitespace", 3),
        ("", "", "treebank", 0),
        ("the  same\tthing", "The same thing", "whitespace", 0),
    ],
)
def test_distances_by_hand(first, second, unit, expected):
    assert edit_distances([first], [second], unit=unit)[0].tolist() == [expected]
    assert edit_distances([second], [first], unit=Unit(unit))[0].tolist() == [expected]


def test_a_function_may_divide_the_sentence_as_it_was_written():
    seen = []

    def halves(text):
        seen.append(text)
        return text.split("-")

    result, _ = edit_distances(["A-b", "A-b", "c"], ["a-b", "A-b", "A-b"], unit=halves)
    assert result.tolist() == [1, 0, 2]
    assert sorted(seen) == ["A-b", "a-b", "c"]  # each different sentence once
    assert result.dtype == np.int64


def test_a_normalised_distance_is_one_where_no_token_is_in_place_however_many_there_are():
    first, second = ["a b c", "", "a " * 1_500], ["a x", "", "b " * 1_400]
    edits, lengths = edit_distances(first, second, unit="whitespace")
    assert lengths.tolist() == [3, 0, 1_500]
    assert normalised_distances(edits, lengths) == pytest.approx([2 / 3, 0, 1])
