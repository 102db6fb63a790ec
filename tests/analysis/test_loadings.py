"""Loadings of planted directions, and of projections that mean nothing."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from bertflow_core.analysis.loadings import CHANCE, direction_loadings, words_of

RNG = np.random.default_rng(5)
WORDS = np.array([f"w{i:03d}" for i in range(150)])


SENTENCES = []
for i in range(2000):  # of 3 to 12 words, and one that no other has; a cat or a dog in every tenth
    words = [*RNG.choice(WORDS, RNG.integers(3, 13), replace=False), f"id{i}"]
    SENTENCES.append(" ".join([*words, *{0: ["cat"], 1: ["dog"]}.get(i % 10, [])]))
HAS = {w: np.array([w in s.split() for s in SENTENCES]) for w in ("cat", "dog")}
LENGTH = np.array([len(s.split()) for s in SENTENCES])


# A direction of cats against dogs, one of length, and one of nothing.
PROJECTIONS = RNG.normal(size=(2000, 3)) * [1, 0.5, 3] + [10, -3, 0]
PROJECTIONS[:, 0] += 2.0 * HAS["cat"] - 1.5 * HAS["dog"]
PROJECTIONS[:, 1] -= LENGTH


@pytest.fixture(scope="module")
def result():
    return direction_loadings(PROJECTIONS, SENTENCES, [0.5, 0.3, 0.1], n_sentences=4, n_words=5)


def test_planted_words_are_found_at_their_ends(result):
    first = result[0]
    assert (first.number, first.share) == (1, 0.5)
    assert [w.word for w in first.high_words] == ["cat"]
    assert [w.word for w in first.low_words] == ["dog"]
    z = (PROJECTIONS[:, 0] - PROJECTIONS[:, 0].mean()) / PROJECTIONS[:, 0].std()
    (cat,) = first.high_words
    assert cat.n_sentences == 200
    assert cat.mean == pytest.approx(z[HAS["cat"]].mean(), rel=1e-12)
    error = np.sqrt((1 - 200 / 2000) / 200 * 2000 / 1999)
    assert cat.score == pytest.approx(cat.mean - CHANCE * error, rel=1e-9)
    (dog,) = first.low_words
    assert dog.mean < dog.score < 0


def test_the_sentences_at_the_ends_are_the_utmost_ones(result):
    for k, direction in enumerate(result):
        order = np.argsort(PROJECTIONS[:, k])
        assert [s.row for s in direction.low_sentences] == order[:4].tolist()
        assert [s.row for s in direction.high_sentences] == order[::-1][:4].tolist()
        assert direction.high_sentences[0].sentence == SENTENCES[order[-1]]
        column = PROJECTIONS[:, k]
        highest = (column.max() - column.mean()) / column.std()
        assert direction.high_sentences[0].loading == pytest.approx(highest)
        assert direction.low_sentences[0].loading < 0


def test_length_is_spearmans_rho_with_the_number_of_words(result):
    for k, direction in enumerate(result):
        assert direction.length_rho == pytest.approx(spearmanr(PROJECTIONS[:, k], LENGTH).statistic)
    assert result[1].length_rho < -0.9


def test_rare_words_do_not_win_by_chance(result):
    """Of 150 words in random places none is named, however few sentences contain it."""
    assert result[2].low_words == result[2].high_words == ()
    rare = direction_loadings(
        RNG.normal(size=(2000, 20)), SENTENCES, [0.05] * 20, min_count=1, n_words=50
    )
    assert sum(len(d.low_words) + len(d.high_words) for d in rare) <= 4


def test_equal_sentences_count_once():
    x = np.array([[5.0], [5.0], [1.0], [0.0], [1.0]])
    (direction,) = direction_loadings(
        x, ["top top", "top top", "b", "c", "b"], [1.0], min_count=1, n_sentences=2
    )
    assert [(s.row, s.sentence) for s in direction.high_sentences] == [(0, "top top"), (2, "b")]
    assert [s.row for s in direction.low_sentences] == [3, 2]
    assert direction.low_sentences[0].loading == pytest.approx(-2 / np.std([5, 1, 0]))
    (constant,) = direction_loadings(np.full((53, 1), 0.1), SENTENCES[:53], [0.0])
    assert constant.low_words == constant.high_words == ()
    assert constant.length_rho is None
    assert {s.loading for s in constant.high_sentences} == {0.0}


def test_words_are_in_lower_case_and_marks_count():
    assert words_of("It's A Dog, isn\u2019t") == ["it's", "a", "dog", ",", "isn\u2019t"]
    x = np.repeat([[1.0], [-1.0]], 40, axis=0)
    sentences = [f"n{i} {'.' if i < 40 else '!'}" for i in range(80)]
    (direction,) = direction_loadings(x, sentences, [1.0], min_count=40)
    assert direction_loadings(x, sentences, [1.0], min_count=41)[0].high_words == ()
    assert [w.word for w in direction.high_words] == ["."]
    assert [w.word for w in direction.low_words] == ["!"]
