"""Counts of words between neighbours against a corpus worked by hand, and Eq. 3 as a regression."""

from math import log

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from bertflow_core.analysis.contexts import decompose, find_contexts
from bertflow_core.errors import InputError

# 1 a 2: "a" stands 6 times between 1 and 2 and once between 1 and 3, "b" 3 times and 2 times.
A, B, C = 7, 8, 9
SENTENCES = [[1, A, 2]] * 6 + [[1, B, 2]] * 3 + [[1, A, 3]] + [[1, B, 3]] * 2 + [[1, C, 2]]


@pytest.fixture
def contexts():
    return find_contexts(SENTENCES, least_context=3, least_pair=1)


def test_the_counts_are_those_worked_by_hand(contexts):
    # 13 gaps: 10 between (1, 2), 3 between (1, 3); a 7 times, b 5 times, c once
    assert contexts.names == ((1, 2), (1, 3))
    found = {
        (contexts.names[pair], int(word)): (pmi, log_p)
        for pair, word, pmi, log_p in zip(
            contexts.pairs, contexts.words, contexts.pmi, contexts.log_p, strict=True
        )
    }
    assert found == {
        ((1, 2), A): pytest.approx((log(6 * 13 / (7 * 10)), log(7 / 13))),
        ((1, 2), B): pytest.approx((log(3 * 13 / (5 * 10)), log(5 / 13))),
        ((1, 2), C): pytest.approx((log(1 * 13 / (1 * 10)), log(1 / 13))),
        ((1, 3), A): pytest.approx((log(1 * 13 / (7 * 3)), log(7 / 13))),
        ((1, 3), B): pytest.approx((log(2 * 13 / (5 * 3)), log(5 / 13))),
    }
    assert [SENTENCES[row][place] for row, place in zip(contexts.rows, contexts.places, strict=True)
            ] == [A] * 6 + [B] * 3 + [C] + [A] + [B] * 2  # fmt: skip
    states = contexts.owners[:, None] * 5.0
    assert contexts.mean_states(states).tolist() == [[0.0], [5.0]]


def test_what_is_rare_does_not_count():
    kept = find_contexts(SENTENCES, least_context=4, least_pair=2, most_occurrences=5)
    assert kept.names == ((1, 2),)
    assert kept.words.tolist() == [A, B]
    assert kept.rows.tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(InputError, match="take more sentences"):
        find_contexts(SENTENCES, least_context=11)


def test_the_first_occurrences_are_kept_whatever_stands_there():
    mixed = [[1, A, 2], [1, B, 2], [1, A, 2, 5]] * 4
    kept = find_contexts(mixed, least_context=3, least_pair=3, most_occurrences=5)
    assert list(zip(kept.rows, kept.places, strict=True)) == [(row, 1) for row in range(5)]


def test_the_regression_finds_the_coefficients_and_ignores_the_contexts_constants(contexts):
    constant = np.array([40.0, -3.0])[contexts.pairs]
    found = decompose(0.7 * contexts.pmi + 1.3 * contexts.log_p + constant, contexts)
    assert (found.pmi, found.log_p, found.r2) == pytest.approx((0.7, 1.3, 1.0))


def test_the_explained_shares_are_those_of_dummy_variables(contexts):
    score = np.random.default_rng(0).normal(size=5) + 2 * contexts.pmi
    dummies = np.eye(2)[contexts.pairs]
    rest = score - LinearRegression(fit_intercept=False).fit(dummies, score).predict(dummies)

    def explained(*columns):
        design = np.column_stack([*columns, dummies])
        fit = LinearRegression(fit_intercept=False).fit(design, score)
        return fit.coef_, 1 - np.square(score - fit.predict(design)).sum() / (rest @ rest)

    found = decompose(score, contexts)
    coefficients, share = explained(contexts.pmi, contexts.log_p)
    assert (found.pmi, found.log_p) == pytest.approx(tuple(coefficients[:2]))
    assert found.r2 == pytest.approx(share)
    assert found.r2_pmi == pytest.approx(explained(contexts.pmi)[1])
    assert found.r2_log_p == pytest.approx(explained(contexts.log_p)[1])
    with pytest.raises(InputError, match="do not vary"):
        decompose(np.array([1.0, 2.0])[contexts.pairs], contexts)
