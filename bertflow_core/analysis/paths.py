"""Paths between two vectors: along the straight line, and along the great circle."""

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, unit_rows

__all__ = ["fractions", "great_circle", "straight"]

_OPPOSITE = 1e-6
"""Radians short of a half turn within which rounding, not the ends, would decide the plane."""


def fractions(n_steps: int) -> FloatArray:
    """Return how far along a path each of its steps is, from 0 to 1, shape (n_steps,).

    Raises:
        InputError: Fewer than two steps, which have no two ends.
    """
    if n_steps < 2:
        raise InputError(f"a walk has at least 2 steps, its two ends: got {n_steps}")
    return np.linspace(0.0, 1.0, n_steps)


def straight(start: FloatArray, end: FloatArray, n_steps: int) -> FloatArray:
    """Return (1 - t) start + t end at even fractions t from 0 to 1, float64, shape (n_steps, D).

    Args:
        start: A vector, shape (D,).
        end: Another, shape (D,).
        n_steps: Points on the path, both ends among them.

    Raises:
        InputError: Not two finite vectors of one length, or fewer than two steps.
    """
    a, b = _ends(start, end)
    t = fractions(n_steps)[:, None]
    points: FloatArray = (1 - t) * a + t * b
    return points


def great_circle(start: FloatArray, end: FloatArray, n_steps: int) -> FloatArray:
    r"""Return points that turn at an even pace from one direction to the other.

    With the angle w between the ends' unit vectors u and v, a point is

    .. math:: ((1 - t) |a| + t |b|) \, (\sin((1 - t) w) \, u + \sin(t w) \, v) / \sin w,

    so its norm goes evenly from that of one end to that of the other. Ends of one direction have
    their straight line.

    Args:
        start: A vector a, shape (D,), not zero.
        end: Another, b, shape (D,), not zero.
        n_steps: Points on the path, both ends among them.

    Returns:
        float64, shape (n_steps, D).

    Raises:
        InputError: As for `straight`; or a zero vector, which has no direction; or opposite
            directions, between which every half circle is as short as any other.

    References:
        Animating Rotation with Quaternion Curves (Shoemake, 1985), section 3.3,
        https://doi.org/10.1145/325165.325242.
    """
    a, b = _ends(start, end)
    norms = np.linalg.norm([a, b], axis=1)
    if not norms.all():
        raise InputError("a great circle needs two directions, and a zero vector has none")
    u, v = unit_rows(np.stack([a, b]))
    # The arc cosine loses half the digits where the angle is small; these two lengths do not.
    angle = 2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))
    if angle == 0:
        return straight(a, b, n_steps)
    if np.pi - angle < _OPPOSITE:
        raise InputError(
            "the two ends point in opposite directions, so no one great circle joins them: choose "
            "another end"
        )
    t = fractions(n_steps)[:, None]
    directions = (np.sin((1 - t) * angle) * u + np.sin(t * angle) * v) / np.sin(angle)
    points: FloatArray = ((1 - t) * norms[0] + t * norms[1]) * directions
    return points


def _ends(start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    if a.ndim != 1 or a.shape != b.shape or not a.size or not np.isfinite([a, b]).all():
        raise InputError(
            f"a walk needs two finite vectors of one length, got shapes {a.shape} and {b.shape}"
        )
    return a, b
