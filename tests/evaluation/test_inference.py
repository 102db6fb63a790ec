"""Tests and intervals by hand, against DeLong's formula and scipy; correlations of columns."""

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC, compare_rhos, score_pairs, summarize_seeds
from bertflow_core.evaluation.inference import (
    Interval,
    RhoComparison,
    SeedSummary,
    holm,
    letters_of,
)
from bertflow_core.evaluation.rank_matrix import rank_matrix

N = 300
RNG = np.random.default_rng(0)
SUBSETS = ["a"] * 200 + ["b"] * 100
GOLD = RNG.integers(0, 26, N) / 5
GOOD = GOLD + RNG.normal(scale=0.5, size=N)
POOR = GOLD + RNG.normal(scale=4, size=N)


def compare(similarities, **options):
    options = {"baseline": next(iter(similarities)), "aggregation": "all", **options}
    return compare_rhos(similarities, GOLD, SUBSETS, **options)


def test_holm_by_hand():
    # Sorted .005 .01 .03 .04 times 4 3 2 1 is .02 .03 .06 .04, and the last may not fall below .06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == pytest.approx([1.0, 1.0])
    assert holm([0.2]) == pytest.approx([0.2])
    assert holm([]).shape == (0,)


@pytest.mark.parametrize(
    ("names", "different", "expected"),
    [
        ("abc", ["ac"], {"a": "a", "b": "ab", "c": "b"}),  # not transitive
        ("abc", [], {"a": "a", "b": "a", "c": "a"}),
        ("abc", ["ab", "bc", "ac"], {"a": "a", "b": "b", "c": "c"}),
        ("abc", ["ab", "ac"], {"a": "a", "b": "b", "c": "b"}),
        ("abcd", ["ac", "ad", "bd"], {"a": "a", "b": "ab", "c": "bc", "d": "c"}),
        ("abcd", ["da", "bd"], {"a": "a", "b": "a", "c": "ab", "d": "b"}),  # in any order
        ("a", [], {"a": "a"}),
    ],
)
def test_letters_by_hand(names, different, expected):
    assert letters_of(names, [tuple(pair) for pair in different]) == expected


def test_two_share_a_letter_exactly_if_they_do_not_differ_and_beyond_z_letters_go_on():
    rng = np.random.default_rng(1)
    for _ in range(50):
        names = "abcdef"
        pairs = [(x, y) for i, x in enumerate(names) for y in names[i + 1 :]]
        different = {pair for pair in pairs if rng.random() < 0.4}
        result = letters_of(names, different)
        assert all(
            bool(set(result[x]) & set(result[y])) == ((x, y) not in different) for x, y in pairs
        )
        assert result["a"].startswith("a")
    names = [str(i) for i in range(28)]
    result = letters_of(names, [(x, y) for x in names for y in names if x < y])
    assert [result["25"], result["26"], result["27"]] == ["z", "a'", "b'"]


def draws(columns, rhos=None):
    columns = np.array(columns, float).T
    names = tuple("ABCD"[: columns.shape[1]])
    rhos = columns.mean(axis=0) if rhos is None else rhos
    return RhoComparison(names, "A", "all", 9, rhos, columns)


def test_p_values_and_intervals_of_draws_by_hand():
    # A - B is -1, 1, 2, ..., 98: one draw of 99 is at most 0.
    result = draws([[-1, *range(1, 99)], [0] * 99], np.array([50.0, 1.0]))
    (difference,) = result.differences([("A", "B")])
    assert difference.p == pytest.approx(2 * (1 + 1) / 100)
    assert difference.change.difference == 49
    assert (difference.change.low, difference.change.high) == pytest.approx((2.45, 95.55))
    assert difference.significant
    (turned,) = result.differences([("B", "A")])
    assert (turned.change.difference, turned.p) == (-49, difference.p)
    assert turned.change.low == pytest.approx(-95.55)
    ends = result.interval("A")
    assert (ends.low, ends.high) == pytest.approx((2.45, 95.55))


def test_a_difference_may_lose_significance_in_a_larger_family_and_p_is_never_0():
    # A - B as above, p = .04; C is drawn like B, p = 1: Holm doubles the first.
    result = draws([[-1, *range(1, 99)], [0] * 99, [0] * 99])
    one, same = result.differences([("A", "B"), ("B", "C")])
    assert (one.p, one.p_adjusted, same.p) == pytest.approx((0.04, 0.08, 1.0))
    assert not one.significant
    result = draws([[2.0] * 99, [1.0] * 99])
    (difference,) = result.differences([("A", "B")])
    assert difference.p == result.smallest_p == pytest.approx(0.02)
    (at_the_level,) = draws([[2.0] * 39, [1.0] * 39]).differences([("A", "B")])
    assert at_the_level.p == 0.05 and at_the_level.significant


def test_draws_without_a_rho_are_left_out_of_what_they_concern_and_counted():
    found = draws([[1, 2, np.nan, 4], [0, 9, 0, 0], [3, 3, 3, np.nan]], np.zeros(3))
    assert (found.n_draws, found.n_undefined) == (4, 2)
    assert found.smallest_p == pytest.approx(2 / 4)  # three draws define A and B
    (difference,) = found.differences([("A", "B")])
    assert difference.change.low == pytest.approx(-7 + 0.05 * 8)  # of 1, -7 and 4
    assert difference.p == pytest.approx(2 * (1 + 1) / (3 + 1))
    assert found.interval("C") == Interval(3, 3)  # wherever it is known


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_points_are_the_scores_and_differences_have_their_sign(aggregation):
    result = compare({"poor": POOR, "good": GOOD}, aggregation=aggregation)
    expected = [getattr(score_pairs(x, GOLD, SUBSETS).spearman, aggregation) for x in (POOR, GOOD)]
    assert result.rhos == pytest.approx(expected)
    (difference,) = result.to_baseline
    assert (difference.name, difference.other) == ("good", "poor")
    assert difference.change.difference == pytest.approx(expected[1] - expected[0])
    assert 0 < difference.change.low < difference.change.difference < difference.change.high
    assert difference.significant and result.letters == {"good": "a", "poor": "b"}
    interval = result.interval("good")
    assert interval.low < expected[1] < interval.high


@pytest.mark.parametrize("aggregation", ["all", "mean"])
def test_equal_ranks_never_differ(aggregation):
    similarities = {"x": GOOD, "same": GOOD, "monotone": np.exp(GOOD)}
    result = compare(similarities, aggregation=aggregation, n_draws=200)
    assert np.ptp(result.draws, axis=1).max() == 0  # bit for bit
    for difference in (*result.to_baseline, *result.pairs):
        change = difference.change
        assert change.difference == change.low == change.high == 0
        assert difference.p == difference.p_adjusted == 1
        assert not difference.significant
    assert set(result.letters.values()) == {"a"}
    assert result.n_draws == 200


def test_families_are_adjusted_apart_and_a_single_calibrator_has_none():
    similarities = {name: GOLD + RNG.normal(scale=2, size=N) for name in "pqrs"}
    result = compare(similarities, baseline="q", n_draws=2_000)
    assert [d.name for d in result.to_baseline] == ["p", "r", "s"]
    for family, size in ((result.to_baseline, 3), (result.pairs, 6)):
        assert len(family) == size
        assert [d.p_adjusted for d in family] == pytest.approx(holm([d.p for d in family]))
    assert all(d.change.difference >= 0 for d in result.pairs)
    result = compare({"x": GOOD}, n_draws=100)
    assert result.to_baseline == result.pairs == ()
    assert result.letters == {"x": "a"}
    assert result.interval("x").low < result.rhos[0]


def test_an_interval_is_the_same_whoever_else_is_compared():
    x, y = GOLD + np.random.default_rng(7).normal(scale=2, size=(2, N))
    others = {str(k): GOLD + RNG.normal(scale=k, size=N) for k in (1, 2, 4, 8, 30)}
    alone = compare({"x": x, "y": y}, n_draws=500)
    among = compare({"x": x, **others, "y": y}, n_draws=500)
    turned = compare({"y": y, "x": x}, n_draws=500)
    (one,), (*_, two), (three,) = (each.to_baseline for each in (alone, among, turned))
    assert (one.change.low, one.change.high) == (two.change.low, two.change.high)
    ends = -three.change.high, -three.change.low
    assert (one.change.low, one.change.high) == pytest.approx(ends)
    assert alone.interval("y") == among.interval("y")


def delong(first, second, labels):
    """Return the difference of two AUCs and its standard error (DeLong et al., 1988)."""
    ones, zeros = labels == 1, labels == 0
    m, n = ones.sum(), zeros.sum()
    of_ones, of_zeros = [], []
    for x in (first, second):
        ranks = rankdata(x)
        of_ones.append((ranks[ones] - rankdata(x[ones])) / n)
        of_zeros.append(1 - (ranks[zeros] - rankdata(x[zeros])) / m)
    less = [of_ones[0] - of_ones[1], of_zeros[0] - of_zeros[1]]
    return less[0].mean(), np.sqrt(less[0].var(ddof=1) / m + less[1].var(ddof=1) / n)


def test_the_bootstrap_of_a_difference_of_aucs_agrees_with_delong():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 400).astype(float)
    good, poor = labels + rng.normal(size=400), np.round(labels + rng.normal(scale=3, size=400))
    difference, error = delong(good, poor, labels)
    tests = compare_rhos(
        {"good": good, "poor": poor, "mirror": -poor},
        labels,
        ["x"] * 400,
        baseline="poor",
        aggregation="all",
        metric=AUC,
        n_draws=4_000,
    )
    found = tests.to_baseline[0]
    assert found.change.difference == pytest.approx(difference, abs=1e-12)
    half = (found.change.high - found.change.low) / 2
    assert half == pytest.approx(1.96 * error, rel=0.05)
    assert found.change.low < difference < found.change.high
    assert tests.metric is AUC
    assert found.significant == (abs(difference) > 1.96 * error)


def test_rare_draws_without_a_rho_are_counted_and_pairs_too_few_are_refused():
    gold, how = np.array([0.0] * 6 + [1.0, 2.0, 3.0, 4.0]), {"baseline": "x", "aggregation": "all"}
    result = compare_rhos({"x": np.arange(10.0)}, gold, ["a"] * 10, **how, n_draws=5_000)
    # All ten from the six alike: .6^10 = .006; and ten times the same of the others, next to never.
    assert 10 <= result.n_undefined <= 60
    assert np.isfinite(result.interval("x").low)
    with pytest.raises(InputError, match="resamples have no rho"):
        compare_rhos({"x": np.arange(3.0)}, np.array([1.0, 1.0, 2.0]), ["a"] * 3, **how)


def test_seeds_by_hand():
    assert summarize_seeds([0.1, 0.2, 0.6]) == SeedSummary(
        3, pytest.approx(0.3), pytest.approx(np.sqrt(0.07)), 0.2, 0.1, 0.6
    )
    assert summarize_seeds([0.5]) == SeedSummary(1, 0.5, None, 0.5, 0.5, 0.5)


WORDS = np.round(-0.5 * GOLD + RNG.normal(scale=2, size=N))
LIKE = GOLD - WORDS + RNG.normal(size=N)
COLUMNS = {"gold": GOLD, "like": LIKE, "words": WORDS}
MATRIX = rank_matrix(COLUMNS, n_draws=500)


def test_points_are_scipy_s_and_draws_are_of_whole_rows_the_same_for_every_two():
    expected = spearmanr(np.column_stack(list(COLUMNS.values()))).statistic
    np.testing.assert_allclose(MATRIX.rhos, expected, atol=1e-12)
    assert MATRIX.rho("like", "words").value == MATRIX.rho("words", "like").value
    mirrored = rank_matrix(COLUMNS | {"mirror": -GOLD}, n_draws=500).draws
    np.testing.assert_allclose(mirrored, mirrored.transpose(0, 2, 1), atol=1e-12)
    np.testing.assert_allclose(mirrored[:, 3, 0], -1, atol=1e-12)
    np.testing.assert_allclose(mirrored[:, 3], -mirrored[:, 0], atol=1e-12)
    rows = RNG.integers(N, size=(500, N))
    rhos = [spearmanr(LIKE[each], WORDS[each]).statistic for each in rows]
    np.testing.assert_allclose(MATRIX.draws[:, 1, 2].std(), np.std(rhos), rtol=0.2)
    np.testing.assert_allclose(MATRIX.draws[:, 1, 2].mean(), np.mean(rhos), atol=0.02)


def test_the_partial_correlation_is_that_of_what_a_line_leaves():
    ranks = {name: rankdata(column) for name, column in COLUMNS.items()}

    def left(name):
        fit = np.polyfit(ranks["gold"], ranks[name], 1)
        return ranks[name] - np.polyval(fit, ranks["gold"])

    expected = np.corrcoef(left("like"), left("words"))[0, 1]
    partial = MATRIX.partial("like", "words", "gold")
    assert partial.value == pytest.approx(expected, abs=1e-12)
    assert partial.low < partial.value < partial.high < 0


def test_intervals_are_percentiles_and_a_change_is_paired():
    ends = np.quantile(MATRIX.draws[:, 1, 2], [0.025, 0.975])
    rho = MATRIX.rho("like", "words")
    assert (rho.low, rho.high) == pytest.approx(tuple(ends), abs=1e-12)
    change = MATRIX.change("like", "gold", "words")
    assert change.value == pytest.approx(MATRIX.rhos[1, 2] - MATRIX.rhos[0, 2])
    assert change.value < 0  # `like` follows `words` more than gold does, downwards
    for first, other in (("like", "gold"), ("gold", "like")):  # both rhos are negative
        change, size = (
            change_of(first, other, "words") for change_of in (MATRIX.change, MATRIX.change_in_size)
        )
        expected = (-change.value, -change.high, -change.low)
        assert (size.value, size.low, size.high) == pytest.approx(expected)
    none = MATRIX.change("like", "like", "words")
    assert (none.value, none.low, none.high) == (0, 0, 0)


def test_what_is_undefined_is_reported_so():
    with pytest.raises(InputError, match="at least 2 rows"):
        rank_matrix({"a": np.ones(1), "b": np.ones(1)})
    flat = rank_matrix({"flat": np.ones(9), "other": np.arange(9.0)}, n_draws=50)
    assert flat.rho("flat", "other").value is None
    few = rank_matrix({"a": np.arange(3.0), "b": np.array([0.0, 2, 1])})
    assert few.rho("a", "b").value == pytest.approx(0.5)
    assert few.rho("a", "b").low is None
    three = {"a": np.array([1.0, 2, 3]), "b": np.array([2.0, 1, 3]), "c": np.array([3.0, 1, 2])}
    assert rank_matrix(three).partial("a", "b", "c").value is None  # it would be 1 or -1
    twice = rank_matrix({"a": GOLD, "b": LIKE, "c": GOLD}, n_draws=50)
    assert twice.partial("a", "b", "c").value is None  # c decides a
