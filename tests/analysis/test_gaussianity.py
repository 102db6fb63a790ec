"""Latent rows beside a Gaussian: scipy, definitions and clouds with known holes."""

import numpy as np
import pytest
from scipy.stats import kstest, multivariate_normal

from bertflow_core.analysis.gaussianity import likelihoods, matched_gaussian, midpoints, norm_gap
from bertflow_core.analysis.neighbours import knn
from bertflow_core.analysis.space_rows import K_HUBS, Near

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(3000, 12))


def test_another_scale_is_seen():
    for scale in (0.8, 1.25):
        norms = np.linalg.norm(scale * Z, axis=1)
        expected = kstest(norms**2, "chi2", (12,))  # the same test of squared norms
        assert norm_gap(scale * Z) == pytest.approx(expected.statistic)
        assert norm_gap(scale * Z) > 0.3
    assert norm_gap(Z) < 0.03


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
    few = np.diag([1.0, 2, 3])  # with few rows, dividing by N - 1 matters
    np.testing.assert_allclose(np.cov(matched_gaussian(few, 40_000).T), np.cov(few.T), atol=0.05)
    rank_one = matched_gaussian(np.outer(RNG.normal(size=30), np.ones(5)), 9)
    assert np.linalg.matrix_rank(rank_one) == 1


@pytest.mark.parametrize("k", [1, 5])
def test_a_gaussian_has_the_neighbours_of_a_gaussian_and_clumps_have_nearer_ones(k):
    x = RNG.normal(size=(1500, 4)) @ MIX
    y = clumps(1500)
    near, clumped = (
        np.median(knn(rows, k)[0][:, -1])
        / np.median(knn(matched_gaussian(rows, 1500), k)[0][:, -1])
        for rows in (x, y)
    )
    assert near == pytest.approx(1, abs=0.06)
    assert clumped < 0.3
    ratio = Near(y).distance_ratio()
    own, like = (knn(rows, K_HUBS)[0][:, -1] for rows in (y, matched_gaussian(y, 1500)))
    assert ratio == pytest.approx(np.median(own) / np.median(like))
    assert Near(np.ones((19, 3))).distance_ratio() is None


def test_likelihoods_of_a_known_gaussian():
    """Midpoints of independent rows have half the covariance: D/4 nats above a Gaussian's rows."""
    x = np.diag(2.0 ** np.arange(6))
    halves = midpoints(x, seed=3)  # each row twice and never with itself
    assert ((halves > 0).sum(axis=1) == 2).all()
    np.testing.assert_allclose(halves.sum(axis=0), x.sum(axis=0))
    d, n = 6, 4000
    density = multivariate_normal(np.zeros(d))
    result = likelihoods(density.logpdf, RNG.normal(size=(n, d)), RNG.normal(size=(n, d)))
    typical = -0.5 * d * (np.log(2 * np.pi) + 1)
    for group in ("real", "samples"):
        assert result[group].mean() == pytest.approx(typical, abs=0.15)
        midway = result[f"midpoints of {group}"]
        assert midway.mean() == pytest.approx(typical + d / 4, abs=0.15)
