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
    """Return the k coordinates of largest contribution, the largest first, shape (k,)."""
    return np.argsort(-coordinate_contributions(x), kind="stable")[:k]


def cosine_parts(
    first: FloatArray, others: FloatArray, coordinates: Rows
) -> dict[str, float | None]:
    """Return the shares of first tokens, coordinates and everything else in the mean cosine.

    The vector of a sentence is a sum of two rows, each of shape (N, D): what its first token adds,
    and what the others add. Scaled by the vector's length they are f and o, and the cosine of
    sentences i and j is (f_i + o_i) . (f_j + o_j). The first tokens have the share f_i . (f_j +
    o_j), averaged over all pairs; the products of the others are divided between the given
    `coordinates` and the rest, which is mostly the mean. The shares sum to 1. They are None if the
    mean cosine is not positive.
    """
    whole = np.asarray(first, np.float64) + others
    lengths = np.linalg.norm(whole, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    unit, own = whole / lengths, others / lengths
    products = own.sum(axis=0) * unit.sum(axis=0) - (own * unit).sum(axis=0)
    total = float((unit.sum(axis=0) ** 2 - np.square(unit).sum(axis=0)).sum())
    if total <= 0:
        return dict.fromkeys(("first_part", "coordinates_part", "rest_part"))
    of_coordinates, of_others = float(products[coordinates].sum()), float(products.sum())
    return {
        "first_part": 1 - of_others / total,
        "coordinates_part": of_coordinates / total,
        "rest_part": (of_others - of_coordinates) / total,
    }
