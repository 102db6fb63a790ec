"""Linear algebra and choices of rows against numpy."""

from functools import cache

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from bertflow_core import linalg
from bertflow_core.moments import Moments

RNG = np.random.default_rng(0)
BASIS = np.linalg.qr(RNG.normal(size=(300, 300)))[0]
SPECTRA = {
    "a power law": np.arange(1, 301) ** -1.0,
    "one loud direction": np.r_[1e6, np.linspace(3, 1, 299)],
    "a small gap": np.r_[2, 1.001, 1, np.full(297, 0.5)],
    "three of 300": np.r_[3, 2, 1, np.zeros(297)],
    "equal ones": np.r_[np.full(10, 5.0), np.ones(290)],
    "all equal": np.ones(300),
    "none": np.zeros(300),
}


def with_eigenvalues(values):
    return (BASIS * values) @ BASIS.T


@cache
def decomposed(spectrum):
    """A matrix of that spectrum, and numpy's eigenvalues and eigenvectors, falling."""
    matrix = with_eigenvalues(SPECTRA[spectrum])
    values, vectors = np.linalg.eigh(matrix)
    return matrix, values[::-1], vectors[:, ::-1]


@pytest.mark.parametrize("k", [1, 6])
@pytest.mark.parametrize("spectrum", SPECTRA)
@pytest.mark.parametrize("unit", [1, 1e-300, 1e300])
def test_leading_directions_are_eigenvectors_of_the_largest_eigenvalues(spectrum, k, unit):
    matrix, expected, _ = decomposed(spectrum)
    values, directions = linalg.leading_directions(matrix * unit, k)
    expected = expected[:k]
    tiny = 1e-12 * max(expected[0], 1)
    np.testing.assert_allclose(values / unit, expected, rtol=0, atol=tiny)
    np.testing.assert_allclose(directions.T @ directions, np.eye(k), atol=1e-13)
    residual = matrix @ directions - directions * (values / unit)
    np.testing.assert_allclose(residual, 0, atol=tiny)
    largest = np.abs(directions).argmax(axis=0)
    assert (directions[largest, np.arange(k)] > 0).all()


@pytest.mark.parametrize(
    ("spectrum", "k"), [("a power law", 2), ("one loud direction", 1), ("a small gap", 2)]
)
def test_of_a_spectrum_with_gaps_they_are_the_same_without_all_others(spectrum, k, monkeypatch):
    matrix, _, vectors = decomposed(spectrum)
    expected = vectors[:, :k].copy()
    expected *= np.sign(np.take_along_axis(expected, np.abs(expected).argmax(0)[None], axis=0))
    monkeypatch.setattr(linalg, "principal_directions", lambda *_: pytest.fail("all of them"))
    np.testing.assert_allclose(linalg.leading_directions(matrix, k)[1], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("n", "k"), [(5, 0), (300, 0), (5, 2), (5, 5), (5, 9), (300, 299)])
def test_of_few_features_or_for_most_directions_they_are_the_first_of_all(n, k):
    matrix = with_eigenvalues(SPECTRA["a power law"])[:n, :n]
    values, directions = linalg.leading_directions(matrix, k)
    expected = linalg.principal_directions(matrix)
    np.testing.assert_array_equal(values, expected[0][:k])
    np.testing.assert_array_equal(directions, expected[1][:, :k])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [2, 4096, 9000])
def test_covariance_is_numpy_s(dtype, n):
    x = (RNG.normal(size=(n, 7)) + 100).astype(dtype)
    moments = Moments.of(x)
    np.testing.assert_allclose(moments.mean, x.astype(np.float64).mean(0), rtol=1e-13)
    expected = np.cov(x.astype(np.float64).T)
    np.testing.assert_allclose(moments.covariance, expected, rtol=1e-10, atol=1e-12)


def test_second_moments_are_measured_from_the_mean_or_from_zero():
    x = RNG.normal(size=(5000, 3)) + 2
    np.testing.assert_allclose(Moments.of(x).about_zero, x.T @ x, rtol=1e-12)
    less = x - x.mean(0)
    np.testing.assert_allclose(Moments.of(x).m2, less.T @ less, rtol=1e-10, atol=1e-10)


def test_squared_distances_are_scipy_s():
    x = RNG.normal(size=(1100, 3)) + 2
    found = np.concatenate([*linalg.squared_distances(x)])
    np.testing.assert_allclose(found, cdist(x, x, "sqeuclidean"), atol=1e-12)
    assert (np.diag(found) == 0).all()


def test_an_affine_function_is_told_by_its_images():
    matrix, shift = RNG.normal(size=(4, 3)), RNG.normal(size=3)
    found = linalg.affine_parts(lambda rows: rows @ matrix + shift, 4)
    np.testing.assert_allclose(found[0], matrix, atol=1e-14)
    np.testing.assert_array_equal(found[1], shift)


def test_rows_are_distinct_or_drawn_seeded_and_rising():
    assert linalg.distinct_rows(["b", "a", "b", "c", "a"]).tolist() == [0, 1, 3]
    assert linalg.distinct_rows([]).tolist() == []
    np.testing.assert_array_equal(linalg.sample_rows(5, 5, seed=0), np.arange(5))
    result = linalg.sample_rows(100, 10, seed=0)
    assert len(set(result)) == 10
    assert (np.diff(result) > 0).all()
    assert result.max() > 10
    np.testing.assert_array_equal(result, linalg.sample_rows(100, 10, seed=0))
    assert list(result) != list(linalg.sample_rows(100, 10, seed=1))
