import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.evaluation import cosine_matrix

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 10)) @ RNG.normal(size=(10, 10)) + 5 * RNG.normal(size=10)


def test_standardize_is_scikit_learn_s():
    z = build_calibrator("standardize").fit(X).transform(X)
    np.testing.assert_allclose(z, StandardScaler().fit_transform(X), atol=1e-12)


def test_standardize_leaves_dead_features_unscaled_and_says_so():
    x = X.copy()
    x[:, 4] = 3.0
    x[:, 5] *= 1e-8
    fitted = build_calibrator("standardize").fit(x)
    np.testing.assert_array_equal(fitted.scale_[[4, 5]], 1.0)
    np.testing.assert_array_equal(fitted.transform(x)[:, 4], 0.0)
    assert fitted.notes_ == ("2 constant features are left unscaled",)


@pytest.mark.parametrize("k", [0, 1, 4, 9])
def test_null_top_k_removes_exactly_scikit_learn_s_leading_components(k):
    z = build_calibrator(f"null-top-k:k={k}").fit(X).transform(X)
    pca = PCA(n_components=10).fit(X)
    scores = pca.transform(X)
    scores[:, :k] = 0
    np.testing.assert_allclose(z, scores @ pca.components_, atol=1e-10)


def test_whitened_covariance_is_the_identity():
    z = build_calibrator("whiten").fit(X).transform(X)
    np.testing.assert_allclose(np.cov(z.T), np.eye(10), atol=1e-9)
    np.testing.assert_allclose(z.mean(0), 0, atol=1e-10)


def test_whitening_keeps_the_leading_directions():
    z = build_calibrator("whiten:n_components=3").fit(X).transform(X)
    expected = PCA(n_components=3, whiten=True).fit_transform(X)
    np.testing.assert_allclose(np.abs(z), np.abs(expected), atol=1e-9)
    np.testing.assert_allclose(cosine_matrix(z, z), cosine_matrix(expected, expected), atol=1e-9)


def test_shrinkage_is_the_stated_formula():
    s, covariance = 0.3, np.cov(X.T)
    shrunk = (1 - s) * covariance + s * np.trace(covariance) / 10 * np.eye(10)
    z = build_calibrator("whiten:shrinkage=0.3").fit(X).transform(X)
    centred = X - X.mean(0)
    expected = centred @ np.linalg.inv(shrunk) @ centred.T  # Mahalanobis products
    np.testing.assert_allclose(z @ z.T, expected, atol=1e-8)


def test_directions_without_variance_are_dropped_and_counted():
    x = X - X.mean(1, keepdims=True)  # LayerNorm's constraint: features sum to zero
    fitted = build_calibrator("whiten").fit(x)
    z = fitted.transform(x)
    assert z.shape == (300, 9)
    np.testing.assert_allclose(np.cov(z.T), np.eye(9), atol=1e-9)
    assert fitted.notes_ == ("1 of 10 directions have no variance",)
    assert "1 of 10 directions" in fitted.why_not_invertible()
    wide = np.random.default_rng(1).normal(size=(300, 120))
    one_of_many = build_calibrator("whiten").fit(wide - wide.mean(1, keepdims=True))
    assert one_of_many.notes_ == ()  # below 1 %, nobody needs to act on it
    assert "1 of 120 directions" in one_of_many.why_not_invertible()


def test_fewer_sentences_than_features_are_reported_and_shrinkage_corrects_them():
    few = build_calibrator("whiten").fit(X[:6])
    assert few.transform(X[:6]).shape == (6, 5)
    assert any("too few for 10 variances" in note for note in few.notes_)
    shrunk = build_calibrator("whiten:shrinkage=0.5").fit(X[:6])
    assert shrunk.transform(X[:6]).shape == (6, 10)
    assert shrunk.notes_ == ()


def test_asking_for_more_directions_than_there_are_is_reported():
    fitted = build_calibrator("whiten:n_components=8").fit(X[:4])
    assert "3 of the 8 directions asked for are kept" in fitted.notes_


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("null-top-k:k=10", "^null-top-k: k must be below the number of features"),
        ("whiten:n_components=11", "^whiten: n_components must be at most"),
    ],
)
def test_more_directions_than_features_are_refused(spec, words):
    with pytest.raises(InputError, match=words):
        build_calibrator(spec).fit(X)
