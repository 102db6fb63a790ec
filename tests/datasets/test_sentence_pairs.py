import json
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

from bertflow_core.datasets import Provenance, SentencePairs, SourceFile
from bertflow_core.errors import InputError

PROVENANCE = Provenance(
    "A test.", "none", "table", (SourceFile("a.tsv", "0" * 64, 3),), (("s", 2),)
)
PAIRS = SentencePairs(
    name="toy",
    split="test",
    first=("a", "b", "c"),
    second=("A", "B", "C"),
    gold=np.array([0.0, 5.0, 2.5]),
    scale=(0, 5),
    subsets=("late", "early", "late"),
    provenance=PROVENANCE,
)


def test_sides_are_interleaved():
    assert PAIRS.sentences() == ("a", "A", "b", "B", "c", "C")
    assert PAIRS.sentences()[0::2] == PAIRS.first
    assert PAIRS.sentences()[1::2] == PAIRS.second
    assert len(PAIRS) == 3
    assert PAIRS.subset_names == ("late", "early")


def test_gold_is_a_read_only_copy_in_float64():
    mine = np.array([1, 2, 3], dtype=np.int32)
    pairs = replace(PAIRS, gold=mine)
    mine[0] = 5
    assert pairs.gold.dtype == np.float64
    assert pairs.gold.tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="read-only"):
        pairs.gold[0] = 4.0


def test_lists_become_tuples():
    assert replace(PAIRS, first=["x", "y", "z"]).first == ("x", "y", "z")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"second": ("A",)}, "3 first, 1 second"),
        ({"subsets": ("s",) * 4}, "4 subsets"),
        ({"gold": np.zeros(2)}, "2 gold"),
        ({"gold": np.zeros((3, 1))}, "one dimension"),
        ({"gold": np.array([0.0, math.nan, 1.0])}, "0 to 5, got nan for pair 2"),
        ({"gold": np.array([0.0, 1.0, math.inf])}, "got inf for pair 3"),
        ({"gold": np.array([-0.1, 5.1, 1.0])}, "2 gold scores are off the scale"),
        ({"scale": (5, 0)}, "scale"),
        ({"scale": (0, math.inf)}, "scale"),
        ({"scale": (0, 1, 2)}, "scale"),
        ({"first": (), "second": (), "subsets": (), "gold": None}, "no pairs"),
    ],
)
def test_what_does_not_fit_together_is_refused(change, words):
    with pytest.raises(InputError, match=words):
        replace(PAIRS, **change)


def test_the_ends_of_the_scale_are_on_it():
    assert replace(PAIRS, gold=np.array([0.0, 5.0, 5.0])).gold.max() == 5.0


@pytest.mark.parametrize(
    "change",
    [
        {"first": ("a", "b", "d")},
        {"first": ("A", "b", "c"), "second": ("a", "B", "C")},
        {"gold": np.array([0.0, 5.0, 2.5000001])},
        {"gold": None},
        {"scale": (0, 6)},
        {"subsets": ("late", "late", "early")},
        {"first": ("aA", "b", "c"), "second": ("", "B", "C")},
    ],
)
def test_fingerprint_follows_the_content(change):
    assert replace(PAIRS, **change).fingerprint != PAIRS.fingerprint


def test_fingerprint_leaves_out_where_it_came_from():
    other = replace(PROVENANCE, source="Elsewhere.")
    assert replace(PAIRS, name="x", split="dev", provenance=other).fingerprint == PAIRS.fingerprint


def test_provenance_goes_to_json():
    told = json.loads(json.dumps(PROVENANCE.to_dict()))
    assert told == {
        "source": "A test.",
        "licence": "none",
        "layout": "table",
        "files": [{"name": "a.tsv", "sha256": "0" * 64, "lines": 3}],
        "counts": {"s": 2},
    }


def test_pairs_survive_a_cache_that_pickles():
    copy = pickle.loads(pickle.dumps(PAIRS))
    assert copy.fingerprint == PAIRS.fingerprint
    assert copy.provenance == PAIRS.provenance


def test_repr_does_not_print_the_sentences():
    assert "'A'" not in repr(PAIRS)
