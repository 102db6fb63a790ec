"""Mean, covariance and principal directions of rows, in float64 and bounded memory."""

import numpy as np

from bertflow_core.numerics import FloatArray

__all__ = ["covariance", "principal_directions", "second_moments"]

_ROWS_AT_ONCE = 4096


def covariance(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean, shape (D,), and the covariance (over N - 1), shape (D, D), in float64."""
    mean: FloatArray = X.mean(axis=0, dtype=np.float64)
    return mean, second_moments(X, mean) / (len(X) - 1)


def second_moments(X: FloatArray, origin: FloatArray | float = 0.0) -> FloatArray:
    """Return the sum of (x - origin)(x - origin)^T over the rows, shape (D, D), in float64.

    Args:
        X: Rows, shape (N, D).
        origin: What to measure from, shape (D,), or one number.
    """
    total = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), _ROWS_AT_ONCE):
        block = np.subtract(X[start : start + _ROWS_AT_ONCE], origin, dtype=np.float64)
        total += block.T @ block
    return total


def principal_directions(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a covariance's eigenvalues, falling, shape (D,), and eigenvectors as columns.

    The largest component of each vector is positive, so that a refit gives equal signs.
    """
    variances, directions = np.linalg.eigh(matrix)
    variances, directions = variances[::-1].clip(min=0.0), directions[:, ::-1]
    largest = np.take_along_axis(directions, np.abs(directions).argmax(0, keepdims=True), axis=0)
    return variances, directions * np.where(largest < 0, -1.0, 1.0)
