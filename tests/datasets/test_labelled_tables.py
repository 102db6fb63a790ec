import numpy as np
import pytest

from bertflow_core.datasets import RawFile, read_table
from bertflow_core.errors import InputError

HEAD = "sentence1,sentence2,label\n"


def read(*labels):
    rows = "".join(f"one {i},two {i},{label}\n" for i, label in enumerate(labels))
    return read_table(RawFile("t.csv", (HEAD + rows).encode()))


@pytest.mark.parametrize(
    ("labels", "ones"),
    [
        (("entailment", "not_entailment", "entailment"), [1, 0, 1]),
        (("not duplicate", "duplicate"), [0, 1]),
        (("Yes", "No"), [1, 0]),
        (("no", "yes"), [0, 1]),
        (("false", "true"), [0, 1]),
        (("neutral", "entailment"), [0, 1]),
        (("good", "non-good"), [1, 0]),
    ],
)
def test_two_words_are_labels(labels, ones):
    pairs = read(*labels).pairs
    assert (pairs.labels.tolist(), pairs.gold, pairs.metric) == (ones, None, "auc")


def test_numbers_are_scores_until_asked_for_labels():
    pairs = read(0, 1, 1).pairs
    assert (pairs.gold.tolist(), pairs.metric, pairs.scale) == ([0, 1, 1], "rho", (0, 1))
    labelled = pairs.scored_by("auc")
    assert (labelled.labels.tolist(), labelled.gold, labelled.metric) == ([0, 1, 1], None, "auc")
    assert labelled.fingerprint != pairs.fingerprint
    assert labelled.scored_by("rho").fingerprint == pairs.fingerprint
    assert read(1, 4, 1).pairs.scored_by("auc").labels.tolist() == [0, 1, 0]


def test_scores_of_many_kinds_are_no_labels():
    with pytest.raises(InputError, match="3 different scores"):
        read(0, 1, 2).pairs.scored_by("auc")


def test_words_that_do_not_say_which_is_which_are_refused():
    with pytest.raises(InputError, match="'blue', 'red'"):
        read("red", "blue", "red")


def test_a_blank_label_is_a_refused_row():
    reading = read("yes", "", "no")
    assert reading.pairs.labels.tolist() == [1, 0]
    assert [each.row for each in reading.refused] == [3]


def test_one_word_alone_is_no_label():
    with pytest.raises(InputError, match="not a number"):
        read("yes", "yes")


def test_labels_other_than_zero_and_one_cannot_be_made():
    pairs = read("yes", "no").pairs
    for labels in (np.array([0.0, 2.0]), np.array([0.0, np.nan])):
        with pytest.raises(InputError, match="0 and 1 only"):
            type(pairs)(**{**vars(pairs), "labels": labels})
