import numpy as np
import pytest

from bertflow_core.datasets import Corpus
from bertflow_core.datasets.corpus import one_side, partners_of


def corpus(*pairs, more=()):
    sides = tuple(side for pair in pairs for side in pair)
    return Corpus((*sides, *more), "by hand", (), len(pairs))


@pytest.mark.parametrize(
    ("pairs", "more", "kept"),
    [
        (["ab", "cd"], "", "ac"),
        (["ab", "ca", "cd"], "", "ad"),  # c is a partner of a; d is only one of c
        (["aa", "ab"], "x", "ax"),  # the same sentence twice is one sentence
        (["ab", "cd", "ca"], "", "a" + "d"),
        ([], "xxy", "xy"),  # single sentences
        (["ab"], "bc", "ac"),  # a partner that comes again by itself
    ],
)
def test_of_each_pair_one_side_is_kept(pairs, more, kept):
    found = corpus(*pairs, more=more)
    assert "".join(found.sentences[row] for row in one_side(found)) == kept


def test_no_two_kept_rows_are_a_pair_and_none_could_be_added():
    names = [f"s{i}" for i in range(40)]
    drawn = np.random.default_rng(0).choice(names, (60, 2))
    found = corpus(*drawn.tolist())
    kept = {found.sentences[row] for row in one_side(found)}
    linked = {frozenset(pair) for pair in drawn.tolist() if len(set(pair)) == 2}
    assert not any(pair <= kept for pair in linked)
    for other in set(found.sentences) - kept:
        assert any(other in pair and pair & kept for pair in linked)
    assert partners_of(found) == {
        name: {next(iter(pair - {name})) for pair in linked if name in pair}
        for name in set().union(*linked)
    }
