import numpy as np
import pytest

from bertflow_core.analysis.isotropy import (
    expected_iso_score,
    is_one_point,
    iso_score,
    mean_cosine,
    partition_isotropy,
    permuted_cosine,
)
from bertflow_core.errors import InputError
from bertflow_core.evaluation import cosine_matrix, random_pair_cosine

RNG = np.random.default_rng(0)


def cloud(variances, n=400):
    """Points whose covariance is exactly diagonal with these variances."""
    d = len(variances)
    rows = RNG.normal(size=(n, d))
    rows = np.linalg.qr(rows - rows.mean(0))[0]
    return rows * np.sqrt(variances)


@pytest.mark.parametrize("d", [2, 7, 40])
def test_equal_variances_score_one_and_a_line_scores_zero(d):
    assert iso_score(cloud(np.ones(d))) == pytest.approx(1, abs=1e-9)
    assert iso_score(np.outer(RNG.normal(size=50), RNG.normal(size=d))) == pytest.approx(
        0, abs=1e-9
    )


@pytest.mark.parametrize("k", range(1, 11))
def test_k_of_d_equal_dimensions_score_their_share(k):
    """(k - 1) / (D - 1), the paper's reading of the score."""
    result = iso_score(cloud(np.repeat([1.0, 0.0], [k, 10 - k])))
    assert result == pytest.approx((k - 1) / 9, abs=1e-9)


def algorithm_1(x):
    """The steps of Rudman et al. (2022), as they print them."""
    variances = np.linalg.svd(np.cov(x.T), compute_uv=False)
    d = len(variances)
    normed = np.sqrt(d) * variances / np.linalg.norm(variances)
    defect = np.linalg.norm(normed - 1) / np.sqrt(2 * (d - np.sqrt(d)))
    return ((d - defect**2 * (d - np.sqrt(d))) ** 2 - d) / (d * (d - 1))


@pytest.mark.parametrize("d", [2, 3, 11, 30])
def test_it_is_the_papers_algorithm(d):
    for n in (5, 300):
        x = RNG.normal(size=(n, d)) @ RNG.normal(size=(d, d)) + 3
        assert iso_score(x) == pytest.approx(algorithm_1(x), abs=1e-9)


def test_a_hand_computed_value():
    """Variances 4, 1, 1, 0 use 36 / 18 = 2 of 4 dimensions."""
    x = cloud(np.array([4.0, 1.0, 1.0, 0.0]))
    assert iso_score(x) == pytest.approx(1 / 3, abs=1e-12)
    assert algorithm_1(x) == pytest.approx(1 / 3, abs=1e-12)


@pytest.mark.parametrize(("n", "d"), [(40, 10), (200, 2), (60, 90)])
def test_the_expected_score_of_gaussian_rows_is_the_mean_of_many_draws(n, d):
    rng = np.random.default_rng(0)
    drawn = [iso_score(rng.normal(size=(n, d))) for _ in range(400)]
    assert expected_iso_score(n, d) == pytest.approx(np.mean(drawn), abs=0.006)
    assert expected_iso_score(10**9, d) == pytest.approx(1, abs=1e-6)
    assert expected_iso_score(n, 1) is None


def test_mean_scale_and_rotation_do_not_matter():
    x = cloud(np.array([5.0, 3.0, 1.0, 0.5, 0.1]))
    turn = np.linalg.qr(RNG.normal(size=(5, 5)))[0]
    expected = iso_score(x)
    for changed in (x + 100, x * 1e-200, x * 1e200, x @ turn, (3 * x + 7) @ turn):
        assert iso_score(changed) == pytest.approx(expected, abs=1e-7)


def test_it_is_undefined_for_one_feature_and_for_equal_rows():
    assert iso_score(RNG.normal(size=(9, 1))) is None
    assert iso_score(np.ones((9, 3))) is None
    assert iso_score(np.full((7, 3), 0.1)) is None


@pytest.mark.parametrize("x", [np.ones(3), np.ones((1, 3)), np.array([[1.0, np.nan], [0, 1]])])
def test_what_is_no_cloud_is_refused(x):
    with pytest.raises(InputError, match="finite embeddings"):
        iso_score(x)


@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_the_mean_cosine_is_that_of_all_pairs_of_different_rows(shift):
    x = RNG.normal(size=(60, 5)) + shift
    cosines = cosine_matrix(x, x)
    expected = cosines[~np.eye(60, dtype=bool)].mean()
    assert mean_cosine(x) == pytest.approx(expected, abs=1e-12)
    drawn = random_pair_cosine(x, n_pairs=200_000)
    assert drawn == pytest.approx(expected, abs=0.01)


def test_the_mean_cosine_of_known_clouds():
    line = np.array([[2.0, 1.0]])
    assert mean_cosine(np.arange(1, 9)[:, None] * line) == pytest.approx(1)
    assert mean_cosine(np.array([[1.0, 0], [-3.0, 0]])) == pytest.approx(-1)
    assert mean_cosine(np.eye(4)) == pytest.approx(0)
    assert mean_cosine(np.array([[1.0, 0], [1.0, 0], [0, 0]])) == pytest.approx(1 / 3)


def test_permuting_keeps_what_features_do_alone_and_loses_what_ties_them():
    """Two bundles of rows, far apart on every feature at once, and centred."""
    sign = np.where(np.arange(400) % 2, 1.0, -1.0)[:, None]
    tied = np.repeat(sign, 50, axis=1)
    assert mean_cosine(tied) == pytest.approx(-1 / 399)
    cone = tied + 5
    kept = cone.copy()
    # Permuted: features are independent with mean 5 and variance 1, so cosines are 25 / 26.
    assert permuted_cosine(cone) == pytest.approx(25 / 26, abs=0.002)
    # As they are: rows of 6 or of 4, all in one direction.
    assert mean_cosine(cone) == pytest.approx(1)
    np.testing.assert_array_equal(cone, kept)
    assert permuted_cosine(cone, seed=1) != permuted_cosine(cone, seed=2)


def direct_partition(x):
    """The definition, without logarithms."""
    x = x / np.sqrt(np.square(x).sum(1).mean())
    directions = np.linalg.svd(x)[2]
    values = np.exp(x @ np.vstack([directions, -directions]).T).sum(0)
    return values.min() / values.max()


@pytest.mark.parametrize("shift", [0.0, 0.3, 4.0])
def test_partition_isotropy_is_its_definition(shift):
    x = RNG.normal(size=(80, 6)) @ RNG.normal(size=(6, 6)) + shift
    assert partition_isotropy(x) == pytest.approx(direct_partition(x), rel=1e-9)
    assert partition_isotropy(x * 1e150) == pytest.approx(direct_partition(x), rel=1e-9)


def test_partition_isotropy_of_known_clouds():
    both = np.vstack([np.eye(5), -np.eye(5)])
    assert partition_isotropy(both) == pytest.approx(1)
    assert partition_isotropy(np.ones((9, 4))) == pytest.approx(np.exp(-2))
    assert partition_isotropy(np.zeros((9, 4))) is None
    # Points at 1 and -1 on a line: cosh 1 along it, 1 across it.
    line = np.array([[1.0, 0], [-1.0, 0]])
    assert partition_isotropy(line) == pytest.approx(1 / np.cosh(1))


def test_one_point_is_what_differs_by_rounding_alone():
    x = np.tile(RNG.normal(size=7), (5, 1))
    assert is_one_point(x + 1e-7 * RNG.normal(size=x.shape))
    assert not is_one_point(x + 1e-3 * RNG.normal(size=x.shape))
