"""The contribution of each coordinate to the cosine of two random sentences.

A few coordinates make most of it in many models: Timkey and van Schijndel (2021,
https://aclanthology.org/2021.emnlp-main.372) call them rogue dimensions.
"""

import numpy as np

from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray, Rows


def coordinate_contributions(x: FloatArray) -> FloatArray:
    """Return each coordinate's part of the mean cosine of all pairs of different rows, (D,).

    For the N rows u of `x`, shape (N, D), scaled to length 1, coordinate d contributes ((sum_i
    u_id)^2 - sum_i u_id^2) / (N (N - 1)). The contributions are in float64 and sum to
    `isotropy.mean_cosine`. A zero row has cosine 0 with all others.
    """
    unit = unit_rows(x)
    n = len(unit)
    parts: FloatArray = (unit.sum(axis=0) ** 2 - np.square(unit).sum(axis=0)) / (n * (n - 1))
    return parts


def largest_coordinates(x: FloatArray, k: int) -> Rows:
    """Return the k coordinates of largest contribution, the largest first, shape (k,).

    A negative contribution, which lowers the mean cosine, counts as small.
    """
    return np.argsort(-coordinate_contributions(x), kind="stable")[:k]
