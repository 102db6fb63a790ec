"""Points on the plane: drawn from a seed, or by a visitor whom nobody trusts."""

import numpy as np
import pytest

from bertflow_core.errors import InputError
from bertflow_core.flows.toy import ToyShape, checked_points, draw_shape


@pytest.mark.parametrize("shape", ToyShape)
def test_a_seed_decides_the_points(shape):
    first = draw_shape(shape, 300, seed=4)
    assert first.shape == (300, 2)
    assert first.dtype == np.float32
    np.testing.assert_array_equal(first, draw_shape(str(shape), 300, seed=4))
    assert np.abs(first - draw_shape(shape, 300, seed=5)).max() > 0.1
    assert 1 < np.ptp(first, axis=0).max() < 12


def test_shapes_are_what_they_are_called():
    ring = np.linalg.norm(draw_shape("ring", 2_000, seed=0), axis=1)
    assert ring.min() > 1.0 and abs(ring.mean() - 1.8) < 0.05
    cone = draw_shape("cone", 2_000, seed=0)
    unit = cone / np.linalg.norm(cone, axis=1, keepdims=True)
    assert (unit @ unit.T).mean() > 0.9  # a high mean cosine, as embeddings have
    blobs = draw_shape("two blobs", 2_000, seed=0)
    left = blobs[:, 0] < 0
    assert 0.4 < left.mean() < 0.6
    np.testing.assert_allclose(blobs[left].mean(axis=0), [-1.4, -0.6], atol=0.1)
    moons = draw_shape("two moons", 2_000, seed=0)
    np.testing.assert_allclose(moons.mean(axis=0), [0, 0], atol=0.1)  # each is the other's image
    banana = draw_shape("banana", 2_000, seed=0)
    assert np.corrcoef(banana[:, 0] ** 2, banana[:, 1])[0, 1] > 0.8
    spiral = draw_shape("spiral", 2_000, seed=0)
    radius, angle = np.hypot(*spiral.T), np.unwrap(np.sort(np.arctan2(*spiral.T[::-1])))
    assert np.ptp(radius) > 1.5 and np.ptp(angle) > 6


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("square", 100, 0), "unknown shape"),
        (("ring", 7, 0), "expected 8 to 2,000 points, got 7"),
        (("ring", 2_001, 0), "got 2,001"),
        (("ring", 100, -1), "seed"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, word):
    shape, n, seed = options
    with pytest.raises(InputError, match=word):
        draw_shape(shape, n, seed=seed)


def test_drawn_points_are_taken_as_they_are():
    drawn = [[i / 10, (i % 3) - 1] for i in range(9)]
    found = checked_points(drawn)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, drawn, rtol=1e-6)


@pytest.mark.parametrize(
    ("points", "word"),
    [
        (None, "pairs of numbers"),
        ("points", "pairs of numbers"),
        ({"a": 1}, "pairs of numbers"),
        ([[1, 2, 3]] * 10, "pairs of numbers"),
        ([[1, 2], [3]], "pairs of numbers"),
        ([["a", "b"]] * 10, "pairs of numbers"),
        ([[10**400, 1]] * 10, "pairs of numbers"),
        ([[0, 0]] * 7, "got 7"),
        ([[0, 0]] * 2_001, "got 2,001"),
        ([[0, float("nan")]] * 10, "within"),
        ([[0, 1e9]] * 10, "within"),
        ([[0.5, i] for i in range(10)], "one line"),
    ],
)
def test_other_drawings_are_one_sentence(points, word):
    with pytest.raises(InputError, match=word):
        checked_points(points)
