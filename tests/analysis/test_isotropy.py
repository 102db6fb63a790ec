import numpy as np
import pytest

from bertflow_core.analysis.isotropy import iso_score
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)


def cloud(variances, n=400):
    """Points whose covariance is exactly diagonal with these variances."""
    d = len(variances)
    rows = RNG.normal(size=(n, d))
    rows = np.linalg.qr(rows - rows.mean(0))[0]
    return rows * np.sqrt(variances)


@pytest.mark.parametrize("d", [2, 7, 40])
def test_equal_variances_score_one_and_a_line_scores_nought(d):
    assert iso_score(cloud(np.ones(d))) == pytest.approx(1, abs=1e-9)
    assert iso_score(np.outer(RNG.normal(size=50), RNG.normal(size=d))) == pytest.approx(
        0, abs=1e-9
    )


@pytest.mark.parametrize("k", range(1, 11))
def test_k_of_d_equal_dimensions_score_their_share(k):
    """(k - 1) / (D - 1), the paper's reading of the score."""
    found = iso_score(cloud(np.repeat([1.0, 0.0], [k, 10 - k])))
    assert found == pytest.approx((k - 1) / 9, abs=1e-9)


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
