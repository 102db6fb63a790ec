"""Latent rows against N(0, I): scipy, mpmath, definitions and clouds with known holes."""

import mpmath
import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.stats import kstest, multivariate_normal

from bertflow_core.analysis.gaussianity import (
    energy_distance,
    energy_floor,
    likelihoods,
    matched_gaussian,
    mean_distance_to_normal,
    midpoints,
    norms_test,
    sample_distance_ratio,
)
from bertflow_core.analysis.measures import MEASURES
from bertflow_core.analysis.neighbours import knn
from bertflow_core.analysis.space_rows import K_HUBS, Near, Unseen

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(3000, 12))


@pytest.mark.parametrize("scale", [0.8, 1.25])
def test_another_scale_is_seen(scale):
    result = norms_test(scale * Z)
    norms = np.linalg.norm(scale * Z, axis=1)
    expected = kstest(norms**2, "chi2", (12,))  # the same test of squared norms
    assert result.statistic == pytest.approx(expected.statistic)
    assert result.p_value == pytest.approx(expected.pvalue)
    assert result.p_value < 1e-6
    assert np.sign(result.mean - result.mean_expected) == np.sign(scale - 1)
    result = norms_test(Z)
    assert result.p_value > 0.01
    assert result.mean == pytest.approx(result.mean_expected, abs=0.05)
    assert result.mean_expected == pytest.approx(3.39, abs=0.01)  # about sqrt(D - 1/2)


@pytest.mark.parametrize("d", [1, 2, 16, 384, 1024])
def test_the_mean_distance_to_a_normal_is_kummers_function(d):
    for length in (0.0, 0.5, 1.0, d**0.5, 30 * d**0.5, 300 * d**0.5):
        half = mpmath.mpf(d) / 2
        factor = mpmath.sqrt(2) * mpmath.gamma(half + 0.5) / mpmath.gamma(half)
        expected = factor * mpmath.hyp1f1(-0.5, half, -(mpmath.mpf(length) ** 2) / 2)
        (result,) = mean_distance_to_normal(np.array([length**2]), d)
        assert result == pytest.approx(float(expected), rel=1e-12)


def test_the_distance_is_its_definition_with_a_large_normal_sample_and_0_of_a_normal():
    z, g = RNG.normal(1, 2, size=(700, 3)), RNG.normal(size=(2000, 3))
    to_normal = np.linalg.norm(z[:, None] - g, axis=2).mean()
    expected = 2 * to_normal - pdist(z).mean() - pdist(g).mean()
    assert energy_distance(z) == pytest.approx(expected, abs=0.05)
    assert energy_distance(z) > 1
    # Two points at 0 and at 1 on a line: 2 E|x - g| less 1 less 2 / sqrt(pi).
    expected = (0.7978845608028654 + 1.1666309411753728) - 1 - 2 / np.sqrt(np.pi)
    assert energy_distance(np.array([[0.0], [1.0]])) == pytest.approx(expected)
    result = [energy_distance(RNG.normal(size=(50, 4))) for _ in range(200)]
    assert np.mean(result) == pytest.approx(0, abs=4 * np.std(result) / 200**0.5)


def test_the_floor_is_seldom_passed_by_a_normal_and_always_by_others():
    floor = energy_floor(300, 5)
    normal = [energy_distance(RNG.normal(size=(300, 5))) > floor for _ in range(40)]
    assert np.mean(normal) < 0.2
    for other in (
        RNG.normal(0.3, size=(300, 5)),
        RNG.normal(size=(300, 5)) * 1.3,
        RNG.normal(size=(300, 5)) * 0.7,
        RNG.standard_t(2, size=(300, 5)),
    ):
        assert energy_distance(other) > floor
    assert energy_floor(300, 5, seed=1) != floor


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
    ratio = Near(y, y[:0]).distance_ratio()
    own, like = (knn(rows, K_HUBS)[0][:, -1] for rows in (y, matched_gaussian(y, 1500)))
    assert ratio == pytest.approx(np.median(own) / np.median(like))
    assert Near(np.ones((19, 3)), np.ones((0, 3))).distance_ratio() is None
    both_sides = MEASURES["two_nn_both_sides"].value
    assert both_sides(Near(y, y[:K_HUBS])) is None  # too few sentences with partners
    assert both_sides(Near(y, y[: K_HUBS + 1])) > 0


def test_samples_lie_as_far_from_data_as_data_or_further_where_there_are_holes():
    x = RNG.normal(size=(3, 800, 4))
    assert sample_distance_ratio(*x, 5) == pytest.approx(1, abs=0.1)
    reference, real = clumps(800), clumps(800)
    samples = matched_gaussian(reference, 800)
    assert sample_distance_ratio(reference, real, samples, 5) > 5
    assert sample_distance_ratio(reference, samples, real, 5) < 0.2
    assert sample_distance_ratio(np.ones((9, 2)), np.ones((4, 2)), np.zeros((4, 2)), 3) is None
    z = RNG.normal(size=(400, 3))
    assert Unseen(z, RNG.normal(size=(400, 3))).sample_distance() == pytest.approx(1, abs=0.15)
    assert Unseen(z, z + 9).sample_distance() > 5
    assert Unseen(z[: 2 * K_HUBS], z).sample_distance() is None
    assert Unseen(z[: 2 * K_HUBS + 2], z).sample_distance() > 0


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
