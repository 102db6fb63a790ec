"""Measures of a cloud against definitions, known clouds and published algorithms."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.special import ive, loggamma
from scipy.stats import skew

from bertflow_core.analysis.isotropy import (
    alignment,
    coordinate_share,
    directions,
    effective_rank,
    hubness,
    is_one_point,
    iso_score,
    mean_cosine,
    mean_share,
    partition_isotropy,
    permuted_cosine,
    positive_pairs,
    top_share,
    two_nn,
    uniformity,
)
from bertflow_core.analysis.neighbours import knn
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.moments import singular_values
from bertflow_core.evaluation import cosine_matrix, random_pair_cosine

RNG = np.random.default_rng(0)
POINT = np.tile(RNG.normal(size=7), (5, 1))
NEIGHBOURS = RNG.integers(0, 300, size=(500, 6))


def cloud(variances, n=400):
    """Points whose covariance is exactly diagonal with these variances."""
    d = len(variances)
    rows = RNG.normal(size=(n, d))
    rows = np.linalg.qr(rows - rows.mean(0))[0]
    return rows * np.sqrt(variances)


@pytest.mark.parametrize(
    ("measure", "rows", "expected"),
    [
        *((iso_score, each, None) for each in (RNG.normal(size=(9, 1)), np.ones((9, 3)),
                                               np.full((7, 3), 0.1))),
        (mean_cosine, np.arange(1, 9)[:, None] * [2.0, 1.0], 1),
        (mean_cosine, [[1.0, 0], [-3.0, 0]], -1),
        (mean_cosine, np.eye(4), 0),
        (mean_cosine, [[1.0, 0], [1.0, 0], [0, 0]], 1 / 3),
        (partition_isotropy, np.vstack([np.eye(5), -np.eye(5)]), 1),
        (partition_isotropy, np.ones((9, 4)), np.exp(-2)),
        (partition_isotropy, np.zeros((9, 4)), None),
        # Points at 1 and -1 on a line: cosh 1 along it, 1 across it.
        (partition_isotropy, [[1.0, 0], [-1.0, 0]], 1 / np.cosh(1)),
        # Rows that differ only by rounding are one point.
        (is_one_point, (POINT + 1e-7 * RNG.normal(size=(5, 7))).astype(np.float32), True),
        (is_one_point, POINT + 1e-3 * RNG.normal(size=(5, 7)), False),
        (effective_rank, [2.0, 1.0, 1.0], 2**1.5),  # of variances, whose entropy is 1.5 log 2
        (top_share, [2.0, 1.0, 1.0], 0.5),
        (mean_share, [[3.0, 0], [-1.0, 0]], 0.5),  # a mean of 1, and a mean norm of 2
        (mean_share, np.outer(np.arange(1.0, 9), [3.0, 4.0]), 1),
        (mean_share, np.zeros((9, 4)), None),
        (coordinate_share, [[3.0, 1.0, 0], [-1.0, 1.0, 2.0]], 10 / 16),
        (coordinate_share, np.eye(4), 1 / 4),
        (coordinate_share, np.zeros((9, 4)), None),
        (uniformity, [[1.0, 0], [-2.0, 0]], -8),
        (two_nn, np.zeros((50, 8)), None),
        (two_nn, np.ones((50, 8)), None),
        (hubness, np.zeros((4, 1), int), 2 / np.sqrt(3)),  # chosen 4, 0, 0, 0 times
        (hubness, [[0, 1, 2]] * 4, -2 / np.sqrt(3)),  # 4, 4, 4, 0
        (hubness, [[1, 2], [0, 2], [0, 1], [0, 2]], skew([3, 2, 3, 0])),
        (hubness, np.arange(9)[:, None], None),
        (hubness, NEIGHBOURS, skew(np.bincount(NEIGHBOURS.ravel(), minlength=500))),
    ],
)  # fmt: skip
def test_worked_by_hand(measure, rows, expected):
    assert measure(np.array(rows)) == pytest.approx(expected)


@pytest.mark.parametrize("k", range(1, 11))
def test_k_of_d_equal_dimensions_score_their_share(k):
    """(k - 1) / (D - 1), the paper's reading of the score."""
    variances = np.repeat([1.0, 0.0], [k, 10 - k])
    assert iso_score(cloud(variances)) == pytest.approx((k - 1) / 9, abs=1e-9)
    assert effective_rank(variances) == pytest.approx(k)
    assert top_share(variances) == pytest.approx(1 / k)


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
    # By hand: variances 4, 1, 1, 0 use 36 / 18 = 2 of 4 dimensions.
    assert iso_score(cloud(np.array([4.0, 1.0, 1.0, 0.0]))) == pytest.approx(1 / 3, abs=1e-12)


def test_mean_scale_and_rotation_do_not_matter_to_what_varies():
    x = cloud(np.array([5.0, 3.0, 1.0, 0.5, 0.1]))
    turn = np.linalg.qr(RNG.normal(size=(5, 5)))[0]
    expected = iso_score(x)
    for changed in (x + 100, x * 1e-200, x * 1e200, x @ turn, (3 * x + 7) @ turn):
        assert iso_score(changed) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_the_mean_cosine_is_that_of_all_pairs_of_different_rows(shift):
    x = RNG.normal(size=(60, 5)) + shift
    cosines = cosine_matrix(x, x)
    expected = cosines[~np.eye(60, dtype=bool)].mean()
    assert mean_cosine(x) == pytest.approx(expected, abs=1e-12)
    drawn = random_pair_cosine(x, n_pairs=200_000)
    assert drawn == pytest.approx(expected, abs=0.01)


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


@pytest.mark.parametrize("shift", [0.0, 0.3, 4.0])
def test_partition_isotropy_is_its_definition(shift):
    """Here without logarithms."""
    x = RNG.normal(size=(80, 6)) @ RNG.normal(size=(6, 6)) + shift
    scaled = x / np.sqrt(np.square(x).sum(1).mean())
    axes = np.linalg.svd(scaled)[2]
    values = np.exp(scaled @ np.vstack([axes, -axes]).T).sum(0)
    expected = values.min() / values.max()
    assert partition_isotropy(x) == pytest.approx(expected, rel=1e-9)
    assert partition_isotropy(x * 1e150) == pytest.approx(expected, rel=1e-9)


def test_singular_values_are_those_of_the_centred_rows():
    x = RNG.normal(size=(50, 8)) @ RNG.normal(size=(8, 8)) + 9
    expected = np.linalg.svd(x - x.mean(0), compute_uv=False) / np.sqrt(49)
    result = singular_values(x)
    np.testing.assert_allclose(result, expected, rtol=1e-9)
    np.testing.assert_allclose(result**2, np.linalg.eigvalsh(np.cov(x.T))[::-1], rtol=1e-9)


def test_pairs_are_positive_from_four_fifths_of_their_scale():
    gold = np.array([0.0, 3.99, 4.0, 4.2, 5.0])
    np.testing.assert_array_equal(positive_pairs(gold, (0, 5)), [False, False, True, True, True])
    assert positive_pairs(np.array([4.8]), (0, 6)).all()  # 0.8 times 6 is rounded above 4.8
    # From 1 to 5, as SICK is scored, that is 4.2.
    np.testing.assert_array_equal(positive_pairs(gold, (1, 5)), [False, False, False, True, True])


def test_alignment_is_two_less_two_cosines():
    a, b = RNG.normal(size=(2, 30, 6)) + 0.5
    cosines = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert alignment(a, b) == pytest.approx(2 - 2 * cosines.mean())
    assert alignment(3 * a, b / 7) == pytest.approx(alignment(a, b))
    assert alignment(a, 2 * a) == pytest.approx(0)
    assert alignment(a, -a) == pytest.approx(4)
    assert alignment(a[:0], b[:0]) is None


def test_uniformity_is_over_all_pairs_of_unit_vectors_and_of_a_gaussian_that_of_the_sphere():
    x = RNG.normal(size=(1500, 4)) + 0.3
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    expected = np.log(np.exp(-2 * pdist(unit) ** 2).mean())
    assert uniformity(x) == pytest.approx(expected, abs=1e-9)
    assert uniformity(9 * x) == pytest.approx(expected, abs=1e-9)
    # E exp(4 u.v) over the sphere is Gamma(D/2) (2/4)^(D/2 - 1) I_{D/2 - 1}(4), less 4.
    for d, order in ((3, 1 / 2), (50, 24)):
        log_bessel = np.log(ive(order, 4)) + 4
        expected = -4 + loggamma(d / 2) + order * np.log(2 / 4) + log_bessel
        assert uniformity(RNG.normal(size=(2000, d))) == pytest.approx(expected, abs=0.01)


def ideal(d, n=4000, k=8):
    """Distances as a uniform density in d dimensions gives them: T_j^d are a Poisson process."""
    return np.cumsum(RNG.exponential(size=(n, k)), axis=1) ** (1 / d)


def test_two_nn_is_the_dimension_of_a_uniform_density_at_any_scale_in_any_space():
    for d in (1, 3, 20):
        assert two_nn(ideal(d)) == pytest.approx(d, rel=0.05)
    flat = RNG.uniform(size=(1500, 2))
    turn = np.linalg.qr(RNG.normal(size=(10, 10)))[0][:2]
    result = two_nn(knn(flat, 8)[0])
    assert result == pytest.approx(2, rel=0.1)
    assert two_nn(knn(50 * flat @ turn + 3, 8)[0]) == pytest.approx(result, rel=1e-3)


def test_two_nn_is_the_slope_through_the_origin_without_rows_that_equal_another():
    distances = ideal(4, n=100, k=2)
    mu = np.sort(distances[:, 1] / distances[:, 0])[:90]
    heights = -np.log(1 - np.arange(1, 91) / 100)
    slope = np.linalg.lstsq(np.log(mu)[:, None], heights, rcond=None)[0][0]
    assert two_nn(distances) == pytest.approx(slope)
    distances = ideal(3, n=200)
    doubled = np.vstack([np.zeros((50, 8)), distances])
    assert two_nn(doubled) == pytest.approx(two_nn(distances))
    assert two_nn(distances[:9]) is None and two_nn(distances[:10]) is not None


def cone(angle, n=720, d=6):
    """Return vectors at one angle, in degrees, to an axis of d dimensions, evenly around it."""
    around = np.radians(np.arange(n) * 360 / n)
    x = np.zeros((n, d))
    x[:, 4] = np.cos(np.radians(angle))
    x[:, 1], x[:, 2] = (np.sin(np.radians(angle)) * f(around) for f in (np.cos, np.sin))
    return x * np.linspace(0.5, 9, n)[:, None]  # lengths do not count


@pytest.mark.parametrize("angle", [5, 40, 85])
def test_a_made_cone_has_its_own_angle(angle):
    found, unit = directions(cone(angle)), unit_rows(cone(angle))
    assert found.mean_length**2 == pytest.approx((unit @ unit.T).mean())
    assert found.angles == pytest.approx(np.full(720, angle), abs=1e-6)
    assert found.mean_length == pytest.approx(np.cos(np.radians(angle)))
    steps = np.diff(np.unwrap(np.radians(found.azimuths)))
    assert np.abs(steps) == pytest.approx(np.full(719, 2 * np.pi / 720), abs=1e-6)
    assert abs(steps.sum()) == pytest.approx(2 * np.pi, rel=0.01)  # one way around
