"""How exactly the inverse of a map undoes it."""

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.numerics import FloatArray

__all__ = ["round_trip"]


def round_trip(calibrator: Calibrator, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Map latent rows back, and forward again.

    Args:
        calibrator: An invertible one.
        z: Latent rows, shape (n, D).

    Returns:
        x, the rows mapped back, shape (n, D); and |T(x) - z| / |z|, shape (n,), without the
        division where z is zero.
    """
    x = calibrator.inverse_transform(z)
    off = np.linalg.norm(np.asarray(calibrator.transform(x), np.float64) - z, axis=1)
    norms = np.linalg.norm(z, axis=1)
    return x, np.divide(off, norms, out=off, where=norms > 0)
