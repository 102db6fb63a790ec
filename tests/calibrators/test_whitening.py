"""Soft whitening and Ledoit-Wolf against numpy, scipy and scikit-learn."""

import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power
from scipy.stats import multivariate_normal
from sklearn.covariance import LedoitWolf, ledoit_wolf_shrinkage
from sklearn.decomposition import PCA

from bertflow_core.calibrators import build_calibrator

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 10)) @ RNG.normal(size=(10, 10)) + 5 * RNG.normal(size=10)
CENTRED = X - X.mean(0)


def softened(eps):
    covariance = np.cov(X.T)
    return covariance + eps * np.trace(covariance) / 10 * np.eye(10)


@pytest.mark.parametrize("eps", [0, 0.01, 1])
@pytest.mark.parametrize("power", [0, 0.5, 1])
def test_zca_is_the_power_of_the_softened_covariance(eps, power):
    z = build_calibrator(f"soft-whiten:rotation=zca,eps={eps},power={power}").fit(X).transform(X)
    expected = CENTRED @ fractional_matrix_power(softened(eps), -power / 2)
    np.testing.assert_allclose(z, expected, atol=1e-7)


def test_pca_is_scikit_learn_s_whitening_and_the_turned_zca():
    pca = build_calibrator("soft-whiten:rotation=pca,eps=0").fit(X).transform(X)
    expected = PCA(whiten=True).fit_transform(X)
    np.testing.assert_allclose(np.abs(pca), np.abs(expected), atol=1e-8)
    zca = build_calibrator("soft-whiten:rotation=zca,eps=0").fit(X).transform(X)
    np.testing.assert_allclose(pca @ pca.T, zca @ zca.T, atol=1e-8)
    assert np.abs(pca - zca).max() > 0.1


def test_power_zero_only_centres():
    z = build_calibrator("soft-whiten:power=0").fit(X).transform(X)
    np.testing.assert_allclose(z, CENTRED, atol=1e-10)


@pytest.mark.parametrize("rotation", ["pca", "zca"])
def test_the_density_is_a_gaussian_with_the_softened_covariance(rotation):
    fitted = build_calibrator(f"soft-whiten:eps=0.3,rotation={rotation}").fit(X)
    expected = multivariate_normal(X.mean(0), softened(0.3)).logpdf(X[:20])
    np.testing.assert_allclose(fitted.score_samples(X[:20]), expected, atol=1e-8)


@pytest.mark.parametrize("rotation", ["pca", "zca"])
def test_a_direction_without_variance_is_dropped_without_eps_and_kept_with_it(rotation):
    x = X - X.mean(1, keepdims=True)
    hard = build_calibrator(f"soft-whiten:eps=0,rotation={rotation}").fit(x)
    assert hard.notes_ == ("1 of 10 directions have no variance",)
    assert "1 of 10 directions" in hard.why_not_invertible()
    assert np.abs(hard.transform(x)).max() < 10
    soft = build_calibrator(f"soft-whiten:eps=0.01,rotation={rotation}").fit(x)
    assert soft.notes_ == ()
    np.testing.assert_allclose(soft.inverse_transform(soft.transform(x)), x, atol=1e-9)


@pytest.mark.parametrize("n", [5, 12, 40, 300])
def test_ledoit_wolf_is_scikit_learn_s(n):
    x = X[:n]
    fitted = build_calibrator("ledoit-wolf").fit(x)
    assert float(fitted.shrinkage_) == pytest.approx(ledoit_wolf_shrinkage(x), rel=1e-9)
    shrunk = LedoitWolf().fit(x).covariance_
    expected = (x - x.mean(0)) @ np.linalg.inv(shrunk) @ (x - x.mean(0)).T
    z = fitted.transform(x)
    np.testing.assert_allclose(z @ z.T, expected, atol=1e-7)
    density = multivariate_normal(x.mean(0), shrunk).logpdf(X[:20])
    np.testing.assert_allclose(fitted.score_samples(X[:20]), density, atol=1e-7)


def test_ledoit_wolf_keeps_every_direction_of_few_sentences_and_dead_features():
    x = X[:6].copy()
    x[:, 3] = 2.0
    fitted = build_calibrator("ledoit-wolf").fit(x)
    assert fitted.transform(x).shape == (6, 10)
    assert fitted.notes_ == ()
    np.testing.assert_allclose(fitted.inverse_transform(fitted.transform(x)), x, atol=1e-9)


def test_more_sentences_are_shrunk_less():
    few, many = (build_calibrator("ledoit-wolf").fit(X[:n]) for n in (30, 300))
    assert 0 < many.shrinkage_ < few.shrinkage_ < 1
