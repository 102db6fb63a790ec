"""The value that all data sets are: what it holds, and what its fingerprint is of."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from bertflow_core.datasets import Provenance, SentencePairs
from bertflow_core.datasets.source import SourceFile

PROVENANCE = Provenance(
    "A test.", "none", "table", (SourceFile("a.tsv", "0" * 64, 3),), (("s", 2),)
)
PAIRS = SentencePairs(
    name="toy",
    split="test",
    first=["a", "b", "c"],
    second=("A", "B", "C"),
    gold=np.array([0, 5, 2], np.int32),
    scale=(0, 5),
    subsets=("late", "early", "late"),
    provenance=PROVENANCE,
)


def test_sides_are_interleaved_and_gold_is_a_read_only_copy_in_float64():
    assert PAIRS.sentences() == ("a", "A", "b", "B", "c", "C")
    assert (PAIRS.first, len(PAIRS), PAIRS.subset_names) == (tuple("abc"), 3, ("late", "early"))
    mine = np.array([1.0, 2.0, 3.0])
    pairs = replace(PAIRS, gold=mine)
    mine[0] = 5
    assert (pairs.gold.dtype, pairs.gold.tolist()) == (np.float64, [1, 2, 3])
    with pytest.raises(ValueError, match="read-only"):
        pairs.gold[0] = 4.0
    assert "'A'" not in repr(PAIRS)


def test_the_fingerprint_is_of_the_content_alone():
    for change in (
        {"first": ("a", "b", "d")},
        {"gold": np.array([0.0, 5.0, 2.0000001])},
        {"scale": (0, 6)},
        {"subsets": ("late", "late", "early")},
        {"first": ("aA", "b", "c"), "second": ("", "B", "C")},
    ):
        assert replace(PAIRS, **change).fingerprint != PAIRS.fingerprint
    other = replace(PROVENANCE, source="Elsewhere.")
    assert replace(PAIRS, name="x", split="dev", provenance=other).fingerprint == PAIRS.fingerprint
    copy = pickle.loads(pickle.dumps(PAIRS))  # a cache does so
    assert (copy.fingerprint, copy.provenance) == (PAIRS.fingerprint, PROVENANCE)
