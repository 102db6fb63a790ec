"""What every measure of a cloud of embeddings starts from: a checked array, a bounded sample."""

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.numerics import FloatArray

__all__ = ["centred", "checked_cloud", "sample_rows"]


def checked_cloud(x: FloatArray, *, min_rows: int = 2) -> FloatArray:
    """Return embeddings `x`, shape (N, D), in float64.

    Raises:
        InputError: Not such an array, fewer than `min_rows` rows, or values that are not finite.
    """
    x = np.asarray(x, np.float64)
    if x.ndim != 2 or len(x) < min_rows or x.shape[1] < 1 or not np.isfinite(x).all():
        raise InputError(
            f"a measure of a cloud needs finite embeddings (N, D) with N >= {min_rows}, "
            f"got {x.shape}"
        )
    return x


def centred(x: FloatArray) -> FloatArray:
    """Return `x`, shape (N, D), less its mean row."""
    less: FloatArray = x - x.mean(axis=0)
    return less


def sample_rows(n: int, at_most: int, *, seed: int) -> npt.NDArray[np.int64]:
    """Return all of `n` rows, or `at_most` of them drawn without replacement; rising."""
    if n <= at_most:
        return np.arange(n)
    drawn = np.random.default_rng(seed).choice(n, at_most, replace=False)
    return np.sort(drawn).astype(np.int64)
