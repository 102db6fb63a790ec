"""What a fitted calibrator loses: directions of the embeddings, and exactness on the way back."""

from dataclasses import dataclass

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.linalg import SCALE_FLOOR, FloatArray
from bertflow_core.moments import covariance

__all__ = ["InformationLost", "information_lost"]

_ROWS_BACK = 256  # the inverse of some maps takes D times as long as the map


@dataclass(frozen=True)
class InformationLost:
    """What one map lost on one set of rows.

    Attributes:
        rank_in: Directions in which the embeddings spread.
        rank_out: Directions in which what the map makes of them spreads.
        rank_lost: rank_in - rank_out, at least 0.
        round_trip: Largest ||x - inverse(z)|| / ||x|| of a row (||x|| = 1 for a zero row); None
            where the map has no inverse.
    """

    rank_in: int
    rank_out: int
    rank_lost: int
    round_trip: float | None


def information_lost(calibrator: Calibrator, x: FloatArray) -> InformationLost:
    """Compare the embeddings before and after a fitted map.

    The rows spread in a direction where their standard deviation is above 1e-6 of the largest, so
    that what was LayerNorm's or a removal's rounding noise is no direction. N rows spread in N - 1
    directions at most. A curved map can bend rows into more directions than they had; it then loses
    none. The rank tells what can never be recovered; the round trip, what rounding loses.

    Args:
        calibrator: Fitted.
        x: Embeddings, shape (N, D), N >= 2; the round trip takes at most 256 of them, evenly
            spaced.
    """
    x = np.asarray(x, np.float64)
    rank_in, rank_out = _rank(x), _rank(calibrator.transform(x))
    lost = max(0, rank_in - rank_out)
    return InformationLost(rank_in, rank_out, lost, _round_trip(calibrator, x))


def _rank(x: FloatArray) -> int:
    spread = np.sqrt(np.linalg.eigvalsh(covariance(x)[1]).clip(min=0.0))
    return int((spread > SCALE_FLOOR * spread[-1]).sum())


def _round_trip(calibrator: Calibrator, x: FloatArray) -> float | None:
    if calibrator.why_not_invertible() is not None:
        return None
    x = x[np.linspace(0, len(x) - 1, min(len(x), _ROWS_BACK)).astype(int)]
    back = calibrator.inverse_transform(calibrator.transform(x))
    lengths = np.linalg.norm(x, axis=1)
    errors = np.linalg.norm(x - back, axis=1) / np.where(lengths > 0, lengths, 1.0)
    return float(errors.max())
