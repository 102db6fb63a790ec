"""Mardia's skewness and kurtosis: what a cloud's shape has beyond its mean and covariance."""

from dataclasses import dataclass

import numpy as np

from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    centred,
    checked_cloud,
    principal_directions,
    second_moments,
)

__all__ = ["Mardia", "mardia"]

_ROWS_AT_ONCE = 1024


@dataclass(frozen=True)
class Mardia:
    """Both measures beside what N Gaussian rows give; no affine map changes any of them.

    Attributes:
        skewness: b1, the mean over all pairs of rows of (y_i . y_j)^3, y whitened.
        skewness_expected: Its mean for N Gaussian rows.
        kurtosis: b2, the mean over rows of |y|^4.
        kurtosis_expected: Its mean for N Gaussian rows; less means lighter tails.
        kurtosis_sd: Its standard deviation for N Gaussian rows.
        n_rows: N.
        rank: Directions with variance, p.
    """

    skewness: float
    skewness_expected: float
    kurtosis: float
    kurtosis_expected: float
    kurtosis_sd: float
    n_rows: int
    rank: int


def mardia(x: FloatArray) -> Mardia | None:
    r"""Measure embeddings, whitened by their own mean and covariance (over N).

    For N Gaussian rows in p dimensions, exactly at every N (Mardia, 1974):

    .. math::
        E b_1 = p (p + 2) ((N + 1)(p + 1) - 6) / ((N + 1)(N + 3)), \quad
        E b_2 = p (p + 2) (N - 1) / (N + 1),

        var\, b_2 = 8 p (p + 2) (N - 3)(N - p - 1)(N - p + 1) / ((N + 1)^2 (N + 3)(N + 5)).

    Args:
        x: Embeddings, shape (N, D). Directions below `VARIANCE_FLOOR` of the largest variance are
            left out.

    Returns:
        None where the rows do not fix a covariance: p >= N - 1, or no variance.

    References:
        Measures of multivariate skewness and kurtosis with applications (Mardia, 1970).
        Applications of some measures of multivariate skewness and kurtosis (Mardia, 1974).
    """
    y = _whitened(checked_cloud(x))
    n, p = y.shape
    if not 0 < p < n - 1:
        return None
    blocks = (y[start : start + _ROWS_AT_ONCE] @ y.T for start in range(0, n, _ROWS_AT_ONCE))
    skewness = sum((block**3).sum() for block in blocks) / n**2
    kurtosis = np.square(np.square(y).sum(axis=1)).mean()
    variance = 8 * p * (p + 2) * (n - 3) * (n - p - 1) * (n - p + 1)
    return Mardia(
        float(skewness),
        p * (p + 2) * ((n + 1) * (p + 1) - 6) / ((n + 1) * (n + 3)),
        float(kurtosis),
        p * (p + 2) * (n - 1) / (n + 1),
        float(np.sqrt(variance / ((n + 1) ** 2 * (n + 3) * (n + 5)))),
        n,
        p,
    )


def _whitened(x: FloatArray) -> FloatArray:
    """Return coordinates of variance 1 (over N) on the p directions with variance, shape (N, p)."""
    less = centred(x)
    variances, directions = principal_directions(second_moments(less) / len(x))
    kept = variances > max(VARIANCE_FLOOR * variances[0], np.finfo(float).tiny)
    whitened: FloatArray = less @ (directions[:, kept] / np.sqrt(variances[kept]))
    return whitened
