import mpmath
import numpy as np
import pytest
from scipy.spatial.distance import pdist

from bertflow_core.analysis.energy import (
    energy_distance,
    energy_floor,
    mean_distance_to_normal,
)

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("d", [1, 2, 16, 384, 1024])
def test_the_mean_distance_to_a_normal_is_kummers_function(d):
    for norm in (0.0, 0.5, 1.0, d**0.5, 30 * d**0.5, 300 * d**0.5):
        half = mpmath.mpf(d) / 2
        factor = mpmath.sqrt(2) * mpmath.gamma(half + 0.5) / mpmath.gamma(half)
        expected = factor * mpmath.hyp1f1(-0.5, half, -(mpmath.mpf(norm) ** 2) / 2)
        (result,) = mean_distance_to_normal(np.array([norm**2]), d)
        assert result == pytest.approx(float(expected), rel=1e-12)


def test_the_distance_is_its_definition_with_a_large_normal_sample():
    z, g = RNG.normal(1, 2, size=(700, 3)), RNG.normal(size=(2000, 3))
    to_normal = np.linalg.norm(z[:, None] - g, axis=2).mean()
    expected = 2 * to_normal - pdist(z).mean() - pdist(g).mean()
    assert energy_distance(z) == pytest.approx(expected, abs=0.05)
    assert energy_distance(z) > 1


def test_two_points_by_hand():
    """At 0 and at 1 on a line: 2 E|x - g| less 1 less 2 / sqrt(pi)."""
    expected = (0.7978845608028654 + 1.1666309411753728) - 1 - 2 / np.sqrt(np.pi)
    assert energy_distance(np.array([[0.0], [1.0]])) == pytest.approx(expected)


def test_the_mean_over_standard_normal_samples_is_zero():
    result = [energy_distance(RNG.normal(size=(50, 4))) for _ in range(200)]
    assert np.mean(result) == pytest.approx(0, abs=4 * np.std(result) / 200**0.5)


def test_the_floor_is_seldom_passed_by_a_normal_and_always_by_others():
    floor = energy_floor(300, 5)
    normal = [energy_distance(RNG.normal(size=(300, 5))) > floor for _ in range(40)]
    assert np.mean(normal) < 0.2
    for other in (
        RNG.normal(0.3, size=(300, 5)),
        RNG.normal(size=(300, 5)) * 1.3,
        RNG.normal(size=(300, 5)) * 0.7,
        RNG.standard_t(2, size=(300, 5)),
    ):
        assert energy_distance(other) > floor
    assert energy_floor(300, 5, seed=1) != floor
