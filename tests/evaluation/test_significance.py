"""Tests and intervals by hand, against DeLong's formula and scipy; correlations of columns."""

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC, compare, pair_scores, summarize_seeds
from bertflow_core.evaluation.comparison import Score, compare_to, letters, smallest_p
from bertflow_core.evaluation.rank_matrix import Estimate, rank_matrix
from bertflow_core.evaluation.significance import SeedSummary, holm, letters_of

N = 300
RNG = np.random.default_rng(0)
SUBSETS = ["a"] * 200 + ["b"] * 100
GOLD = RNG.integers(0, 26, N) / 5
GOOD = GOLD + RNG.normal(scale=0.5, size=N)
POOR = GOLD + RNG.normal(scale=4, size=N)


def scored(similarities, aggregation="all"):
    return pair_scores(similarities, GOLD, SUBSETS, aggregation=aggregation)


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


def drawn(*columns, values=None):
    """Return scores A, B, ... of these draws, their means by default."""
    values = [np.mean(each) for each in columns] if values is None else values
    return {
        name: Score(value, lambda n, each=each: np.array(each, float)[:n])
        for name, value, each in zip("ABCD", values, columns, strict=False)
    }


def differences(scores, *pairs, n_draws=None):
    """Test the first of each pair of names against the second."""
    return [*compare({(a, b): (scores[b], scores[a]) for a, b in pairs}, n_draws).values()]


def test_p_values_and_intervals_of_draws_by_hand():
    # A - B is -1, 1, 2, ..., 98: one draw of 99 is at most 0.
    scores = drawn([-1, *range(1, 99)], [0] * 99, values=[50.0, 1.0])
    (found,) = differences(scores, ("A", "B"))
    assert found.p == pytest.approx(2 * (1 + 1) / 100)
    assert (found.before, found.after, found.difference) == (1, 50, 49)
    assert (found.low, found.high) == pytest.approx((2.45, 95.55))
    assert found.significant
    (turned,) = differences(scores, ("B", "A"))
    assert (turned.difference, turned.p) == (-49, found.p)
    assert turned.low == pytest.approx(-95.55)
    assert scores["A"].interval() == pytest.approx((2.45, 95.55))


def test_a_difference_may_lose_significance_in_a_larger_family_and_p_is_never_0():
    # A - B as above, p = .04; C is drawn like B, p = 1: Holm doubles the first.
    scores = drawn([-1, *range(1, 99)], [0] * 99, [0] * 99)
    one, same = differences(scores, ("A", "B"), ("B", "C"))
    assert (one.p, one.p_adjusted, same.p) == pytest.approx((0.04, 0.08, 1.0))
    assert not one.significant
    scores = drawn([2.0] * 99, [1.0] * 99)
    (found,) = differences(scores, ("A", "B"))
    assert found.p == smallest_p(scores, 99) == pytest.approx(0.02)
    (at_the_level,) = differences(drawn([2.0] * 39, [1.0] * 39), ("A", "B"))
    assert at_the_level.p == 0.05 and at_the_level.significant


def test_many_comparisons_have_enough_draws_to_be_significant():
    one, two = (Score(value, lambda n, value=value: np.full(n, value)) for value in (1.0, 2.0))
    found = compare(dict.fromkeys(range(300), (one, two)))
    assert all(each.significant for each in found.values())


def test_few_draws_without_a_score_are_left_out_and_many_leave_no_test():
    few = [np.nan, *range(1, 40)]
    scores = drawn(few, [0] * 40, [*[np.nan] * 3, *[1] * 37], values=[9.0, 1.0, 1.0])
    of_few, of_many = differences(scores, ("A", "B"), ("C", "B"))
    assert (of_few.low, of_few.high) == pytest.approx((1.95, 38.05))
    assert of_few.p == of_few.p_adjusted == 2 / 40
    assert (of_many.low, of_many.p, of_many.p_adjusted) == (None, None, None)
    assert scores["C"].interval() == (None, None)
    assert smallest_p(scores, 40) == 2 / (39 + 1)  # 39 draws define A and B


@pytest.mark.parametrize("aggregation", ["all", "mean"])
def test_equal_ranks_never_differ(aggregation):
    scores = scored({"x": GOOD, "same": GOOD, "monotone": np.exp(GOOD)}, aggregation)
    draws = np.stack([each.resample(200) for each in scores.values()])
    assert draws.shape == (3, 200) and np.ptp(draws, axis=0).max() == 0  # bit for bit
    for each in compare_to("x", scores, 200).values():
        assert each.difference == each.low == each.high == 0
        assert each.p == each.p_adjusted == 1
        assert not each.significant
    assert set(letters(scores, 200).values()) == {"a"}


def test_an_interval_is_the_same_whoever_else_is_compared():
    x, y = GOLD + np.random.default_rng(7).normal(scale=2, size=(2, N))
    others = {str(k): GOLD + RNG.normal(scale=k, size=N) for k in (1, 2, 4, 8, 30)}
    every = [scored(each) for each in ({"x": x, "y": y}, {"x": x, **others, "y": y})]
    (one,), (two,) = (differences(each, ("y", "x"), n_draws=500) for each in every)
    (turned,) = differences(every[0], ("x", "y"), n_draws=500)
    assert (one.low, one.high) == (two.low, two.high)
    assert (one.low, one.high) == pytest.approx((-turned.high, -turned.low))
    assert every[0]["y"].interval(500) == every[1]["y"].interval(500)


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
    similarities = {"good": good, "poor": poor, "mirror": -poor}
    scores = pair_scores(similarities, labels, ["x"] * 400, aggregation="all", metric=AUC)
    found = compare_to("poor", scores, 4_000)["good"]
    assert found.difference == pytest.approx(difference, abs=1e-12)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.05)
    assert found.low < difference < found.high
    assert found.significant == (abs(difference) > 1.96 * error)


def test_rare_draws_without_a_rho_are_left_out_and_many_leave_no_interval():
    gold = np.array([0.0] * 6 + [1.0, 2.0, 3.0, 4.0])
    found = pair_scores({"x": np.arange(10.0)}, gold, ["a"] * 10, aggregation="all")["x"]
    # A draw has no rho if all ten pairs are of the six alike (.6^10 = .006) or are one other pair.
    assert 10 <= np.isnan(found.resample(5_000)).sum() <= 60
    assert np.isfinite(found.interval(5_000)).all()
    few = pair_scores({"x": np.arange(3.0)}, [1.0, 1.0, 2.0], ["a"] * 3, aggregation="all")["x"]
    assert few.interval() == (None, None)


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
    assert change.difference == pytest.approx(MATRIX.rhos[1, 2] - MATRIX.rhos[0, 2])
    assert change.difference < 0  # `like` follows `words` more than gold does, downwards
    for first, other in (("like", "gold"), ("gold", "like")):  # both rhos are negative
        change, size = (
            MATRIX.change(first, other, "words", of_size=of_size) for of_size in (False, True)
        )
        expected = (-change.difference, -change.high, -change.low)
        assert (size.difference, size.low, size.high) == pytest.approx(expected)
    size = MATRIX.change("like", "words", "gold", of_size=True)  # of opposite signs
    assert size.difference == pytest.approx(abs(MATRIX.rhos[1, 0]) - abs(MATRIX.rhos[2, 0]))
    ends = np.quantile(MATRIX.draws[:, 1, 0] + MATRIX.draws[:, 2, 0], [0.025, 0.975])
    assert (size.low, size.high) == pytest.approx(tuple(ends), abs=1e-12)
    none = MATRIX.change("like", "like", "words")
    assert (none.difference, none.low, none.high) == (0, 0, 0)


@pytest.mark.parametrize(
    ("low", "high", "sign"),
    [(0.1, 0.5, 1), (-0.5, -0.1, -1), (-0.1, 0.5, 0), (0, 0.5, 0), (-0.5, 0, 0), (None, None, 0)],
)
def test_a_number_has_a_sign_if_its_whole_interval_has(low, high, sign):
    assert Estimate(0.2, low, high).sign == sign


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
