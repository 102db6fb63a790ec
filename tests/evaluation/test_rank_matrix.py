import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from bertflow_core.errors import InputError
from bertflow_core.evaluation.rank_matrix import rank_matrix

RNG = np.random.default_rng(0)
N = 200
GOLD = RNG.integers(0, 26, N) / 5
WORDS = np.round(-0.5 * GOLD + RNG.normal(scale=2, size=N))
LIKE = GOLD - WORDS + RNG.normal(size=N)
COLUMNS = {"gold": GOLD, "like": LIKE, "words": WORDS}


@pytest.fixture(scope="module")
def result():
    return rank_matrix(COLUMNS, n_draws=500)


def test_points_are_scipy_s(result):
    expected = spearmanr(np.column_stack(list(COLUMNS.values()))).statistic
    np.testing.assert_allclose(result.rhos, expected, atol=1e-12)
    assert result.rho("like", "words").value == result.rho("words", "like").value


def test_draws_are_of_whole_rows_and_the_same_for_every_two(result):
    rng = np.random.default_rng(np.random.SeedSequence(0).spawn(1)[0])
    rows = rng.integers(N, size=(32, N))[0]  # the stream's first draw, in its own order
    expected = spearmanr(np.column_stack([column[rows] for column in COLUMNS.values()])).statistic
    np.testing.assert_allclose(result.draws[0], expected, atol=1e-12)
    np.testing.assert_allclose(result.draws, result.draws.transpose(0, 2, 1), atol=1e-12)


def test_the_partial_correlation_is_that_of_what_a_line_leaves(result):
    ranks = {name: rankdata(column) for name, column in COLUMNS.items()}

    def left(name):
        fit = np.polyfit(ranks["gold"], ranks[name], 1)
        return ranks[name] - np.polyval(fit, ranks["gold"])

    expected = np.corrcoef(left("like"), left("words"))[0, 1]
    partial = result.partial("like", "words", "gold")
    assert partial.value == pytest.approx(expected, abs=1e-12)
    assert partial.low < partial.value < partial.high < 0


def test_intervals_are_percentiles_and_a_change_is_paired(result):
    ends = np.quantile(result.draws[:, 1, 2], [0.025, 0.975])
    rho = result.rho("like", "words")
    assert (rho.low, rho.high) == pytest.approx(tuple(ends), abs=1e-12)
    change = result.change("like", "gold", "words")
    assert change.value == pytest.approx(result.rhos[1, 2] - result.rhos[0, 2])
    assert change.value < 0  # `like` follows `words` more than gold does, downwards
    for first, other in (("like", "gold"), ("gold", "like")):  # both rhos are negative
        change, size = (
            change_of(first, other, "words") for change_of in (result.change, result.change_in_size)
        )
        expected = (-change.value, -change.high, -change.low)
        assert (size.value, size.low, size.high) == pytest.approx(expected)
    none = result.change("like", "like", "words")
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
