"""Lines and window means against scipy and matrices written out."""

import numpy as np
import pytest
from scipy import stats

from bertflow_core.analysis.trends import fit_line, window_means
from bertflow_core.errors import InputError

RNG = np.random.default_rng(1)
X = RNG.uniform(0, 5, size=400)
Y = 2.0 - 0.3 * X + (0.1 + 0.2 * X) * RNG.normal(size=400)


def test_the_line_is_scipys_and_its_interval_holds_hc3():
    line, known = fit_line(X, Y), stats.linregress(X, Y)
    assert line.slope == pytest.approx(known.slope)
    assert line.intercept == pytest.approx(known.intercept)
    design = np.column_stack([np.ones(400), X])
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    residuals = Y - hat @ Y
    pseudo = np.linalg.pinv(design)
    expected = pseudo @ np.diag((residuals / (1 - np.diag(hat))) ** 2) @ pseudo.T
    np.testing.assert_allclose(line.covariance, expected, rtol=1e-8)
    margin = stats.t(398).ppf(0.975) * np.sqrt(expected[1, 1])
    assert (line.low, line.high) == pytest.approx((known.slope - margin, known.slope + margin))
    assert line.slope < 0
    assert line.relative == pytest.approx(known.slope / Y.mean())
    assert line.to_dict()["n"] == 400


def test_the_interval_covers_the_true_slope_where_the_spread_is_unequal():
    hits = 0
    for _ in range(400):
        x = RNG.exponential(size=80)
        line = fit_line(x, 1 + 0.5 * x + x * RNG.normal(size=80))
        hits += line.low <= 0.5 <= line.high
    assert 0.90 <= hits / 400 <= 0.99


def test_the_band_surrounds_the_line():
    line = fit_line(X, Y)
    at = np.array([0.0, 2.5, 5.0])
    middle, low, high = line.at(at)
    np.testing.assert_allclose(middle, line.intercept + line.slope * at)
    margin = stats.t(398).ppf(0.975) * np.sqrt(line.covariance[0, 0])
    assert (low[0], high[0]) == pytest.approx((line.intercept - margin, line.intercept + margin))
    assert (low < middle).all()
    assert (middle < high).all()


def test_no_spread_gives_no_line_and_bad_values_are_refused():
    assert fit_line(np.ones(9), np.arange(9.0)) is None
    assert fit_line(np.arange(3.0), np.arange(3.0)) is None
    with pytest.raises(InputError, match="finite"):
        fit_line(X, np.full(400, np.nan))
    with pytest.raises(InputError, match="length"):
        fit_line(X, Y[:-1])


def test_window_means_are_scipys_with_students_interval():
    result = window_means(X, Y, n_windows=5)
    mean, edges, _ = stats.binned_statistic(X, Y, bins=5)
    np.testing.assert_allclose(result.mean, mean)
    assert result.n.sum() == 400
    inside = (edges[1] <= X) & (edges[2] > X)
    low, high = stats.t.interval(
        0.95, inside.sum() - 1, loc=Y[inside].mean(), scale=stats.sem(Y[inside])
    )
    assert (result.low[1], result.high[1]) == pytest.approx((low, high))
    assert result.x[1] == pytest.approx(X[inside].mean())


def test_windows_with_few_points_join_the_next_and_the_last_the_one_before():
    x = np.array([0.0, 1, 2, 3, 3.1, 3.2, 3.3, 10])
    result = window_means(x, x, n_windows=10, min_points=3)
    assert result.n.tolist() == [3, 5]
    assert result.mean == pytest.approx([1.0, np.mean([3, 3.1, 3.2, 3.3, 10])])
    for n in (0, 2):
        assert len(window_means(x[:n], x[:n]).mean) == 0


def test_a_course_that_turns_is_followed():
    x = np.linspace(-1, 1, 500)
    result = window_means(x, -np.square(x))
    assert np.argmax(result.mean) in (11, 12)
    assert result.mean[0] < result.mean[5] < result.mean[11]
