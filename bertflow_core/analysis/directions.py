"""Directions of vectors around their mean: the angles that make a cone."""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, centred, checked_cloud, unit_rows

__all__ = ["Directions", "directions"]


@dataclass(frozen=True)
class Directions:
    """Unit vectors in spherical coordinates whose pole is their mean direction.

    Attributes:
        mean_length: Mean resultant length R, the length of the mean of the unit vectors: 1 where
            all point the same way, 0 where they cancel. R^2 is the mean cosine of all pairs, each
            vector with itself included (Mardia and Jupp, *Directional Statistics*, 2000).
        angles: To the mean direction in degrees, in [0, 180], shape (N,).
        azimuths: Around it in degrees, in (-180, 180], shape (N,): in the plane of the two
            directions in which the vectors differ most beside it.
    """

    mean_length: float
    angles: FloatArray = field(repr=False)
    azimuths: FloatArray = field(repr=False)


def directions(x: FloatArray) -> Directions:
    """Return the directions of embeddings, shape (N, D), D >= 3; a row of zeros is refused.

    Raises:
        InputError: Fewer than two rows or three features, a row of zeros, or rows that cancel.
    """
    unit = unit_rows(checked_cloud(x))
    if unit.shape[1] < 3 or not np.square(unit).sum(axis=1).all():
        raise InputError("directions need at least three features and no row of zeros")
    mean = unit.mean(axis=0)
    length = float(np.linalg.norm(mean))
    if length < 1e-12:
        raise InputError("the vectors cancel, so they have no mean direction")
    pole = mean / length
    along = unit @ pole
    beside = unit - np.outer(along, pole)
    _, _, axes = np.linalg.svd(centred(beside), full_matrices=False)
    flat = beside @ axes[:2].T
    return Directions(
        mean_length=length,
        angles=np.degrees(np.arccos(np.clip(along, -1, 1))),
        azimuths=np.degrees(np.arctan2(flat[:, 1], flat[:, 0])),
    )
