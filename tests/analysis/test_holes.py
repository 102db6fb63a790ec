import numpy as np
import pytest
from scipy.stats import multivariate_normal

from bertflow_core.analysis.holes import (
    gaussian_distance_ratio,
    likelihoods,
    matched_gaussian,
    midpoints,
    sample_distance_ratio,
)
from bertflow_core.analysis.neighbours import knn
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)
MIX = RNG.normal(size=(4, 4))


def clumps(n):
    """Rows in 20 tight clumps: most of the space their covariance spans is empty."""
    centres = np.random.default_rng(5).normal(size=(20, 4))
    return centres[RNG.integers(20, size=n)] + 0.03 * RNG.normal(size=(n, 4))


def test_the_matched_gaussian_has_the_mean_and_the_covariance():
    x = RNG.gamma(1.0, size=(300, 4)) @ MIX
    drawn = matched_gaussian(x, 40_000)
    np.testing.assert_allclose(drawn.mean(0), x.mean(0), atol=0.1)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(x.T), atol=0.2)
    rank_one = matched_gaussian(np.outer(RNG.normal(size=30), np.ones(5)), 9)
    assert np.linalg.matrix_rank(rank_one) == 1


@pytest.mark.parametrize("k", [1, 5])
def test_a_gaussian_has_the_neighbours_of_a_gaussian_and_clumps_have_nearer_ones(k):
    x = RNG.normal(size=(1500, 4)) @ MIX
    assert gaussian_distance_ratio(knn(x, k)[0], x) == pytest.approx(1, abs=0.06)
    y = clumps(1500)
    assert gaussian_distance_ratio(knn(y, k)[0], y) < 0.3


def test_the_ratio_is_undefined_without_extent():
    assert gaussian_distance_ratio(np.zeros((9, 2)), np.ones((9, 3))) is None


def test_samples_lie_as_far_from_data_as_data_or_further_where_there_are_holes():
    x = RNG.normal(size=(3, 800, 4))
    assert sample_distance_ratio(*x, 5) == pytest.approx(1, abs=0.1)
    reference, real = clumps(800), clumps(800)
    samples = matched_gaussian(reference, 800)
    assert sample_distance_ratio(reference, real, samples, 5) > 5
    assert sample_distance_ratio(reference, samples, real, 5) < 0.2
    assert sample_distance_ratio(np.ones((9, 2)), np.ones((4, 2)), np.zeros((4, 2)), 3) is None


def test_midpoints_use_each_row_twice_and_never_with_itself():
    x = np.diag(2.0 ** np.arange(6))
    result = midpoints(x, seed=3)
    assert ((result > 0).sum(axis=1) == 2).all()
    np.testing.assert_allclose(result.sum(axis=0), x.sum(axis=0))
    with pytest.raises(InputError, match="at least 2"):
        midpoints(x[:1])


def test_likelihoods_of_a_known_gaussian():
    """Midpoints of independent rows have half the covariance: D/4 nats above a Gaussian's rows."""
    d, n = 6, 4000
    density = multivariate_normal(np.zeros(d))
    result = likelihoods(density.logpdf, RNG.normal(size=(n, d)), RNG.normal(size=(n, d)))
    typical = -0.5 * d * (np.log(2 * np.pi) + 1)
    assert result.real.mean() == pytest.approx(typical, abs=0.15)
    assert result.samples.mean() == pytest.approx(typical, abs=0.15)
    for midway in (result.real_midpoints, result.sample_midpoints):
        assert midway.mean() == pytest.approx(typical + d / 4, abs=0.15)
    names = ["real", "samples", "midpoints of real", "midpoints of samples"]
    assert list(result.groups()) == names
    assert result.groups()["midpoints of real"] is result.real_midpoints
