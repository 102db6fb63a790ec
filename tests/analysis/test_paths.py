import numpy as np
import pytest
from scipy.spatial import geometric_slerp

from bertflow_core.analysis.paths import fractions, great_circle, straight
from bertflow_core.errors import InputError

RNG = np.random.default_rng(0)


def test_a_straight_walk_is_a_mixture_of_its_ends():
    a, b = np.array([1.0, 0, 4]), np.array([5.0, -8, 4])
    np.testing.assert_allclose(straight(a, b, 5)[1], [2, -2, 4])
    np.testing.assert_array_equal(straight(a, b, 2), [a, b])
    np.testing.assert_allclose(fractions(5), [0, 0.25, 0.5, 0.75, 1])


def test_a_quarter_turn_is_walked_at_an_even_pace():
    result = great_circle(np.array([2.0, 0]), np.array([0, 6.0]), 4)
    angles, norms = np.radians([0, 30, 60, 90]), [2, 2 + 4 / 3, 2 + 8 / 3, 6]
    expected = np.stack([norms * np.cos(angles), norms * np.sin(angles)], axis=1)
    np.testing.assert_allclose(result, expected, atol=1e-12)


def test_directions_are_those_of_scipy():
    a, b = RNG.normal(size=(2, 384))
    u, v = a / np.linalg.norm(a), b / np.linalg.norm(b)
    result = great_circle(a, b, 7)
    norms = np.linalg.norm(result, axis=1)
    expected = geometric_slerp(u, v, np.linspace(0, 1, 7))
    np.testing.assert_allclose(result / norms[:, None], expected, atol=1e-12)
    ends = np.linalg.norm([a, b], axis=1)
    np.testing.assert_allclose(norms, np.linspace(*ends, 7))
    np.testing.assert_allclose(result[[0, -1]], [a, b])


def test_nearly_equal_directions_keep_their_digits():
    a = np.array([1.0, 0.0])
    b = np.array([np.cos(1e-9), np.sin(1e-9)])
    np.testing.assert_allclose(great_circle(a, b, 3)[1], [1, 5e-10], rtol=1e-12)


def test_one_direction_has_its_straight_line():
    a = np.array([3.0, 4.0])
    np.testing.assert_allclose(great_circle(a, 3 * a, 3), [a, 2 * a, 3 * a], atol=1e-12)
    np.testing.assert_allclose(great_circle(a, a, 3), [a, a, a], atol=1e-12)


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        (([1.0, 0], [-2.0, 0]), "opposite directions"),
        (([1.0, 2, 3], [-1.0, -2, -3]), "opposite directions"),
        (([0.0, 0], [1.0, 0]), "zero vector"),
        (([1.0, 0], [1.0, 0, 0]), "one length"),
        (([1.0, np.nan], [1.0, 0]), "finite"),
    ],
)
def test_ends_that_no_circle_joins_get_a_sentence(ends, words):
    with pytest.raises(InputError, match=words):
        great_circle(*(np.array(end) for end in ends), 5)


def test_a_walk_has_two_ends():
    with pytest.raises(InputError, match="at least 2 steps"):
        straight(np.ones(2), np.zeros(2), 1)
