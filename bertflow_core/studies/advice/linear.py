"""What a linear classifier loses by a calibrator: the variance that no linear map restores."""

from dataclasses import dataclass

import numpy as np

from bertflow_core.calibrators.base import Calibrator, rank_lost
from bertflow_core.linalg import FloatArray

__all__ = ["LinearLoss", "measure_linear_loss"]

_ROWS = 4_000


@dataclass(frozen=True)
class LinearLoss:
    """What a linear classifier of calibrated embeddings can no longer use.

    An invertible linear map loses nothing: w z + b = (w A) x + b' is linear in x as well.

    Attributes:
        rank_lost: Directions in which the embeddings vary and the calibrated ones do not.
        variance_lost: Share of the embeddings' variance that no linear map of the calibrated ones
            restores, in [0, 1].
    """

    rank_lost: int
    variance_lost: float


def measure_linear_loss(calibrator: Calibrator, x: FloatArray) -> LinearLoss:
    """Regress embeddings, shape (N, D), N >= 2, on their calibrated versions.

    At most 4,000 evenly spaced rows are used. With no more rows than directions kept, every
    map seems to lose nothing.

    Args:
        calibrator: Fitted.
        x: Embeddings.
    """
    x = x[np.linspace(0, len(x) - 1, min(len(x), _ROWS)).astype(int)]
    z = np.asarray(calibrator.transform(x), np.float64)
    centred = np.asarray(x, np.float64) - x.mean(axis=0, dtype=np.float64)
    z -= z.mean(axis=0)
    z /= max(float(np.abs(z).max()), np.finfo(np.float64).tiny)
    weights = np.linalg.lstsq(z, centred, rcond=1e-9)[0]
    total = float(np.square(centred).sum())
    left = float(np.square(centred - z @ weights).sum())
    return LinearLoss(rank_lost(calibrator, x), left / total if total > 0 else 0.0)
