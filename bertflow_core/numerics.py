"""The array type of the core, and where a number counts as zero.

LayerNorm and dead features leave directions of a layer without variance; nothing divides by it.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["SCALE_FLOOR", "VARIANCE_FLOOR", "FloatArray", "unit_rows"]

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]

SCALE_FLOOR = 1e-6
"""A feature whose standard deviation is not above this share of the largest is constant."""

VARIANCE_FLOOR = 1e-6
"""A direction whose variance is not above this share of the largest carries rounding noise."""


def unit_rows(x: FloatArray) -> FloatArray:
    """Scale the rows of `x`, shape (N, D), to length 1 in float64; zero rows stay zero."""
    x = np.asarray(x, np.float64)
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    unit: FloatArray = np.divide(x, norms, out=np.zeros_like(x), where=norms > 0)
    return unit
