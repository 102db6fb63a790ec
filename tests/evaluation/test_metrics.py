"""Scores against scipy and scikit-learn; cosines; and ledgers of what pairs add to a score."""

import numpy as np
import pytest
from scipy.stats import pearsonr, rankdata, spearmanr
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import cosine_similarity

from bertflow_core.arrays.correlation import average_ranks
from bertflow_core.errors import InputError
from bertflow_core.evaluation import (
    AUC,
    RHO,
    build_ledger,
    cosine_matrix,
    pairwise_cosine,
    random_pair_cosine,
    random_pairs,
    score_labels,
    score_pairs,
)
from bertflow_core.evaluation.metrics import read_scores

N = 400
RNG = np.random.default_rng(0)
GOLD = RNG.integers(0, 6, N).astype(float)
LABELS = RNG.integers(0, 2, N).astype(float)
TIED = np.round(GOLD + 2 * LABELS + RNG.normal(scale=2, size=N))
SUBSETS = [("a", "b", "b")[i % 3] for i in range(N)]  # not contiguous
ROWS = {name: np.array([subset == name for subset in SUBSETS]) for name in "ab"}

MEASURES = {
    "spearman": (score_pairs, GOLD, lambda x, y: spearmanr(x, y).statistic),
    "pearson": (score_pairs, GOLD, lambda x, y: pearsonr(x, y).statistic),
    "auc": (score_labels, LABELS, lambda x, y: roc_auc_score(y, x)),
}


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("similarity", [TIED, -TIED, RNG.normal(size=N), np.float32(TIED)])
def test_every_measure_and_aggregation_is_that_of_scipy_or_scikit_learn(name, similarity):
    score, judged, reference = MEASURES[name]
    scores = score(similarity, judged, SUBSETS)
    found = scores.measures[name]
    each = {key: reference(similarity[rows], judged[rows]) for key, rows in ROWS.items()}
    sizes = [rows.sum() for rows in ROWS.values()]
    assert found.all == pytest.approx(reference(similarity, judged), abs=1e-12)
    assert list(found.subsets) == ["a", "b"]
    assert found.subsets == pytest.approx(each, abs=1e-12)
    assert found.mean == pytest.approx(np.mean([*each.values()]), abs=1e-12)
    assert found.wmean == pytest.approx(np.average([*each.values()], weights=sizes), abs=1e-12)
    assert read_scores(scores.to_dict()) == scores


def test_a_tie_and_the_three_aggregations_on_two_subsets_by_hand():
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5 / 3, variances 4.5 / 3 and 5 / 3.
    scores = score_pairs(np.array([0.1, 0.5, 0.5, 0.9]), np.arange(4.0), ["one"] * 4)
    assert scores.spearman.all == pytest.approx(4.5 / np.sqrt(4.5 * 5))
    # Subset a (3 pairs) agrees, b (2 pairs) disagrees: mean 0, wmean (3 - 2) / 5.
    similarity, gold = np.array([1.0, 2.0, 3.0, 9.0, 8.0]), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    found = score_pairs(similarity, gold, ["a", "a", "a", "b", "b"]).spearman
    assert found.subsets == pytest.approx({"a": 1.0, "b": -1.0})
    assert (found.mean, found.wmean) == pytest.approx((0.0, 0.2))
    assert found.all == pytest.approx(spearmanr(similarity, gold).statistic)


def test_what_is_undefined_is_none_and_so_are_the_averages_over_it():
    flat = score_pairs(np.ones(4), np.arange(4.0), ["a", "a", "b", "b"])
    assert flat.spearman.all is flat.pearson.wmean is None
    scores = score_pairs(np.arange(4.0), np.array([1.0, 2.0, 3.0, 3.0]), ["a", "a", "b", "b"])
    assert scores.spearman.subsets == {"a": pytest.approx(1.0), "b": None}
    assert scores.spearman.mean is scores.spearman.wmean is None
    assert scores.spearman.all is not None
    labels = score_labels(np.arange(4.0), np.array([0, 1, 1, 1.0]), ["a", "a", "b", "b"])
    assert (labels.auc.all, labels.auc.mean, labels.auc.wmean) == (1.0, None, None)
    assert labels.auc.subsets == {"a": 1.0, "b": None}
    assert score_labels(np.zeros(3), np.array([0, 1, 1.0]), ["a"] * 3).auc.all is None


@pytest.mark.parametrize(
    ("score", "similarity", "judged", "subsets", "words"),
    [
        (score_pairs, [1, 2], [3, 3], ["a", "a"], "all equal"),
        (score_pairs, [], [], [], "all equal"),
        (score_pairs, [1, 2], [1, 2, 3], ["a", "a"], "the same length"),
        (score_pairs, [1, 2], [1, 2], ["a"], "the same length"),
        (score_pairs, [1, np.nan], [1, 2], ["a", "a"], "finite"),
        (score_pairs, [1, 2], [1, np.inf], ["a", "a"], "finite"),
        *(
            (score_labels, [0, 1, 2], labels, ["a"] * 3, "two kinds, 0 and 1")
            for labels in ([1, 1, 1], [0, 1, 2], [0.0, 0.5, 1.0], [np.nan, 0, 1])
        ),
    ],
)
def test_bad_input_gets_a_sentence(score, similarity, judged, subsets, words):
    with pytest.raises(InputError, match=words):
        score(np.array(similarity, float), np.array(judged, float), subsets)


def test_ranks_are_those_of_scipy_with_and_without_ties():
    for values in (RNG.normal(size=50), RNG.integers(0, 5, 80) / 4, np.ones(3), np.float32([2, 1])):
        ranks = average_ranks(values)
        assert ranks.dtype == np.float64
        assert np.array_equal(ranks, rankdata(values))


@pytest.mark.parametrize(("n", "r"), [(30, 0.3), (50, 0.7), (200, 0.7)])
def test_the_half_width_of_rho_is_the_spread_over_samples(n, r):
    rng = np.random.default_rng(n)
    x, noise = rng.standard_normal((2, 2_000, n))
    y = r * x + np.sqrt(1 - r**2) * noise
    a, b = (rankdata(each, axis=1) - (n + 1) / 2 for each in (x, y))
    rhos = (a * b).sum(axis=1) / (n * (n**2 - 1) / 12)
    low, high = np.quantile(rhos, [0.025, 0.975])
    assert RHO.half_width(rhos.mean(), x[0]) == pytest.approx((high - low) / 2, rel=0.16)


def test_the_half_width_of_auc_is_exact_for_the_exponential_variables_it_assumes():
    rng = np.random.default_rng(0)
    n_ones, n_zeros = 4, 60
    ones = rng.exponential(3, (20_000, n_ones, 1))
    zeros = rng.exponential(1, (20_000, 1, n_zeros))
    error = (ones > zeros).mean(axis=(1, 2)).std()
    labels = np.repeat([1.0, 0.0], [n_ones, n_zeros])
    assert AUC.half_width(3 / 4, labels) == pytest.approx(1.96 * error, rel=0.03)


def test_the_half_width_of_many_pairs_is_small_and_that_of_a_perfect_rho_is_0():
    assert 0 < RHO.half_width(0.5, np.zeros(4)) < 1
    assert RHO.half_width(1.0, np.zeros(30)) == 0
    half = (np.arange(400) < 200).astype(float)  # 400 pairs give no wide interval
    for metric in (RHO, AUC):
        assert max(metric.half_width(score, half) for score in np.linspace(0, 1, 101)) < 0.1


def test_cosine_is_scikit_learn_s_also_of_a_zero_vector_which_stays_as_it_was():
    a, b = RNG.normal(size=(7, 5)), RNG.normal(size=(9, 5))
    np.testing.assert_allclose(cosine_matrix(a, b), cosine_similarity(a, b), atol=1e-12)
    np.testing.assert_allclose(
        pairwise_cosine(a, b[:7]), np.diag(cosine_similarity(a, b[:7])), atol=1e-12
    )
    a = np.array([[0.0, 0.0], [3.0, 4.0]], np.float32)
    before = a.copy()
    np.testing.assert_array_equal(pairwise_cosine(a, a), [0.0, 1.0])
    np.testing.assert_array_equal(a, before)


def test_the_random_cosine_is_the_mean_of_the_pairs_drawn_never_of_a_row_with_itself():
    centred = RNG.normal(size=(2000, 50))
    assert abs(random_pair_cosine(centred)) < 0.01
    assert random_pair_cosine(centred + 10) > 0.9
    assert random_pair_cosine(np.array([[1.0, 0.0], [-1.0, 0.0]])) == pytest.approx(-1)
    x = RNG.normal(1, 2, size=(60, 7)).astype(np.float32)
    x[3] = 0
    for n_pairs in (5, 60, 700):
        drawn = zip(*random_pairs(60, n_pairs=n_pairs, seed=4), strict=True)
        mean = np.mean([cosine_matrix(x[[i]], x[[j]]).item() for i, j in drawn])
        assert random_pair_cosine(x, n_pairs=n_pairs, seed=4) == pytest.approx(mean)
        assert random_pair_cosine(x, n_pairs=n_pairs, seed=3) != pytest.approx(mean)


# Five pairs; after calibration the first two change places and are right, the last two wrong.
BEFORE = np.array([0.2, 0.1, 0.3, 0.4, 0.5])
AFTER = np.array([0.1, 0.2, 0.3, 0.9, 0.8])


def ledger(aggregation):
    return build_ledger(BEFORE, AFTER, np.arange(5.0), list("aaabb"), aggregation=aggregation)


def test_a_ledger_by_hand():
    account = ledger("all")
    assert account.gold_rank.tolist() == [1, 2, 3, 4, 5]
    assert account.rank_before.tolist() == [2, 1, 3, 4, 5]
    assert account.rank_after.tolist() == [1, 2, 3, 5, 4]
    assert account.error_before.tolist() == [1, 1, 0, 0, 0]
    assert account.error_after.tolist() == [0, 0, 0, 1, 1]
    assert account.improved.tolist() == [1, 1, 0, -1, -1]
    # Products of centred ranks over 5 times the variance 2: (-2)(-1), (-1)(1), 0, (1)(1), (2)(-1).
    assert account.share == pytest.approx(np.array([2, -1, 0, 1, -2]) / 10)
    assert (account.rho_before, account.rho_after) == pytest.approx((0.9, 0.9))
    assert len(account) == 5
    account = ledger("wmean")  # ranks within subsets
    assert account.gold_rank.tolist() == [1, 2, 3, 1, 2]
    assert account.rank_after.tolist() == [1, 2, 3, 2, 1]
    # In a: (-1)(-1) and 0 (+1) over 3 times 2 / 3, times 3 / 5; in b each product is -2, over 2,
    # times 2 / 5.
    assert account.share == pytest.approx([0.3, 0, 0, -0.4, -0.4])
    assert account.rho_after - account.rho_before == pytest.approx(0.2 - (0.6 * 0.5 + 0.4))
    assert ledger("mean").share == pytest.approx([0.25, 0, 0, -0.5, -0.5])


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_shares_add_up_to_the_gain(aggregation):
    rng = np.random.default_rng(0)
    for n in range(9, 41):
        before, after, gold = rng.integers(0, 6, size=(3, n)) * 1.0
        subsets = ["abc"[i] for i in rng.permutation(np.arange(n) % 3)]
        scores = (score_pairs(x, gold, subsets).spearman for x in (before, after))
        rhos = [getattr(each, aggregation) for each in scores]
        if None in rhos:
            continue
        account = build_ledger(before, after, gold, subsets, aggregation=aggregation)
        assert account.share.sum() == pytest.approx(rhos[1] - rhos[0], abs=1e-9)
        assert (account.rho_before, account.rho_after) == tuple(rhos)
        for subset in set(subsets) if aggregation != "all" else ():
            rows = [i for i, name in enumerate(subsets) if name == subset]
            assert np.array_equal(account.rank_after[rows], rankdata(after[rows]))
        assert np.array_equal(account.improved, account.error_before - account.error_after)


def test_the_ends_hold_what_moved_the_way_they_say_the_largest_change_first():
    before = np.array([1.0, 4.0, 3.0, 2.0, 5.0, 6.0])
    after = np.array([1.0, 2.0, 3.0, 4.0, 6.0, 5.0])
    account = build_ledger(before, after, np.arange(6.0), ["x"] * 6, aggregation="all")
    assert account.most_improved(10).tolist() == [1, 3]
    assert account.most_worsened(10).tolist() == [4, 5]
    assert account.most_worsened(1).tolist() == [4]
    assert account.most_improved(0).tolist() == []
    mixed = np.array([5.0, 2.0, 3.0, 4.0, 1.0, 0.0])
    account = build_ledger(mixed, np.arange(6.0), np.arange(6.0), ["x"] * 6, aggregation="all")
    assert account.most_improved(2).tolist() == [0, 5]
