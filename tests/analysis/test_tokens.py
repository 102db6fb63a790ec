"""Entropy, first token and words in contexts, compared with sums in plain numpy."""

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from bertflow_core.analysis import tokens

RNG = np.random.default_rng(0)
X = RNG.normal(size=(9, 12)) + 2


def _entropy(x):
    squares = np.linalg.svd(x.astype(np.float64), compute_uv=False) ** 2
    p = squares[squares > 0] / squares.sum()
    return -(p * np.log(p)).sum() / np.log(min(x.shape))


def _cosine(a, b):
    return a @ b / np.sqrt((a @ a) * (b @ b))


@pytest.mark.parametrize("x", [X, X.T, 1e-30 * X, X.astype(np.float32), X[:2]])
def test_entropy_is_that_of_the_squared_singular_values_of_tokens_as_they_are(x):
    assert tokens.token_entropy(x) == pytest.approx(_entropy(x), rel=1e-6)


def test_entropy_ranges_from_one_long_token_to_orthogonal_ones():
    assert tokens.token_entropy(np.eye(4)) == pytest.approx(1)
    assert tokens.token_entropy(np.diag([1e3, 1, 1, 1])) < 1e-3
    assert tokens.token_entropy(X[:1]) is tokens.token_entropy(np.zeros((3, 4))) is None


def test_the_first_tokens_norm_over_the_mean_norm_of_the_others():
    expected = np.sqrt(X[0] @ X[0]) / np.mean([np.sqrt(row @ row) for row in X[1:]])
    assert tokens.first_norm(X) == pytest.approx(expected)
    assert tokens.first_norm(X[:1]) is None
    assert tokens.first_norm(X * (np.arange(9) == 0)[:, None]) is None


def test_similarity_within_a_sentence():
    expected = np.mean([_cosine(row, X.mean(axis=0)) for row in X])
    assert tokens.intra_similarity(X) == pytest.approx(expected)


SENTENCES = [[0, *(RNG.integers(2, 9, size=5).tolist()), 8, 8, 1] for _ in range(20)]


def test_words_are_drawn_with_one_occurrence_in_each_of_several_sentences():
    drawn = tokens.draw_occurrences(SENTENCES, (1, 1))
    n = drawn.counts.sum()
    assert len(drawn.sentences) == len(drawn.places) == 2 * n
    ids = np.array([SENTENCES[i][j] for i, j in zip(drawn.sentences, drawn.places, strict=True)])
    assert not {0, 1} & {*ids.tolist()}  # what the tokenizer adds
    starts = np.cumsum([0, *drawn.counts])
    words = [ids[a:b] for a, b in pairwise(starts)]
    assert all(len({*word.tolist()}) == 1 for word in words)
    assert len({word[0] for word in words}) == len(words)
    for a, b in pairwise(starts):
        assert 5 <= b - a <= 10
        assert len({*drawn.sentences[a:b].tolist()}) == b - a
    random = {*zip(drawn.sentences[n:].tolist(), drawn.places[n:].tolist(), strict=True)}
    assert len(random) == n


def test_words_in_context_are_measured_beyond_what_random_tokens_share():
    drawn = tokens.draw_occurrences(SENTENCES, (1, 1))
    n = drawn.counts.sum()
    x = RNG.normal(size=(2 * n, 6)) + 1
    groups = np.repeat(np.arange(len(drawn.counts)), drawn.counts)
    x[:n] += 3 * RNG.normal(size=(len(drawn.counts), 6))[groups]
    found = tokens.words_in_context(x, drawn)
    base = np.mean([_cosine(a, b) for a, b in combinations(x[n:], 2)])
    own = [
        np.mean([_cosine(a, b) for a, b in permutations(x[:n][groups == word], 2)])
        for word in range(len(drawn.counts))
    ]

    def explained(part):
        shares = [np.linalg.svd(part[groups == w])[1] ** 2 for w in range(len(drawn.counts))]
        return np.mean([each[0] / each.sum() for each in shares])

    assert found["token_cosine"] == pytest.approx(base)
    assert found["self_similarity"] == pytest.approx(np.mean(own) - base)
    expected = explained(x[:n]) - explained(x[n:])
    assert found["explainable_variance"] == pytest.approx(expected)
    assert found["self_similarity"] > 0.2


def test_no_word_occurs_often_enough():
    drawn = tokens.draw_occurrences([[1, 2], [3, 4]])
    assert len(drawn.sentences) == 0
    assert {*tokens.words_in_context(np.empty((0, 3)), drawn).values()} == {None}
