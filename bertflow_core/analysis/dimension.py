"""Intrinsic dimension: how many coordinates a cloud needs near each of its points.

The estimator sees distances to near neighbours only. Rows that equal another have a nearest
distance of 0 and are left out: give each sentence once. In high dimensions it errs low.
"""

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray

__all__ = ["two_nn"]

_FEWEST = 10
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
    distances = np.asarray(distances, np.float64)
    if distances.ndim != 2 or distances.shape[1] < 2:
        raise InputError(f"expected at least 2 distances a row, got {distances.shape}")
    apart = distances[distances[:, 0] > 0]
    ratios = np.sort(np.log(apart[:, 1] / apart[:, 0]))
    n = len(ratios)
    if n < _FEWEST or ratios[-1] <= 0:
        return None
    kept = int(_KEPT * n)
    heights = -np.log1p(-np.arange(1, kept + 1) / n)
    squares = np.square(ratios[:kept]).sum()
    return float((heights * ratios[:kept]).sum() / squares) if squares > 0 else None
