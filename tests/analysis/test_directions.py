"""Directions around the mean, against vectors whose angles were chosen."""

import numpy as np
import pytest

from bertflow_core.analysis.directions import directions
from bertflow_core.errors import InputError


def cone(angle, n=720, d=6):
    """Return vectors at one angle, in degrees, to an axis of d dimensions, evenly around it."""
    around = np.radians(np.arange(n) * 360 / n)
    x = np.zeros((n, d))
    x[:, 4] = np.cos(np.radians(angle))
    x[:, 1], x[:, 2] = (np.sin(np.radians(angle)) * f(around) for f in (np.cos, np.sin))
    return x * np.linspace(0.5, 9, n)[:, None]  # lengths do not count


@pytest.mark.parametrize("angle", [5, 40, 85])
def test_a_made_cone_has_its_own_angle(angle):
    found = directions(cone(angle))
    assert found.angles == pytest.approx(np.full(720, angle), abs=1e-6)
    assert found.mean_length == pytest.approx(np.cos(np.radians(angle)))
    steps = np.diff(np.unwrap(np.radians(found.azimuths)))
    assert np.abs(steps) == pytest.approx(np.full(719, 2 * np.pi / 720), abs=1e-6)
    assert abs(steps.sum()) == pytest.approx(2 * np.pi, rel=0.01)  # one way around


def test_the_squared_length_is_the_mean_cosine_of_all_pairs():
    x = np.random.default_rng(0).normal(1, 1, (40, 5))
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    assert directions(x).mean_length ** 2 == pytest.approx((unit @ unit.T).mean())


@pytest.mark.parametrize(
    "x",
    [np.ones((5, 2)), np.eye(4)[:1], np.vstack([np.eye(3), np.zeros(3)]), [[1, 0, 0], [-1, 0, 0]]],
)
def test_what_has_no_directions_is_refused(x):
    with pytest.raises(InputError):
        directions(np.asarray(x, float))
