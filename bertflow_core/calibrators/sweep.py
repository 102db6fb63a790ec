"""Cosines of pairs under a whole range of a closed-form calibrator, at the cost of about one fit.

Every function projects the pairs once and then gets each value's cosines from sums over directions.
Nothing is subtracted from a sum, so nothing cancels. A vector that a fit would leave as rounding
noise counts as zero here, and the cosine with a zero vector is 0.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.catalog import calibrator_info
from bertflow_core.errors import InputError
from bertflow_core.linalg import VARIANCE_FLOOR, FloatArray, principal_directions
from bertflow_core.moments import covariance

__all__ = ["null_top_k_cosines", "whiten_cosines", "whiten_shrinkage_cosines"]

Number = TypeVar("Number", int, float)
Sides: TypeAlias = tuple[FloatArray, FloatArray]

_PAIRS_AT_ONCE = 4096


def null_top_k_cosines(
    x_fit: FloatArray, first: FloatArray, second: FloatArray, ks: Sequence[int]
) -> FloatArray:
    """Return the cosines of pairs under `null-top-k` for each k.

    Args:
        x_fit: Embeddings to fit on, shape (M, D), M >= 2.
        first: Embeddings of the pairs' first sentences, shape (N, D).
        second: Of their second sentences, shape (N, D).
        ks: Numbers of directions to remove, each from 0 to D - 1, in any order.

    Returns:
        Cosines in float64, shape (len(ks), N).

    Raises:
        InputError: No k, one out of its range, or embeddings that cannot be used.
    """
    values = _checked("null-top-k", "k", ks)
    fitted = build_calibrator(f"null-top-k:k={max(values)}").fit(x_fit)
    state = fitted.get_state()
    mean, directions = state["mean_"], state["directions_"]
    kept = np.arange(directions.shape[1])[:, None] >= np.asarray(values)  # (max k, V)

    def cosines(a: FloatArray, b: FloatArray) -> FloatArray:
        rests = fitted.transform(a), fitted.transform(b)  # orthogonal to every direction
        parts = (a - mean) @ directions, (b - mean) @ directions
        dot, left, right = _sums(parts, kept) + _sums(rests, np.ones((len(mean), 1)))
        left = np.where(left > _rounding(a, mean), left, 0)
        return _cosines(dot, left, np.where(right > _rounding(b, mean), right, 0))

    return _by_rows(cosines, first, second)


def whiten_cosines(
    x_fit: FloatArray,
    first: FloatArray,
    second: FloatArray,
    n_components: Sequence[int],
    shrinkage: float = 0.0,
) -> FloatArray:
    """Return the cosines of pairs under `whiten` for each number of components.

    Args:
        x_fit: Embeddings to fit on, shape (M, D), M >= 2.
        first: Embeddings of the pairs' first sentences, shape (N, D).
        second: Of their second sentences, shape (N, D).
        n_components: Numbers of directions to keep, each from 1 to D, in any order; where fewer
            have variance, those that have it.
        shrinkage: Weight of the identity in the covariance, from 0 to 1.

    Returns:
        Cosines in float64, shape (len(n_components), N).

    Raises:
        InputError: No number, one out of its range, or embeddings that cannot be used.
    """
    values = _checked("whiten", "n_components", n_components)
    spec = f"whiten:n_components={max(values)},shrinkage={float(shrinkage)!r}"
    fitted = build_calibrator(spec).fit(x_fit)
    n_kept = len(fitted.get_state()["variances_"])
    kept = np.arange(n_kept)[:, None] < np.asarray(values)  # (K, V)
    return _by_rows(
        lambda a, b: _cosines(*_sums((fitted.transform(a), fitted.transform(b)), kept)),
        first,
        second,
    )


def whiten_shrinkage_cosines(
    x_fit: FloatArray,
    first: FloatArray,
    second: FloatArray,
    shrinkages: Sequence[float],
    n_components: int | None = None,
) -> FloatArray:
    """Return the cosines of pairs under `whiten` for each shrinkage.

    Shrinking moves a covariance's variances and leaves its directions, so one decomposition does.

    Args:
        x_fit: Embeddings to fit on, shape (M, D), M >= 2.
        first: Embeddings of the pairs' first sentences, shape (N, D).
        second: Of their second sentences, shape (N, D).
        shrinkages: Weights of the identity in the covariance, each from 0 to 1, in any order.
        n_components: Leading directions to keep, from 1 to D; None keeps all that have variance.

    Returns:
        Cosines in float64, shape (len(shrinkages), N).

    Raises:
        InputError: No shrinkage, a value out of its range, or embeddings that cannot be used.
    """
    values = _checked("whiten", "shrinkage", shrinkages)
    calibrator_info("whiten").parameter("n_components").check(n_components)
    same = build_calibrator("identity").fit(x_fit)  # refuses what no calibrator can use
    mean, matrix = covariance(np.asarray(x_fit))
    if n_components is not None and n_components > len(mean):
        raise InputError(
            f"whiten: n_components must be at most the number of features ({len(mean)}), "
            f"got {n_components}"
        )
    variances, directions = principal_directions(matrix)
    if variances[0] <= 0:
        raise InputError("all sentences have one embedding: whitening needs some variance")
    leading = directions[:, :n_components]
    weights = _inverse_variances(variances, values)[:n_components]

    def cosines(a: FloatArray, b: FloatArray) -> FloatArray:
        parts = (same.transform(a) - mean) @ leading, (same.transform(b) - mean) @ leading
        return _cosines(*_sums(parts, weights))

    return _by_rows(cosines, first, second)


def _inverse_variances(variances: FloatArray, shrinkages: Sequence[float]) -> FloatArray:
    """Return 1 / variance under each shrinkage, 0 where `whiten` sees none, shape (D, V)."""
    shares = np.asarray(shrinkages, np.float64)
    shrunk = (1 - shares) * variances[:, None] + shares * variances.mean()
    has_variance = shrunk > VARIANCE_FLOOR * shrunk[0]
    inverse: FloatArray = np.divide(1, shrunk, out=np.zeros_like(shrunk), where=has_variance)
    return inverse


def _checked(calibrator: str, name: str, values: Sequence[Number]) -> list[Number]:
    """Refuse values that a calibrator's parameter cannot have."""
    if len(values) == 0:
        raise InputError(f"there is nothing to sweep: give at least one value of {name}")
    parameter = calibrator_info(calibrator).parameter(name)
    for value in values:
        if value is None:
            raise InputError(f"{calibrator}: {name} must be a number in a sweep, got none")
        parameter.check(value)
    return list(values)


def _by_rows(
    cosines: Callable[[FloatArray, FloatArray], FloatArray], first: FloatArray, second: FloatArray
) -> FloatArray:
    """Apply a function of two sides, some pairs at a time in float64, so that memory is bounded."""
    if np.shape(first) != np.shape(second):
        raise InputError(
            f"both sides need one shape (N, D), got {np.shape(first)} and {np.shape(second)}"
        )
    blocks = [
        slice(start, start + _PAIRS_AT_ONCE)
        for start in range(0, max(1, len(first)), _PAIRS_AT_ONCE)
    ]
    return np.concatenate(
        [
            cosines(np.asarray(first[b], np.float64), np.asarray(second[b], np.float64))
            for b in blocks
        ],
        axis=1,
    )


def _sums(sides: Sides, weights: npt.NDArray[Any]) -> FloatArray:
    """Return weighted dot products, then both squared lengths, shape (3, N, V).

    Args:
        sides: Coordinates of the first and of the second sentences, shape (N, K) each.
        weights: Weight of each coordinate, one column per value, shape (K, V), none below 0.
    """
    columns = weights.astype(np.float64)
    first, second = sides
    return np.stack([product @ columns for product in (first * second, first**2, second**2)])


def _rounding(side: FloatArray, mean: FloatArray) -> FloatArray:
    """Return the squared length, shape (N, 1), up to which what is left of x - mean is rounding."""
    relative = side.shape[1] * np.finfo(np.float64).eps
    floor: FloatArray = relative**2 * (np.square(side).sum(axis=1) + np.square(mean).sum())
    return floor[:, None]


def _cosines(dot: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Return cosines, shape (V, N), from dot products and squared lengths, shape (N, V) each."""
    scale = np.sqrt(first) * np.sqrt(second)
    cosines: FloatArray = np.divide(dot, scale, out=np.zeros_like(dot), where=scale > 0)
    return np.ascontiguousarray(cosines.T)
