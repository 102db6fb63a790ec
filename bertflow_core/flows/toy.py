"""Shapes of points in the plane that a flow must bend: drawn from a seed."""

from enum import StrEnum

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.flows.checks import check_choice, check_integer
from bertflow_core.linalg import FloatArray

__all__ = ["MAX_POINTS", "MIN_POINTS", "ToyShape", "checked_points", "draw_shape"]

MIN_POINTS = 8
MAX_POINTS = 2_000
MAX_COORDINATE = 100.0


class ToyShape(StrEnum):
    """A shape in the plane."""

    MOONS = "two moons"
    SPIRAL = "spiral"
    RING = "ring"
    BLOBS = "two blobs"
    BANANA = "banana"
    CONE = "cone"


def draw_shape(shape: ToyShape | str, n: int, *, seed: int) -> FloatArray:
    """Draw points of a shape.

    Args:
        shape: Which one; each is 4 to 5 wide and near the origin, but for the cone: like
            sentence embeddings it lies on one side of the origin, widening away from it.
        n: From 8 to 2,000 points.
        seed: Decides the draws.

    Returns:
        Points, shape (n, 2), float32, in random order.

    Raises:
        InputError: Another shape, or a number of points out of bounds.
    """
    shape = check_choice(ToyShape, "shape", shape)
    check_integer("seed", seed, minimum=0)
    if not MIN_POINTS <= n <= MAX_POINTS:
        raise InputError(_count_message(n))
    rng = np.random.default_rng(seed)
    return _DRAWN[shape](rng, n).astype(np.float32)


def checked_points(points: object) -> FloatArray:
    """Check points drawn by a user; return them in float32, shape (N, 2).

    Raises:
        InputError: Not 8 to 2,000 pairs of finite numbers within -100 to 100, or all of them on a
            line parallel to an axis, where a density has no width.
    """
    try:
        checked = np.asarray(points, np.float64)
    except (TypeError, ValueError, OverflowError):
        checked = np.empty(0)
    if checked.ndim != 2 or checked.shape[1] != 2:
        raise InputError("points must be pairs of numbers: expected x and y of each; draw again")
    if not MIN_POINTS <= len(checked) <= MAX_POINTS:
        raise InputError(_count_message(len(checked)))
    if not (np.abs(checked) <= MAX_COORDINATE).all():  # NaN is not, either
        raise InputError(
            f"points must lie within -{MAX_COORDINATE:.0f} to {MAX_COORDINATE:.0f}: draw again"
        )
    if (np.ptp(checked, axis=0) < 1e-3).any():
        raise InputError("the points lie on one line: spread them over both directions")
    return checked.astype(np.float32)


def _count_message(n: int) -> str:
    return f"expected {MIN_POINTS} to {MAX_POINTS:,} points, got {n:,}: draw more or fewer"


def _moons(rng: np.random.Generator, n: int) -> FloatArray:
    angle = rng.uniform(0, np.pi, n)
    upper = rng.random(n) < 0.5
    x = np.where(upper, np.cos(angle) - 0.5, 0.5 - np.cos(angle))
    y = np.where(upper, np.sin(angle) - 0.25, 0.25 - np.sin(angle))
    points: FloatArray = 1.5 * np.stack([x, y], axis=1) + rng.normal(0, 0.12, (n, 2))
    return points


def _spiral(rng: np.random.Generator, n: int) -> FloatArray:
    angle = 3 * np.pi * np.sqrt(rng.uniform(0.03, 1, n))
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points: FloatArray = 0.26 * angle[:, None] * unit + rng.normal(0, 0.08, (n, 2))
    return points


def _ring(rng: np.random.Generator, n: int) -> FloatArray:
    angle = rng.uniform(0, 2 * np.pi, n)
    return 1.8 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(0, 0.15, (n, 2))


def _blobs(rng: np.random.Generator, n: int) -> FloatArray:
    side = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    points: FloatArray = side[:, None] * np.array([1.4, 0.6]) + rng.normal(0, 0.4, (n, 2))
    return points


def _banana(rng: np.random.Generator, n: int) -> FloatArray:
    x, y = rng.normal(0, 1, (2, n))
    return np.stack([x, 0.45 * (x**2 - 1) + 0.25 * y], axis=1)


def _cone(rng: np.random.Generator, n: int) -> FloatArray:
    length = rng.gamma(6, 0.4, n)
    angle = np.pi / 4 + rng.normal(0, 0.22, n)
    points: FloatArray = length[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return points


_DRAWN = {
    ToyShape.MOONS: _moons,
    ToyShape.SPIRAL: _spiral,
    ToyShape.RING: _ring,
    ToyShape.BLOBS: _blobs,
    ToyShape.BANANA: _banana,
    ToyShape.CONE: _cone,
}
