"""Measures of word frequency against numpy, scipy and by hand."""

import numpy as np
import pytest
from scipy import stats

from bertflow_core.analysis.frequency import bin_means, coordinate_rhos, fit_line, window_means

RNG = np.random.default_rng(1)


def test_a_bin_holds_its_low_rank_and_not_its_high_one():
    norms = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    ranks, measures = np.array([0, 1, 2, 3, 7, 9]), {"norm": norms, "knn": -norms}
    first, second, third, empty = bin_means(ranks, measures, [0, 2, 9, 20, 30])
    assert first == {"low": 0, "high": 2, "n": 2, "norm": 1.5, "knn": -1.5}
    assert (second["n"], second["norm"]) == (3, pytest.approx((4 + 8 + 16) / 3))
    assert (third["n"], third["norm"], third["knn"]) == (1, 32.0, -32.0)
    assert (empty["n"], empty["norm"], empty["knn"]) == (0, None, None)


def test_coordinates_are_those_of_the_centred_svd_and_rhos_scipy_s_where_they_vary():
    log_frequency = RNG.normal(size=300).round(1)  # with ties
    x = RNG.normal(size=(300, 12)) * np.linspace(5, 1, 12) + 3
    x[:, 2] -= 2 * log_frequency
    result = coordinate_rhos(x, log_frequency, n_coordinates=5)
    u, s, _ = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    expected = [abs(stats.spearmanr(u[:, k] * s[k], log_frequency).statistic) for k in range(5)]
    assert result == pytest.approx(expected)
    assert max(result) > 0.3
    assert result == pytest.approx(coordinate_rhos(-x, -log_frequency, n_coordinates=5))
    x = np.zeros((30, 4))  # no rho of directions without variance
    x[:, 0] = RNG.normal(size=30)
    result = coordinate_rhos(x, np.arange(30.0))
    assert result[0] is not None
    assert result[1:] == (None, None, None)
    assert coordinate_rhos(x, np.ones(30))[0] is None
    assert len(coordinate_rhos(RNG.normal(size=(4, 9)), np.arange(4.0))) == 3


X = RNG.uniform(0, 5, size=400)
Y = 2.0 - 0.3 * X + (0.1 + 0.2 * X) * RNG.normal(size=400)


def test_the_line_is_scipys_and_its_interval_holds_hc3():
    line, known = fit_line(X, Y), stats.linregress(X, Y)
    assert line.slope == pytest.approx(known.slope)
    design = np.column_stack([np.ones(400), X])
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    residuals = Y - hat @ Y
    pseudo = np.linalg.pinv(design)
    expected = pseudo @ np.diag((residuals / (1 - np.diag(hat))) ** 2) @ pseudo.T
    margin = stats.t(398).ppf(0.975) * np.sqrt(expected[1, 1])
    assert (line.low, line.high) == pytest.approx((known.slope - margin, known.slope + margin))
    assert line.slope < 0
    assert line.relative == pytest.approx(known.slope / Y.mean())
    assert fit_line(np.ones(9), np.arange(9.0)) is None
    assert fit_line(np.arange(3.0), np.arange(3.0)) is None


def test_window_means_are_scipys_with_students_interval():
    at, means, lows, highs = window_means(X, Y, n_windows=5)
    mean, edges, _ = stats.binned_statistic(X, Y, bins=5)
    np.testing.assert_allclose(means, mean)
    inside = (edges[1] <= X) & (edges[2] > X)
    low, high = stats.t.interval(
        0.95, inside.sum() - 1, loc=Y[inside].mean(), scale=stats.sem(Y[inside])
    )
    assert (lows[1], highs[1]) == pytest.approx((low, high))
    assert at[1] == pytest.approx(X[inside].mean())
    # Windows with few points join the next, and the last the one before.
    x = np.array([0.0, 1, 2, 3, 3.1, 3.2, 3.3, 10])
    at, means, *_ = window_means(x, x, n_windows=10, min_points=3)
    assert at == pytest.approx([1.0, np.mean([3, 3.1, 3.2, 3.3, 10])])
    assert means == pytest.approx(at)
    for n in (0, 2):
        assert len(window_means(x[:n], x[:n])[1]) == 0
