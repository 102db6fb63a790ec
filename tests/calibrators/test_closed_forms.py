"""Each closed form against numpy, scipy or scikit-learn; fits that share moments, too."""

import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power
from scipy.stats import multivariate_normal
from sklearn.covariance import LedoitWolf, ledoit_wolf_shrinkage
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from bertflow_core.arrays.moments import Moments, SharedMoments
from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.base import rank_lost, round_trip_error
from bertflow_core.calibrators.spec import Spec
from bertflow_core.errors import InputError, NothingLeftError
from bertflow_core.evaluation import cosine_matrix, pairwise_cosine

D = 10
RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, D)) @ RNG.normal(size=(D, D)) + 5 * RNG.normal(size=D)
CENTRED = X - X.mean(0)
FLAT = X - X.mean(1, keepdims=True)  # LayerNorm's constraint: features sum to zero


def fit(spec, x=X):
    return build_calibrator(spec, device="cpu").fit(x)


def softened(eps, *, share=1):
    covariance = np.cov(X.T)
    return share * covariance + eps * np.trace(covariance) / D * np.eye(D)


def test_standardize_is_scikit_learn_s_but_for_dead_features_which_it_leaves_unscaled():
    expected = StandardScaler().fit_transform(X)
    np.testing.assert_allclose(fit("standardize").transform(X), expected, atol=1e-12)
    x = X.copy()
    x[:, 4] = 3.0
    x[:, 5] = 3.0 + 1e-14 * x[:, 5]
    x[:, 6] *= 1e-8  # a small scale, not rounding
    fitted = fit("standardize", x)
    np.testing.assert_array_equal(fitted.scale_[[4, 5]], 1.0)
    z = fitted.transform(x)
    np.testing.assert_array_equal(z[:, 4], 0.0)
    np.testing.assert_allclose(z[:, 6:], StandardScaler().fit_transform(x)[:, 6:], atol=1e-9)
    assert fitted.notes_ == ("2 constant features are left unscaled",)


@pytest.mark.parametrize(
    ("name", "x", "k"),
    [
        *(("null-top-k", CENTRED, k) for k in (0, 1, 4, 9)),
        *(("all-but-the-top", CENTRED, k) for k in (1, 4)),
        *(("common-component", X, k) for k in (1, 4)),
    ],
)
def test_a_removal_is_the_svd_without_its_head(name, x, k):
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    expected = (u[:, k:] * s[k:]) @ vt[k:]
    np.testing.assert_allclose(fit(f"{name}:k={k}").transform(X), expected, atol=1e-10)


def test_the_coordinates_that_make_random_rows_alike_are_left_out_then_the_mean():
    """In a large and still coordinate, a large and restless one, and a wide one about 0."""
    rng = np.random.default_rng(3)
    x = rng.normal([0, 40, 0, 8, 0, 0], [1, 0.1, 20, 12, 1, 1], size=(200, 6))
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    apart = ~np.eye(len(x), dtype=bool)
    parts = [np.outer(column, column)[apart].mean() for column in unit.T]
    assert np.argsort(parts)[::-1][:2].tolist() == [1, 3]
    assert np.argmax(x.var(0)) == 2  # what a choice after the mean is subtracted would take
    for k, left_out in ((0, []), (1, [1]), (2, [1, 3])):
        fitted = fit(f"drop-coordinates:k={k}", x)
        rest = x.copy()
        rest[:, left_out] = 0
        np.testing.assert_allclose(fitted.transform(x), rest - rest.mean(0), atol=1e-12)
        assert rank_lost(fitted, x) == k
    new = rng.normal([50, 0, 0, 0, 0, 0], 1, size=(4, 6))  # whose own coordinate would be 0
    expected = (new - x.mean(0)) * [1, 0, 1, 0, 1, 1]
    np.testing.assert_allclose(fitted.transform(new), expected, atol=1e-12)
    with pytest.raises(InputError, match="below the number of features"):
        fit("drop-coordinates:k=6", x)
    still = np.where(np.arange(6) == 3, x, 1.0)
    with pytest.raises(NothingLeftError, match=r"below the rank of .*, 1, got 2"):
        fit("drop-coordinates:k=2", still)


def test_many_directions_are_told_apart_by_variances_that_float32_products_lose():
    rng = np.random.default_rng(2)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    spreads = 10.0 ** -np.array([0, 1, 2, 3, 4, 5, 5, 5])
    x = (rng.normal(size=(300, 8)) * spreads @ turn).astype(np.float32)
    rows = x.astype(np.float64)
    u, s, vt = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    found = fit("null-top-k:k=5", x).transform(rows)
    np.testing.assert_allclose(found, (u[:, 5:] * s[5:]) @ vt[5:], atol=1e-6)


@pytest.mark.parametrize(("d", "k"), [(2, 1), (12, 1), (149, 1), (151, 2), (384, 4), (768, 8)])
def test_all_but_the_top_takes_one_direction_in_a_hundred(d, k):
    fitted = fit("all-but-the-top", np.random.default_rng(1).normal(size=(20, d)))
    assert fitted.directions_.shape == (d, k)


def test_whitening_is_scikit_learn_s_and_its_covariance_the_identity():
    z = fit("whiten").transform(X)
    np.testing.assert_allclose(np.cov(z.T), np.eye(D), atol=1e-9)
    np.testing.assert_allclose(z.mean(0), 0, atol=1e-10)
    for spec, n in (
        ("whiten", D),
        ("whiten:n_components=3", 3),
        ("soft-whiten:rotation=pca,eps=0", D),
    ):
        z, expected = fit(spec).transform(X), PCA(n_components=n, whiten=True).fit_transform(X)
        np.testing.assert_allclose(np.abs(z), np.abs(expected), atol=1e-9)
        np.testing.assert_allclose(
            cosine_matrix(z, z), cosine_matrix(expected, expected), atol=1e-9
        )
    # A mean that float32 rounds does not move whitened rows.
    x = (1e3 + 0.1 * RNG.normal(size=(300, D))).astype(np.float32)
    fitted = fit("whiten", x)
    expected = fitted.transform(x.astype(np.float64))
    np.testing.assert_allclose(fitted.transform(x), expected, atol=3e-5)


@pytest.mark.parametrize("eps", [0, 0.01, 1])
@pytest.mark.parametrize("power", [0, 0.5, 1])
def test_zca_is_the_power_of_the_softened_covariance(eps, power):
    z = fit(f"soft-whiten:rotation=zca,eps={eps},power={power}").transform(X)
    expected = CENTRED @ fractional_matrix_power(softened(eps), -power / 2)
    np.testing.assert_allclose(z, expected, atol=1e-7)
    turned = fit(f"soft-whiten:rotation=pca,eps={eps},power={power}").transform(X)
    np.testing.assert_allclose(turned @ turned.T, z @ z.T, atol=1e-8)
    assert np.abs(turned - z).max() > 0.1
    if not power:
        np.testing.assert_allclose(z, CENTRED, atol=1e-10)


@pytest.mark.parametrize(
    ("spec", "covariance_of", "n"),
    [
        ("standardize", lambda x: np.diag(x.var(0)), 300),
        ("whiten", lambda x: np.cov(x.T), 300),
        ("whiten:shrinkage=0.3", lambda x: softened(0.3, share=0.7), 300),
        ("soft-whiten:eps=0.3,rotation=pca", lambda x: softened(0.3), 300),
        ("soft-whiten:eps=0.3,rotation=zca", lambda x: softened(0.3), 300),
        *(("ledoit-wolf", lambda x: LedoitWolf().fit(x).covariance_, n) for n in (5, 12, 40, 300)),
    ],
)
def test_products_are_mahalanobis_and_the_density_is_gaussian(spec, covariance_of, n):
    x = X[:n]
    fitted, covariance, less = fit(spec, x), covariance_of(x), x - x.mean(0)
    z = fitted.transform(x)
    np.testing.assert_allclose(z @ z.T, less @ np.linalg.inv(covariance) @ less.T, atol=1e-8)
    expected = multivariate_normal(x.mean(0), covariance).logpdf(X[:20])
    np.testing.assert_allclose(fitted.score_samples(X[:20]), expected, atol=1e-8)
    if spec == "ledoit-wolf":
        assert float(fitted.shrinkage_) == pytest.approx(ledoit_wolf_shrinkage(x), rel=1e-9)


@pytest.mark.parametrize(
    "spec", ["whiten", *(f"soft-whiten:eps=0,rotation={r}" for r in ("pca", "zca"))]
)
def test_directions_without_variance_are_dropped_and_counted(spec):
    fitted = fit(spec, FLAT)
    assert fitted.notes_ == ("1 of 10 directions have no variance",)
    assert "1 of 10 directions" in fitted.why_not_invertible()
    z = fitted.transform(FLAT)
    assert np.abs(z).max() < 10
    if spec == "whiten":
        assert z.shape == (300, 9)
        np.testing.assert_allclose(np.cov(z.T), np.eye(9), atol=1e-9)
    wide = np.random.default_rng(1).normal(size=(300, 120))
    one_of_many = fit(spec, wide - wide.mean(1, keepdims=True))
    assert one_of_many.notes_ == ()  # below 1 %, nobody needs to act on it
    assert "1 of 120 directions" in one_of_many.why_not_invertible()
    if spec != "whiten":
        kept = fit(spec.replace("eps=0", "eps=0.01"), FLAT)
        assert kept.notes_ == ()
        np.testing.assert_allclose(kept.inverse_transform(kept.transform(FLAT)), FLAT, atol=1e-9)


@pytest.mark.parametrize(
    ("spec", "n"),
    [
        ("identity", 0),
        ("null-top-k:k=3", 3),
        ("null-top-k:k=0", 0),
        ("all-but-the-top", 1),
        ("common-component:k=2", 2),
        ("drop-coordinates:k=2", 2),
        ("whiten", 0),
        ("whiten:n_components=5", 5),
        ("soft-whiten", 0),
        ("standardize+null-top-k:k=4", 4),
        ("flow", 0),
    ],
)
def test_as_many_directions_are_lost_as_are_removed(spec, n):
    fitted = fit(spec)
    error = round_trip_error(fitted, X)
    assert spec != "identity" or error == 0
    assert rank_lost(fitted, X) == n
    assert (error is None) == (n > 0)
    assert (error or 0) < (1e-5 if spec == "flow" else 1e-10)


def test_only_what_the_embeddings_had_is_lost_and_the_round_trip_is_the_worst_row_s():
    flat = FLAT.astype(np.float32)
    flat /= flat.std(1, keepdims=True)
    assert round_trip_error(fit("whiten", flat), flat) is None
    assert rank_lost(fit("whiten", flat), flat) == 0
    assert rank_lost(fit("null-top-k:k=1", flat), flat) == 1
    loud = X * np.r_[1e4, np.ones(D - 1)]  # does not hide the other directions
    assert rank_lost(fit("null-top-k:k=2", loud), loud) == 2
    assert rank_lost(fit("identity", np.ones((5, D))), np.ones((5, D))) == 0
    fitted = fit("standardize")
    fitted.inverse_transform = lambda z: fitted._inverse_transform(z) + 0.5
    lengths = np.linalg.norm(X[:256], axis=1)
    expected = 0.5 * np.sqrt(D) / lengths.min()
    for order in (np.argsort(lengths), np.argsort(-lengths)):  # the worst first, and last
        assert round_trip_error(fitted, X[:256][order]) == pytest.approx(expected, rel=1e-9)


def test_ledoit_wolf_keeps_every_direction_of_few_sentences_and_dead_features():
    x = X[:6].copy()
    x[:, 3] = 2.0
    fitted = fit("ledoit-wolf", x)
    assert fitted.transform(x).shape == (6, D)
    assert [note for note in fitted.notes_ if "few" not in note] == []
    np.testing.assert_allclose(fitted.inverse_transform(fitted.transform(x)), x, atol=1e-9)


def test_ledoit_wolf_shrinks_what_is_only_noise_all_the_way():
    x = np.random.default_rng(2).normal(size=(40, D))
    assert float(fit("ledoit-wolf", x).shrinkage_) == ledoit_wolf_shrinkage(x) == 1


MEANS = ("standardize", "null-top-k:k=2", "soft-whiten", "ledoit-wolf")


@pytest.mark.parametrize(
    ("spec", "n", "notes"),
    [
        ("whiten", 6, ("5 of 10 directions have no variance", "too few for 10 variances")),
        ("whiten:shrinkage=0.5", 6, ("6 sentences, repeated ones counted, are too few for means",)),
        ("whiten:n_components=8", 4, ("no variance", "3 of the 8 directions asked for", "too few")),
        *((spec, 7, ("too few for means and variances",)) for spec in MEANS),
        *((spec, 30, ()) for spec in (*MEANS, "identity")),
        ("identity", 2, ()),
    ],
)
def test_what_too_few_sentences_leave_open_is_noted_by_rows_and_by_moments(spec, n, notes):
    fitted = fit(spec, X[:n])
    found = fitted.notes_
    if fitted.fits_moments:
        assert build_calibrator(spec).fit_moments(Moments.of(X[:n])).notes_ == found
    assert len(found) == len(notes)
    if spec.startswith("whiten"):
        kept = D if "shrinkage" in spec else n - 1
        assert fitted.transform(X[:n]).shape == (n, kept)
    assert all(words in note for words, note in zip(notes, found, strict=True))


WIDTH = 12
FULL = RNG.normal(size=(200, WIDTH)) @ RNG.normal(size=(WIDTH, WIDTH)) + 8 * RNG.normal(size=WIDTH)


def falling():
    """Independent features whose variances fall to 1e-9 of the largest, some of them in ties."""
    rows = np.linalg.qr(RNG.normal(size=(200, WIDTH)))[0]
    rows = np.linalg.qr(rows - rows.mean(0))[0]
    variances = np.array([1.0, 1.0, 0.5, 0.5, 0.1, 2e-6, 2e-6, 1.1e-6, 0.9e-6, 5e-7, 5e-7, 1e-9])
    return rows * np.sqrt(variances) * 10 + RNG.normal(size=WIDTH)


SPACES = {  # with the number of directions in which each varies
    "full rank": (FULL, WIDTH),
    "rank 5": (RNG.normal(size=(200, 5)) @ RNG.normal(size=(5, WIDTH)) + RNG.normal(size=WIDTH), 5),
    "dead features": (np.where(np.isin(np.arange(WIDTH), (3, 7)), 2.5, FULL), 10),
    "fewer sentences than features": (FULL[:6], 5),
    "falling variances": (falling(), WIDTH),
    "float32": (FULL.astype(np.float32), WIDTH),
    "tiny": (FULL * 1e-8, WIDTH),
}
NUMBERS = [12, 1, 3, 5, 8, 9, 10, 11]
SHARES = [0.5, 0.0, 1e-7, 1e-6, 1e-3, 1.0]
SWEEPS = [
    ("null-top-k", "k", [0, 4, 1, 7, 9, 11, 2, 3, 5, 6, 8, 10]),
    *((f"whiten:shrinkage={s}", "n_components", NUMBERS) for s in (0, 0.05, 1)),
    *((f"whiten:n_components={n}", "shrinkage", SHARES) for n in ("none", 1, 8)),
    ("soft-whiten", "power", [0.0, 0.5, 1.0]),
]


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(("spec", "parameter", "values"), SWEEPS)
def test_fits_that_share_moments_are_single_fits(space, spec, parameter, values):
    x, rank = SPACES[space]
    if parameter == "k":
        values = [k for k in values if k < rank]  # beyond, only rounding is left
    shared, rows = SharedMoments(x), x[np.random.default_rng(1).integers(len(x), size=100)]
    for each in values:
        calibrator = Spec(spec).set(parameter, each)
        with shared.used():
            fitted = fit(calibrator, x)
        found, expected = (
            pairwise_cosine(*np.split(of.transform(rows), 2)) for of in (fitted, fit(calibrator, x))
        )
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_other_rows_do_not_take_shared_moments():
    with SharedMoments(X).used():
        fit("whiten")
        other = fit("whiten", X + 1)
    np.testing.assert_allclose(other.mean_, X.mean(0) + 1)


def test_a_remainder_that_is_rounding_has_no_direction_and_a_small_one_keeps_its_cosines():
    x, _ = SPACES["rank 5"]
    for k in (5, 11):
        with pytest.raises(NothingLeftError, match=f"below the rank of .*, 5, got {k}"):
            fit(f"null-top-k:k={k}", x)
    with pytest.raises(InputError, match="below the number of features"):
        fit(f"null-top-k:k={WIDTH}", x)
    # Squared lengths fall from 1e14 to 1: a difference of sums would keep two digits.
    x = RNG.normal(size=(300, WIDTH)) * np.r_[1e7, np.ones(WIDTH - 1)]
    fitted = fit("null-top-k:k=1", x)
    found = pairwise_cosine(fitted.transform(x[:100]), fitted.transform(x[100:200]))
    less = x - x.mean(0)
    leading = np.linalg.svd(less, full_matrices=False)[2][:1]
    rests = less - less @ leading.T @ leading
    np.testing.assert_allclose(found, pairwise_cosine(rests[:100], rests[100:200]), atol=1e-6)
