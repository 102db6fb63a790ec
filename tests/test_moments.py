"""Moments of chunks against numpy's of all rows, and what they refuse."""

import numpy as np
import pytest

from bertflow_core.errors import InputError
from bertflow_core.linalg import is_mapped
from bertflow_core.moments import Moments, feature_moments

RNG = np.random.default_rng(0)
X = (RNG.normal(size=(9_000, 6)) * [1, 2, 3, 1e-3, 50, 1] + 100).astype(np.float32)
EXACT = X.astype(np.float64)


def check(moments, rows=EXACT):
    less = rows - rows.mean(0)
    assert moments.n == len(rows)
    np.testing.assert_allclose(moments.mean, rows.mean(0), rtol=1e-13)
    scale = np.sqrt(np.outer((less**2).sum(0), (less**2).sum(0)))
    expected = less.T @ less
    assert np.abs((moments.m2 - expected) / scale).max() < 1e-9


@pytest.mark.parametrize(
    "cuts", [[], [1], [8_999], [0, 0, 4_000], [1, 2, 3, 5_000], range(64, 9_000, 64)]
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
    with pytest.raises(InputError, match="too large"):
        feature_moments(np.full((2, 2), 1e300) * [[1], [-1]])


def test_sorted_rows_far_from_zero_lose_no_digits():
    rows = np.sort(RNG.normal(size=(5_000, 2)), axis=0) + 1e6
    moments = Moments.of(rows[:0])
    for part in np.split(rows, 50):
        moments = moments.update(part)
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
    changed[:, 0] += 1  # is in no file, so that it must not be let go of
    assert [is_mapped(mapped.T), is_mapped(changed), is_mapped(X)] == [True, False, False]
    check(Moments.of(changed), changed.astype(np.float64))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Moments.of(X[0]), "shape"),
        (lambda: Moments.of(X * np.nan), "finite"),
        (lambda: Moments.of(X).update([[np.inf] * 6]), "finite"),
        (lambda: Moments.of(np.full((2, 2), 1e300) * [[1], [-1]]), "too large"),
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
