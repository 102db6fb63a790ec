import numpy as np
import pytest
from scipy.stats import pearsonr, rankdata, spearmanr

from bertflow_core.errors import InputError
from bertflow_core.evaluation import score_pairs
from bertflow_core.evaluation.sts import average_ranks

RNG = np.random.default_rng(0)


def test_correlations_agree_with_scipy_with_ties():
    gold = RNG.integers(0, 6, size=200).astype(float)
    similarity = np.round(gold + RNG.normal(scale=2, size=200), 0)
    scores = score_pairs(similarity, gold, ["one"] * 200)
    assert scores.spearman.all == pytest.approx(spearmanr(similarity, gold).statistic, abs=1e-12)
    assert scores.pearson.all == pytest.approx(pearsonr(similarity, gold).statistic, abs=1e-12)


def test_a_hand_computed_case_with_a_tie():
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5 / 3, variances 4.5 / 3 and 5 / 3.
    scores = score_pairs(np.array([0.1, 0.5, 0.5, 0.9]), np.arange(4.0), ["one"] * 4)
    assert scores.spearman.all == pytest.approx(4.5 / np.sqrt(4.5 * 5))


def test_the_three_aggregations_on_two_subsets_by_hand():
    # Subset a (3 pairs) agrees, b (2 pairs) disagrees: mean 0, wmean (3 - 2) / 5.
    similarity = np.array([1.0, 2.0, 3.0, 9.0, 8.0])
    gold = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    scores = score_pairs(similarity, gold, ["a", "a", "a", "b", "b"])
    assert scores.spearman.subsets == pytest.approx({"a": 1.0, "b": -1.0})
    assert scores.spearman.mean == pytest.approx(0.0)
    assert scores.spearman.wmean == pytest.approx(0.2)
    assert scores.spearman.all == pytest.approx(spearmanr(similarity, gold).statistic)


def test_subsets_need_not_be_contiguous():
    similarity, gold = RNG.normal(size=40), RNG.normal(size=40)
    names = ["a", "b"] * 20
    scores = score_pairs(similarity, gold, names)
    assert list(scores.spearman.subsets) == ["a", "b"]
    expected = spearmanr(similarity[1::2], gold[1::2]).statistic
    assert scores.spearman.subsets["b"] == pytest.approx(expected)


def test_rho_sees_ranks_only_and_the_sign():
    similarity, gold = RNG.normal(size=50), RNG.normal(size=50)
    rho = score_pairs(similarity, gold, ["x"] * 50).spearman.all
    assert score_pairs(np.exp(similarity), gold, ["x"] * 50).spearman.all == pytest.approx(rho)
    assert score_pairs(-similarity, gold, ["x"] * 50).spearman.all == pytest.approx(-rho)


def test_equal_similarities_leave_the_correlation_undefined_not_nan():
    scores = score_pairs(np.ones(4), np.arange(4.0), ["a", "a", "b", "b"])
    assert scores.spearman.all is None
    assert scores.pearson.wmean is None


def test_a_subset_of_equal_gold_is_undefined_and_so_are_the_averages_over_it():
    similarity = np.array([0.1, 0.2, 0.3, 0.4])
    scores = score_pairs(similarity, np.array([1.0, 2.0, 3.0, 3.0]), ["a", "a", "b", "b"])
    assert scores.spearman.subsets["b"] is None
    assert scores.spearman.mean is scores.spearman.wmean is None
    assert scores.spearman.all is not None


@pytest.mark.parametrize(
    ("similarity", "gold", "subsets", "words"),
    [
        ([1, 2], [3, 3], ["a", "a"], "all equal"),
        ([1], [3], ["a"], "all equal"),
        ([], [], [], "all equal"),
        ([1, 2], [1, 2, 3], ["a", "a"], "one length"),
        ([1, 2], [1, 2], ["a"], "one length"),
        ([1, np.nan], [1, 2], ["a", "a"], "finite"),
        ([1, 2], [1, np.inf], ["a", "a"], "finite"),
    ],
)
def test_bad_input_gets_a_sentence(similarity, gold, subsets, words):
    with pytest.raises(InputError, match=words):
        score_pairs(np.array(similarity, float), np.array(gold, float), subsets)


def test_ranks_are_those_of_scipy_with_and_without_ties():
    rng = np.random.default_rng(0)
    for values in (rng.normal(size=50), rng.integers(0, 5, 80) / 4, np.ones(3), np.float32([2, 1])):
        ranks = average_ranks(values)
        assert ranks.dtype == np.float64
        assert np.array_equal(ranks, rankdata(values))
