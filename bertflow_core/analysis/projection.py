"""A cloud in two or three dimensions along its principal directions, centred (PCA) or not (SVD)."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import VARIANCE_FLOOR, FloatArray

__all__ = ["DIMS", "Method", "Projection", "check_dims", "project"]

DIMS = (2, 3)
"""Dimensions that a picture may have."""

_BLOCK_ROWS = 8192
_ROUNDING = VARIANCE_FLOOR**2  # a standard deviation of 1e-6 of the largest, or of the mean row


class Method(StrEnum):
    """How a cloud is brought into a picture."""

    PCA = "pca"
    SVD = "svd"
    UMAP = "umap"


@dataclass(frozen=True, eq=False)
class Projection:
    """Where each row of a cloud stands in a picture.

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
    cloud stands from the origin: the cone. The directions are eigenvectors of the D x D matrix of
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
        raise InputError(f"unknown linear projection {method!r}: expected pca or svd")
    check_dims(dims)
    x = _checked(np.asarray(x))
    centre = np.zeros(x.shape[1])
    if method == Method.PCA:
        centre = x.mean(axis=0, dtype=np.float64)
    values, directions = np.linalg.eigh(_moments(x, centre))
    floor = _ROUNDING * max(float(values[-1]), len(x) * float(centre @ centre))
    axes = _axes(values[::-1], directions[:, ::-1], dims, floor)
    coordinates = np.concatenate([(block - centre) @ axes for block in _blocks(x)])
    total = float(values.clip(min=0.0).sum()) or 1.0
    shown = [float(v) for v in values[::-1][:dims]] + [0.0] * (dims - len(values))
    explained = tuple(v / total if axes[:, i].any() else 0.0 for i, v in enumerate(shown))
    return Projection(Method(method), coordinates.astype(np.float32), explained)


def check_dims(dims: int) -> None:
    """Refuse a number of dimensions that no picture has.

    Raises:
        InputError: Neither 2 nor 3.
    """
    if dims not in DIMS or not isinstance(dims, int):
        raise InputError(f"a picture has 2 or 3 dimensions, got {dims!r}")


def _checked(x: FloatArray) -> FloatArray:
    if x.ndim != 2 or len(x) < 2 or x.shape[1] < 1 or not np.isfinite(x).all():
        raise InputError(
            f"a projection needs finite embeddings (N, D) with N >= 2, got shape {x.shape}"
        )
    return x


def _blocks(x: FloatArray) -> list[FloatArray]:
    """Cut the rows, so that no float64 copy of the whole cloud is ever made."""
    return [x[start : start + _BLOCK_ROWS] for start in range(0, len(x), _BLOCK_ROWS)]


def _moments(x: FloatArray, centre: FloatArray) -> FloatArray:
    """Return the sum of outer products of the rows less `centre`, float64, shape (D, D).

    The centre is taken from the rows, not from the product, where a cone's mean would swamp them.
    """
    total = np.zeros((x.shape[1], x.shape[1]))
    for block in _blocks(x):
        less = block - centre
        total += less.T @ less
    return total


def _axes(values: FloatArray, directions: FloatArray, dims: int, floor: float) -> FloatArray:
    """Return the leading directions with their signs settled, shape (D, dims); see `project`.

    Args:
        values: Eigenvalues, falling, shape (D,).
        directions: Their eigenvectors in columns, shape (D, D).
        dims: Columns of the result.
        floor: Directions whose eigenvalue is not above this are rounding; their columns are zero.
    """
    axes = np.zeros((len(values), dims))
    for i in range(min(dims, len(values))):
        if values[i] > floor:
            axis = directions[:, i]
            axes[:, i] = axis * np.sign(axis[np.abs(axis).argmax()])
    return axes
