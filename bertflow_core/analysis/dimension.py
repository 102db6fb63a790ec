"""Intrinsic dimension: how many coordinates a cloud needs near each of its points.

Both estimators see distances to near neighbours only. Rows that equal another have a nearest
distance of 0 and are left out: give each sentence once. In high dimensions both err low.
"""

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray

__all__ = ["levina_bickel", "two_nn"]

_KEPT = 0.9
"""Share of the ratios that TwoNN fits; the paper leaves out the largest tenth."""


def two_nn(distances: FloatArray) -> float | None:
    """Return the TwoNN estimate from the ratio mu of second to first neighbour's distance.

    mu has the distribution F(mu) = 1 - mu^-d, so that -log(1 - F) against log mu is a line through
    the origin of slope d; F is the rank over N, and the largest tenth is left out.

    Args:
        distances: To the two nearest other rows, rising, shape (N, 2) or wider.

    Returns:
        A number above 0; None where fewer than ten rows tell.

    References:
        Estimating the intrinsic dimension of datasets by a minimal neighborhood information (Facco
        et al., 2017), https://doi.org/10.1038/s41598-017-11873-y.
    """
    apart = _apart(distances, 2)
    ratios = np.sort(np.log(apart[:, 1] / apart[:, 0]))
    n = len(ratios)
    if n < _FEWEST or ratios[-1] <= 0:
        return None
    kept = int(_KEPT * n)
    heights = -np.log1p(-np.arange(1, kept + 1) / n)
    squares = np.square(ratios[:kept]).sum()
    return float((heights * ratios[:kept]).sum() / squares) if squares > 0 else None


def levina_bickel(distances: FloatArray) -> float | None:
    """Return the maximum likelihood estimate from the k nearest distances T_1 ... T_k of each row.

    At a row 1 / d is estimated by the mean over j < k of log(T_k / T_j) (equation 8). These are
    averaged over rows and inverted last, which makes the whole the likelihood's maximum (MacKay
    and Ghahramani's correction of the mean of the rows' dimensions).

    Args:
        distances: To the k >= 3 nearest other rows, rising, shape (N, k).

    Returns:
        A number above 0; None where fewer than ten rows tell.

    References:
        Maximum Likelihood Estimation of Intrinsic Dimension (Levina and Bickel, 2004).
        Comments on it (MacKay and Ghahramani, 2005),
        http://www.inference.org.uk/mackay/dimension.
    """
    apart = _apart(distances, 3)
    if len(apart) < _FEWEST:
        return None
    inverse = np.log(apart[:, -1:] / apart[:, :-1]).mean()
    return float(1 / inverse) if inverse > 0 else None


_FEWEST = 10


def _apart(distances: FloatArray, fewest: int) -> FloatArray:
    """Return the rows of distances whose nearest is above 0."""
    distances = np.asarray(distances, np.float64)
    if distances.ndim != 2 or distances.shape[1] < fewest:
        raise InputError(f"expected at least {fewest} distances a row, got {distances.shape}")
    kept: FloatArray = distances[distances[:, 0] > 0]
    return kept
