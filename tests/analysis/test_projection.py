"""Projections against numpy's SVD and scikit-learn's PCA."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from bertflow_core import linalg
from bertflow_core.analysis import projection
from bertflow_core.analysis.projection import Method, project
from bertflow_core.errors import InputError

RNG = np.random.default_rng(3)
X = (RNG.normal(size=(300, 6)) @ RNG.normal(size=(6, 12)) + 4 * RNG.normal(size=12)).astype("f4")


@pytest.mark.parametrize("dims", [2, 3])
def test_pca_is_that_of_scikit_learn_signs_included(dims):
    result, expected = project(X, "pca", dims), PCA(dims, svd_solver="full")
    coordinates = expected.fit_transform(X.astype(np.float64))
    assert result.method is Method.PCA
    assert result.coordinates.dtype == np.float32
    np.testing.assert_allclose(result.coordinates, coordinates, rtol=0, atol=1e-4)
    np.testing.assert_allclose(result.explained, expected.explained_variance_ratio_, rtol=1e-6)


@pytest.mark.parametrize("dims", [2, 3])
def test_svd_is_that_of_numpy_without_a_mean_taken_away(dims):
    result = project(X, "svd", dims)
    _, s, vt = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    signs = np.sign(vt[np.arange(dims), np.abs(vt[:dims]).argmax(axis=1)])
    expected = X @ (vt[:dims] * signs[:, None]).T
    np.testing.assert_allclose(result.coordinates, expected, rtol=0, atol=1e-4)
    np.testing.assert_allclose(result.explained, (s**2 / (s**2).sum())[:dims], rtol=1e-6)


def test_the_first_svd_axis_shows_the_cone_and_pca_does_not():
    cone = np.array([30.0, 0, 0]) + RNG.normal(size=(200, 3))
    assert (project(cone, "svd").coordinates[:, 0] > 25).all()
    assert abs(project(cone, "pca").coordinates[:, 0].mean()) < 1e-4


def test_a_far_cone_costs_no_digits():
    x = RNG.normal(size=(400, 3)) * [3, 2, 1]
    near, far = project(x), project(x + 1e6)
    np.testing.assert_allclose(far.coordinates, near.coordinates, rtol=0, atol=1e-4)


def test_blocks_change_nothing(monkeypatch):
    whole = project(X)
    for module in (linalg, projection):
        monkeypatch.setattr(module, "_ROWS_AT_ONCE", 7)
    parts = project(X)
    np.testing.assert_allclose(parts.coordinates, whole.coordinates, rtol=0, atol=1e-5)
    assert parts.explained == pytest.approx(whole.explained)


def test_input_is_left_as_it_was():
    x = X.copy()
    project(x)
    assert (x == X).all()


@pytest.mark.parametrize("method", ["pca", "svd"])
def test_axes_that_a_cloud_lacks_are_zero(method):
    line = np.outer(np.arange(5.0), [3, 4])
    result = project(line, method, 3)
    expected = 5 * (np.arange(5) - (2 if method == "pca" else 0))
    np.testing.assert_allclose(result.coordinates[:, 0], expected, atol=1e-5)
    assert not result.coordinates[:, 1:].any()
    assert result.explained == pytest.approx((1, 0, 0))


@pytest.mark.parametrize("value", [0.0, 0.1, 1e4])
def test_one_point_lies_at_the_origin_of_pca(value):
    result = project(np.full((50, 8), value, np.float32))
    assert not result.coordinates.any()
    assert result.explained == (0.0, 0.0)


@pytest.mark.parametrize(
    ("x", "method", "dims", "words"),
    [
        (X[0], "pca", 2, "N >= 2"),
        (X[:1], "pca", 2, "N >= 2"),
        (np.full((3, 2), np.nan), "svd", 2, "finite"),
        (X, "umap", 2, "expected pca or svd"),
        (X, "pca", 4, "2 or 3"),
        (X, "pca", 2.0, "2 or 3"),
    ],
)
def test_bad_input_is_refused(x, method, dims, words):
    with pytest.raises(InputError, match=words):
        project(x, method, dims)
