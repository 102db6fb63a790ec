import numpy as np
import pytest
from scipy.stats import chi, kstest, norm

from bertflow_core.analysis.gaussianity import coordinate_quantiles, norm_quantiles, norms_test

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(3000, 12))


def test_norms_of_a_standard_normal_are_chi():
    result = norms_test(Z)
    assert result.p_value > 0.01
    assert result.mean == pytest.approx(result.mean_expected, abs=0.05)
    assert result.mean_expected == pytest.approx(3.39, abs=0.01)  # about sqrt(D - 1/2)


@pytest.mark.parametrize("scale", [0.8, 1.25])
def test_another_scale_is_seen(scale):
    result = norms_test(scale * Z)
    norms = np.linalg.norm(scale * Z, axis=1)
    expected = kstest(norms**2, "chi2", (12,))  # the squares, another way round
    assert result.statistic == pytest.approx(expected.statistic)
    assert result.p_value == pytest.approx(expected.pvalue)
    assert result.p_value < 1e-6
    assert np.sign(result.mean - result.mean_expected) == np.sign(scale - 1)


def test_quantiles_of_coordinates_lie_on_the_line_their_scale_gives():
    result = coordinate_quantiles(2 * Z + 1)
    assert result.expected.shape == result.found.shape == (200,)
    inner = np.abs(result.expected) < 2
    np.testing.assert_allclose(result.found[inner], 2 * result.expected[inner] + 1, atol=0.1)
    assert result.expected[0] == pytest.approx(norm.ppf(0.0025))
    assert (np.diff(result.found) > 0).all()


def test_quantiles_of_norms_are_against_chi():
    result = norm_quantiles(Z, n_points=99)
    np.testing.assert_allclose(result.expected, chi(12).ppf((np.arange(99) + 0.5) / 99))
    np.testing.assert_allclose(result.found[5:-5], result.expected[5:-5], atol=0.1)


def test_there_are_no_more_points_than_values():
    result = norm_quantiles(Z[:7])
    np.testing.assert_allclose(result.found, np.sort(np.linalg.norm(Z[:7], axis=1)))
