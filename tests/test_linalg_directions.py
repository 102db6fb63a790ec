"""A few leading directions against all of them by numpy."""

import numpy as np
import pytest

from bertflow_core import linalg
from bertflow_core.linalg import leading_directions, principal_directions

RNG = np.random.default_rng(0)
BASIS = np.linalg.qr(RNG.normal(size=(300, 300)))[0]


def with_eigenvalues(values):
    return (BASIS * values) @ BASIS.T


SPECTRA = {
    "a power law": np.arange(1, 301) ** -1.0,
    "one loud direction": np.r_[1e6, np.linspace(3, 1, 299)],
    "a small gap": np.r_[2, 1.001, 1, np.full(297, 0.5)],
    "three of 300": np.r_[3, 2, 1, np.zeros(297)],
    "equal ones": np.r_[np.full(10, 5.0), np.ones(290)],
    "all equal": np.ones(300),
    "none": np.zeros(300),
}


@pytest.mark.parametrize("k", [1, 2, 6])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_they_are_eigenvectors_of_the_largest_eigenvalues(spectrum, k):
    matrix = with_eigenvalues(SPECTRA[spectrum])
    values, directions = leading_directions(matrix, k)
    expected = np.linalg.eigh(matrix)[0][::-1][:k]
    tiny = 1e-12 * max(expected[0], 1)
    np.testing.assert_allclose(values, expected, rtol=0, atol=tiny)
    np.testing.assert_allclose(directions.T @ directions, np.eye(k), atol=1e-13)
    np.testing.assert_allclose(matrix @ directions, directions * values, rtol=0, atol=tiny)
    largest = np.abs(directions).argmax(axis=0)
    assert (directions[largest, np.arange(k)] > 0).all()


@pytest.mark.parametrize(
    ("spectrum", "k"), [("a power law", 2), ("one loud direction", 1), ("a small gap", 2)]
)
def test_of_a_spectrum_with_gaps_they_are_the_same_without_all_others(spectrum, k, monkeypatch):
    matrix = with_eigenvalues(SPECTRA[spectrum])
    expected = np.linalg.eigh(matrix)[1][:, ::-1][:, :k]
    expected *= np.sign(np.take_along_axis(expected, np.abs(expected).argmax(0)[None], axis=0))
    monkeypatch.setattr(linalg, "principal_directions", lambda *_: pytest.fail("all of them"))
    np.testing.assert_allclose(leading_directions(matrix, k)[1], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_the_unit_changes_nothing(factor):
    matrix = with_eigenvalues(SPECTRA["a power law"])
    values, directions = leading_directions(matrix, 2)
    scaled_values, scaled_directions = leading_directions(matrix * factor, 2)
    np.testing.assert_allclose(scaled_values, values * factor, rtol=1e-12)
    np.testing.assert_allclose(scaled_directions, directions, rtol=0, atol=1e-10)


@pytest.mark.parametrize("n", [5, 300])
def test_none_of_them_is_nothing(n):
    values, directions = leading_directions(np.eye(n), 0)
    assert (values.shape, directions.shape) == ((0,), (n, 0))


@pytest.mark.parametrize(("n", "k"), [(5, 2), (5, 5), (5, 9), (300, 299)])
def test_of_few_features_or_for_most_directions_they_are_the_first_of_all(n, k):
    values, directions = leading_directions(with_eigenvalues(SPECTRA["a power law"])[:n, :n], k)
    expected = principal_directions(with_eigenvalues(SPECTRA["a power law"])[:n, :n])
    assert (values == expected[0][:k]).all()
    assert (directions == expected[1][:, :k]).all()
    assert directions.shape == (n, min(n, k))
