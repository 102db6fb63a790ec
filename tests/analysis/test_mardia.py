import numpy as np
import pytest
from scipy.stats import kurtosis, skew

from bertflow_core.analysis.mardia import mardia

RNG = np.random.default_rng(0)


def definition(x):
    """Mardia's b1 and b2, row by row."""
    less = x - x.mean(0)
    inverse = np.linalg.inv(np.cov(x.T, bias=True).reshape(x.shape[1], -1))
    products = less @ inverse @ less.T
    return (products**3).mean(), (np.diag(products) ** 2).mean()


def test_they_are_their_definitions():
    x = RNG.gamma(2.0, size=(1200, 4)) @ RNG.normal(size=(4, 4)) + 5
    result = mardia(x)
    assert (result.skewness, result.kurtosis) == pytest.approx(definition(x))
    assert (result.n_rows, result.rank) == (1200, 4)
    turned = mardia(x @ RNG.normal(size=(4, 4)) - 3)
    assert (turned.skewness, turned.kurtosis) == pytest.approx((result.skewness, result.kurtosis))


def test_in_one_dimension_they_are_skewness_squared_and_kurtosis():
    x = RNG.gamma(1.5, size=(300, 1))
    result = mardia(x)
    assert result.skewness == pytest.approx(skew(x[:, 0]) ** 2)
    assert result.kurtosis == pytest.approx(kurtosis(x[:, 0], fisher=False))
    few = mardia(x[:12])  # of the kurtosis of 12 rows, by Fisher's formulas
    assert few.kurtosis_expected == pytest.approx(3 * 11 / 13)
    assert few.kurtosis_sd**2 == pytest.approx(24 * 12 * 10 * 9 / (13**2 * 15 * 17))


@pytest.mark.parametrize(("n", "d"), [(30, 3), (60, 20)])
def test_gaussian_rows_have_what_is_expected_of_them(n, d):
    result = [mardia(RNG.normal(size=(n, d))) for _ in range(1500)]
    skewness, kurtoses = (
        np.array([getattr(m, k) for m in result]) for k in ("skewness", "kurtosis")
    )
    first = result[0]
    error = skewness.std() / np.sqrt(1500)
    assert skewness.mean() == pytest.approx(first.skewness_expected, abs=4 * error)
    error = kurtoses.std() / np.sqrt(1500)
    assert kurtoses.mean() == pytest.approx(first.kurtosis_expected, abs=4 * error)
    assert kurtoses.std() == pytest.approx(first.kurtosis_sd, rel=0.1)


def test_heavy_tails_and_light_ones_fall_to_either_side():
    heavy, light = RNG.laplace(size=(2000, 5)), RNG.uniform(size=(2000, 5))
    for x, sign in ((heavy, 1), (light, -1)):
        result = mardia(x)
        assert sign * (result.kurtosis - result.kurtosis_expected) > 5 * result.kurtosis_sd


def test_directions_without_variance_do_not_count():
    x = RNG.normal(size=(200, 3))
    flat = np.hstack([x, x @ RNG.normal(size=(3, 4))])
    assert mardia(flat).rank == 3
    assert mardia(flat).kurtosis == pytest.approx(mardia(x).kurtosis)


def test_it_is_undefined_where_rows_fix_no_covariance():
    assert mardia(RNG.normal(size=(10, 10))) is None
    assert mardia(RNG.normal(size=(10, 9))) is None
    assert mardia(RNG.normal(size=(12, 10))) is not None
    assert mardia(np.zeros((10, 2))) is None
