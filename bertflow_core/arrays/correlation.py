"""Ranks, Pearson's r and Spearman's rho, without scipy, which is slow to import."""

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.rounding import is_constant
from bertflow_core.arrays.types import FloatArray


def average_ranks(values: npt.ArrayLike) -> FloatArray:
    """Return the average ranks of finite numbers, as `scipy.stats.rankdata` does, shape (N,)."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: FloatArray = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def pearson(a: FloatArray, b: FloatArray) -> float | None:
    """Return Pearson's r of two columns, shape (N,) each; None if either is constant."""
    if len(a) < 2 or is_constant(a) or is_constant(b):
        return None
    return float(np.corrcoef(a, b)[0, 1])


def spearman(a: npt.ArrayLike, b: npt.ArrayLike) -> float | None:
    """Return Spearman's rho of two columns, shape (N,) each; None if either is constant."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if len(a) < 2 or is_constant(a) or is_constant(b):  # otherwise rounding errors would be ranked
        return None
    return pearson(average_ranks(a), average_ranks(b))
