import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.special import ive, loggamma

from bertflow_core.analysis.alignment import alignment, positive_pairs, uniformity
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)


def test_pairs_are_positive_from_four_fifths_of_their_scale():
    gold = np.array([0.0, 3.99, 4.0, 4.2, 5.0])
    np.testing.assert_array_equal(positive_pairs(gold, (0, 5)), [False, False, True, True, True])
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
    with pytest.raises(InputError, match="one shape"):
        alignment(a, b[1:])


def test_uniformity_is_over_all_pairs_of_unit_vectors():
    x = RNG.normal(size=(1500, 4)) + 0.3
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    expected = np.log(np.exp(-2 * pdist(unit) ** 2).mean())
    assert uniformity(x) == pytest.approx(expected, abs=1e-9)
    assert uniformity(9 * x) == pytest.approx(expected, abs=1e-9)


def test_uniformity_of_known_clouds():
    assert uniformity(np.arange(1, 6)[:, None] * np.ones(3)) == pytest.approx(0)
    assert uniformity(np.array([[1.0, 0], [-2.0, 0]])) == pytest.approx(-8)
    assert uniformity(np.eye(5)) == pytest.approx(-4)


@pytest.mark.parametrize("d", [3, 50])
def test_uniformity_of_an_isotropic_gaussian_is_that_of_the_sphere(d):
    """E exp(4 u.v) over the sphere is Gamma(D/2) (2/4)^(D/2 - 1) I_{D/2 - 1}(4), less 4."""
    order = d / 2 - 1
    log_bessel = np.log(ive(order, 4)) + 4
    expected = -4 + loggamma(d / 2) + order * np.log(2 / 4) + log_bessel
    assert uniformity(RNG.normal(size=(2000, d))) == pytest.approx(expected, abs=0.01)
