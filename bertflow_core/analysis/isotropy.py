"""How evenly a cloud of embeddings uses its dimensions."""

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.numerics import FloatArray

__all__ = ["iso_score"]


def iso_score(x: FloatArray) -> float | None:
    """Return IsoScore: 1 where every direction has one variance, 0 where one has all of it.

    Where k of D directions share the variance equally it is (k - 1) / (D - 1). Neither the mean,
    the scale nor a rotation changes it.

    With v the D eigenvalues of the covariance, the paper's steps (its Algorithm 1) come down to
    ((sum v)^2 / sum v^2 - 1) / (D - 1), so that traces do and no eigenvalue is needed.

    Args:
        x: Embeddings, shape (N, D), N >= 2.

    Returns:
        A number in [0, 1]; None where it is undefined: D < 2, or no variance.

    Raises:
        InputError: Not such an array, or values that are not finite.

    References:
        IsoScore: Measuring the Uniformity of Embedding Space Utilization (Rudman et al., 2022),
        Algorithm 1, https://arxiv.org/abs/2108.07344.
    """
    x = np.asarray(x, np.float64)
    if x.ndim != 2 or len(x) < 2 or not np.isfinite(x).all():
        raise InputError(f"isotropy needs finite embeddings (N, D) with N >= 2, got {x.shape}")
    d = x.shape[1]
    centred = x - x.mean(axis=0)
    largest = np.abs(centred).max(initial=0.0)
    if d < 2 or largest <= _ROUNDING * np.abs(x).max(initial=0.0):
        return None
    centred /= largest  # no square overflows or vanishes
    products = centred.T @ centred
    used = np.trace(products) ** 2 / np.square(products).sum()  # dimensions, from 1 to D
    return float(np.clip((used - 1) / (d - 1), 0.0, 1.0))


_ROUNDING = 1e-12
"""Deviations below this share of the values are rounding of their mean."""
