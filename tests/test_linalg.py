"""Linear algebra, moments of chunks and samples of rows, compared with numpy; refusals."""

from functools import cache

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from bertflow_core.arrays import blocks, linalg, sampling
from bertflow_core.arrays.moments import Moments, feature_moments
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)
X = (RNG.normal(size=(9_000, 6)) * [1, 2, 3, 1e-3, 50, 1] + 100).astype(np.float32)
EXACT = X.astype(np.float64)
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


@cache
def decomposed(spectrum):
    """Return a matrix with that spectrum, and numpy's eigenvalues and eigenvectors, descending."""
    matrix = (BASIS * SPECTRA[spectrum]) @ BASIS.T
    values, vectors = np.linalg.eigh(matrix)
    return matrix, values[::-1], vectors[:, ::-1]


@pytest.mark.parametrize("k", [0, 1, 6])
@pytest.mark.parametrize("spectrum", SPECTRA)
@pytest.mark.parametrize("unit", [1, 1e-300, 1e300])
def test_leading_directions_are_eigenvectors_of_the_largest_eigenvalues(spectrum, k, unit):
    matrix, expected, _ = decomposed(spectrum)
    values, directions = linalg.leading_directions(matrix * unit, k)
    tiny = 1e-12 * max(expected[0], 1)
    np.testing.assert_allclose(values / unit, expected[:k], rtol=0, atol=tiny)
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
    solve = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda x: solve(x) if len(x) < 200 else pytest.fail())
    np.testing.assert_allclose(linalg.leading_directions(matrix, k)[1], expected, rtol=0, atol=1e-9)


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
    assert sampling.distinct_rows(["b", "a", "b", "c", "a"]).tolist() == [0, 1, 3]
    assert sampling.distinct_rows([]).tolist() == []
    np.testing.assert_array_equal(sampling.sample_rows(5, 5, seed=0), np.arange(5))
    result = sampling.sample_rows(100, 10, seed=0)
    assert len(set(result)) == 10
    assert (np.diff(result) > 0).all()
    assert result.max() > 10
    np.testing.assert_array_equal(result, sampling.sample_rows(100, 10, seed=0))
    assert list(result) != list(sampling.sample_rows(100, 10, seed=1))


def check(moments, rows=EXACT):
    less = rows - rows.mean(0)
    assert moments.n == len(rows)
    np.testing.assert_allclose(moments.mean, rows.mean(0), rtol=1e-13)
    scale = np.sqrt(np.outer((less**2).sum(0), (less**2).sum(0)))
    expected = less.T @ less
    assert np.abs((moments.m2 - expected) / scale).max() < 1e-9


@pytest.mark.parametrize(
    "cuts", [[], [1], [8_999], [0, 0, 4_096], [1, 2, 3, 5_000], range(64, 9_000, 64)]
)
def test_chunks_in_any_order_give_the_moments_of_all_rows(cuts):
    parts = np.split(X, list(cuts))
    gathered = Moments.of(parts[0])
    for part in parts[1:]:
        gathered = gathered.update(part)
    check(gathered)
    backwards = Moments.of(X[:0])
    for part in reversed(parts):
        backwards = Moments.of(part).merge(backwards)
    check(backwards)


def test_features_one_by_one_have_the_moments_of_all_rows():
    mean, variances = feature_moments(X)
    np.testing.assert_allclose(mean, EXACT.mean(0), rtol=1e-13)
    np.testing.assert_allclose(variances, EXACT.var(0), rtol=1e-9)


def test_sorted_rows_far_from_zero_lose_no_digits():
    rows = np.sort(RNG.normal(size=(5_000, 2)), axis=0) + 1e6
    gathered = Moments.of(rows[:0])
    for part in np.split(rows, 50):
        gathered = gathered.update(part)
    for moments in (gathered, Moments.of(rows)):
        np.testing.assert_allclose(moments.covariance, np.cov(rows.T), rtol=1e-9)
        np.testing.assert_allclose(moments.variances, rows.var(0), rtol=1e-9)
        np.testing.assert_allclose(moments.about_zero, rows.T @ rows, rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-18, 1.0, 1e18])
@pytest.mark.parametrize("offset", [0.0, 3.0, 1e5])
def test_products_in_float32_are_close_at_any_scale(scale, offset):
    rng = np.random.default_rng(4)
    x = ((rng.normal(size=(9000, 6)) * [3, 2, 1, 1, 1, 0.1] + offset) * scale).astype(np.float32)
    found, exact = Moments.of(x, in_float32=True), x.astype(np.float64)
    expected = np.cov(exact.T)
    assert found.mean == pytest.approx(exact.mean(axis=0), rel=1e-12, abs=1e-6 * scale)
    assert np.abs(found.covariance - expected).max() < 1e-5 * expected.max()


def test_an_affine_map_maps_the_moments():
    matrix, offset = RNG.normal(size=(6, 4)), RNG.normal(size=4)
    check(Moments.of(X).mapped(matrix, offset), EXACT @ matrix + offset)


def test_a_mapped_file_is_read_and_let_go_of_and_stays_as_it_was(tmp_path):
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    check(Moments.of(mapped[1_000:]), EXACT[1_000:])
    np.testing.assert_array_equal(mapped, X)
    changed = np.load(tmp_path / "x.npy", mmap_mode="c")
    changed[:, 0] += 1  # the change is in no file, so its pages must be kept
    assert [blocks.is_mapped(x) for x in (mapped.T, changed, X)] == [True, False, False]
    check(Moments.of(changed), changed.astype(np.float64))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Moments.of(X[0]), "shape"),
        (lambda: Moments.of(X * np.nan), "finite"),
        (lambda: Moments.of(X).update([[np.inf] * 6]), "finite"),
        (lambda: Moments.of([[1e300], [-1e300]]), "too large"),
        (lambda: feature_moments(np.array([[1e300], [-1e300]])), "too large"),
        (lambda: Moments.of(X).merge(Moments.of(X[:, :5])), "cannot be merged"),
        (lambda: Moments.of(X[:1]).covariance, "at least 2 rows"),
        (lambda: Moments(2, np.zeros(3), np.zeros((3, 2))), "expected n"),
        (lambda: Moments(2, np.array(["a"]), np.zeros(1)), "mean must be an array of numbers"),
        (lambda: Moments(2, np.zeros(1), np.array([None])), "m2 must be an array of numbers"),
    ],
)  # fmt: skip
def test_what_has_no_moments_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.mark.parametrize(("n", "k"), [(5, 0), (300, 0), (5, 2), (5, 5), (5, 9), (300, 299)])
def test_of_few_features_or_for_most_directions_they_are_the_first_of_all(n, k):
    matrix = decomposed("a power law")[0][:n, :n]
    values, directions = linalg.principal_directions(matrix)
    found = linalg.leading_directions(matrix, k)
    np.testing.assert_array_equal(found[0], values[:k])
    np.testing.assert_array_equal(found[1], directions[:, :k])
