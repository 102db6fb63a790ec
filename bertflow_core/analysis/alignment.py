"""Alignment and uniformity: alike sentences close together, all of them spread over the sphere.

Both are of unit vectors: every embedding is divided by its own length first, and nothing is
centred. Better isotropy may cost alignment (SimCSE, figure 3), so that the two belong together.

References:
    Understanding Contrastive Representation Learning through Alignment and Uniformity on the
    Hypersphere (Wang and Isola, 2020), https://arxiv.org/abs/2005.10242, with alpha = 2 and t = 2.
    SimCSE (Gao et al., 2021), https://arxiv.org/abs/2104.08821, which takes pairs above 4 of 5.
"""

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, checked_cloud, unit_rows

__all__ = ["POSITIVE_FROM", "alignment", "positive_pairs", "uniformity"]

POSITIVE_FROM = 0.8
"""A pair is positive whose gold score is at or above this share of the scale: 4 of 0 to 5."""

_ROWS_AT_ONCE = 1024


def positive_pairs(gold: FloatArray, scale: tuple[float, float]) -> npt.NDArray[np.bool_]:
    """Return which of N gold scores are at or above 4/5 of their scale, booleans, shape (N,).

    Args:
        gold: Scores, shape (N,).
        scale: Lowest and highest score that a judge could give.
    """
    low, high = scale
    threshold = low + POSITIVE_FROM * (high - low)
    positive: npt.NDArray[np.bool_] = np.asarray(gold) >= threshold - 1e-9 * (high - low)
    return positive


def alignment(first: FloatArray, second: FloatArray) -> float | None:
    """Return the mean squared distance of unit vectors over positive pairs, in [0, 4].

    It is 2 - 2 times their mean cosine; 0 is best.

    Args:
        first: Embeddings of one side of the positive pairs, shape (P, D).
        second: Of the other side, shape (P, D).

    Returns:
        None where P = 0.

    Raises:
        InputError: Sides of different shape, or values that are not finite.
    """
    first, second = checked_cloud(first, min_rows=0), checked_cloud(second, min_rows=0)
    if first.shape != second.shape:
        raise InputError(f"both sides need one shape, got {first.shape} and {second.shape}")
    if len(first) == 0:
        return None
    return float(np.square(unit_rows(first) - unit_rows(second)).sum(axis=1).mean())


def uniformity(x: FloatArray) -> float:
    """Return log of the mean of exp(-2 ||u - v||^2) over all pairs of different unit rows.

    0 where all rows have one direction, -4 at most between two opposite ones; lower is more
    uniform. Rows spread evenly over the sphere of a high dimension give nearly -4.

    Args:
        x: Embeddings, shape (N, D), N >= 2; time and memory go with N^2 and N.
    """
    unit = unit_rows(checked_cloud(x))
    squares = np.square(unit).sum(axis=1)
    total = 0.0
    for start in range(0, len(unit), _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        distances = squares[block, None] + squares - 2 * (unit[block] @ unit.T)
        total += np.exp(-2 * distances.clip(min=0.0)).sum()
    n = len(unit)
    return float(np.log((total - n) / (n * (n - 1))))
