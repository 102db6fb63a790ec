"""A cloud in two or three dimensions along its principal directions, centred (PCA) or not (SVD)."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    leading_directions,
    second_moments,
)
from bertflow_core.wording import quoted

__all__ = ["DIMS", "Method", "Projection", "check_dims", "project"]

DIMS = (2, 3)
"""Dimensions that a picture may have."""

_ROWS_AT_ONCE = 8192
_ROUNDING = VARIANCE_FLOOR**2  # a standard deviation of 1e-6 of the largest, or of the mean row


class Method(StrEnum):
    """How a cloud is brought into a picture."""

    PCA = "pca"
    SVD = "svd"
    UMAP = "umap"


@dataclass(frozen=True, eq=False)
class Projection:
    """The coordinates of each row of a cloud in a picture.

    Attributes:
        method: `pca`, `svd` or `umap`.
        coordinates: float32, shape (N, dims).
        explained: Share of each axis, in [0, 1]: of the variance for `pca`, of the sum of squares
            for `svd`; None for `umap`, whose axes carry no share.
    """

    method: Method
    coordinates: FloatArray = field(repr=False)
    explained: tuple[float, ...] | None


def project(x: FloatArray, method: str = Method.PCA, dims: int = 2) -> Projection:
    """Project a cloud on the directions that carry most of its variance or of its squares.

    `pca` takes the mean row away first. `svd` does not, so that its first axis shows how far the
    cloud lies from the origin: the cone. The directions are eigenvectors of the D x D matrix of
    second moments, in float64. Of the two signs of a direction the one is taken that makes its
    entry of largest absolute value positive. An axis whose share is below rounding, or that a cloud
    of fewer than `dims` features lacks, is zero for every row, and so is its share.

    Args:
        x: Embeddings, shape (N, D), N >= 2.
        method: `pca` or `svd`.
        dims: 2 or 3.

    Raises:
        InputError: Not such an array, values that are not finite, or an unknown method or number.
    """
    if method not in (Method.PCA, Method.SVD):
        raise InputError(f"unknown linear projection {quoted(method)}: expected pca or svd")
    check_dims(dims)
    x = _checked(np.asarray(x))
    centre = np.zeros(x.shape[1])
    if method == Method.PCA:
        centre = x.mean(axis=0, dtype=np.float64)
    spread = second_moments(x, centre)
    values, directions = leading_directions(spread, dims)
    floor = _ROUNDING * max(float(values[0]), len(x) * float(centre @ centre))
    axes, shares = np.zeros((x.shape[1], dims)), np.zeros(dims)
    for i in np.flatnonzero(values > floor):
        axes[:, i], shares[i] = directions[:, i], values[i] / np.trace(spread)
    return Projection(Method(method), _on_axes(x, centre, axes), tuple(map(float, shares)))


def check_dims(dims: int) -> None:
    """Refuse a number of dimensions that no picture has.

    Raises:
        InputError: Neither 2 nor 3.
    """
    if dims not in DIMS or not isinstance(dims, int):
        raise InputError(f"a picture has 2 or 3 dimensions, got {quoted(dims)}")


def _checked(x: FloatArray) -> FloatArray:
    if x.ndim != 2 or len(x) < 2 or x.shape[1] < 1 or not np.isfinite(x).all():
        raise InputError(
            f"a projection needs finite embeddings (N, D) with N >= 2, got shape {x.shape}"
        )
    return x


def _on_axes(x: FloatArray, centre: FloatArray, axes: FloatArray) -> FloatArray:
    """Return (x - centre) @ axes, float32; by blocks, so that no float64 copy of x is made."""
    blocks = (x[start : start + _ROWS_AT_ONCE] for start in range(0, len(x), _ROWS_AT_ONCE))
    coordinates = np.concatenate([(block - centre) @ axes for block in blocks])
    return coordinates.astype(np.float32)
