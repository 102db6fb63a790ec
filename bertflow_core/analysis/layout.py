"""A cloud in two dimensions, and how far such a picture can be believed.

PCA and SVD lay rows along their principal directions, centred or not; UMAP is in `umap_layout`. No
picture keeps every distance: what it did keep is counted point by point.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray, Rows

DEFAULT_K = 15
"""Neighbours of each point that are compared."""

_DIMS, _ROWS_AT_ONCE = 2, 8192


class Method(StrEnum):
    """How a cloud is brought into a picture."""

    PCA = "pca"
    SVD = "svd"
    UMAP = "umap"


@dataclass(frozen=True, eq=False)
class Projection:
    """The coordinates of each row of a cloud in a picture."""

    method: Method
    coordinates: FloatArray = field(repr=False)  # float32, shape (N, 2)
    explained: tuple[float, ...] | None  # share of each axis: of variance (pca) or squares (svd)


@dataclass(frozen=True, eq=False)
class Plane:
    """Two orthonormal directions of a cloud of K features, on which any rows can be laid."""

    centre: FloatArray = field(repr=False)  # what is taken away first, shape (K,)
    axes: FloatArray = field(repr=False)  # columns, shape (K, 2); one that does not exist is zero
    explained: tuple[float, ...]  # share of each axis, as `Projection` has it

    @classmethod
    def of(cls, x: FloatArray, method: str = Method.PCA) -> "Plane":
        """Find the directions of most variance (pca) or squares (svd) of rows, (N, K), N >= 2.

        `pca` takes the mean row away first. `svd` does not, so that its first axis shows how far
        the cloud lies from the origin: the cone. The directions are eigenvectors of the K x K
        matrix of second moments, in float64. An axis whose share is only rounding, or that a cloud
        of one feature lacks, is zero, and so is its share.
        """
        moments = Moments.of(x)
        if method == Method.SVD:
            moments = moments.uncentred
        values, directions = moments.leading(_DIMS)
        axes, shares = np.zeros((x.shape[1], _DIMS)), np.zeros(_DIMS)
        for i in np.flatnonzero(values):
            axes[:, i], shares[i] = directions[:, i], values[i] / np.trace(moments.covariance)
        return cls(moments.mean, axes, tuple(map(float, shares)))

    def place(self, x: FloatArray) -> FloatArray:
        """Return the coordinates of rows, shape (N, K), float32, shape (N, 2)."""
        blocks = [(rows - self.centre) @ self.axes for rows in row_blocks(x, _ROWS_AT_ONCE)]
        return np.concatenate(blocks).astype(np.float32)


def project(x: FloatArray, method: str = Method.PCA) -> Projection:
    """Lay a cloud, shape (N, K), N >= 2, on its own `Plane`."""
    plane = Plane.of(x, method)
    return Projection(Method(method), plane.place(x), plane.explained)


@dataclass(frozen=True, eq=False)
class Faithfulness:
    """How well a picture keeps neighbourhoods."""

    k: int
    # Of each point the share of its k nearest in the full space that is among its k nearest in the
    # picture, shape (N,); NaN where the picture is one point, in which nothing is nearest.
    shares: FloatArray = field(repr=False)

    @property
    def mean(self) -> float | None:
        """Mean share, in [0, 1]; None where the picture is one point."""
        return None if np.isnan(self.shares).any() else float(self.shares.mean())

    @property
    def chance(self) -> float:
        """The mean share that a picture of shuffled points would have, k / (N - 1)."""
        return self.k / (len(self.shares) - 1)


def counted_neighbours(n: int, k: int = DEFAULT_K) -> int:
    """Return how many neighbours of `n` >= 2 points are compared: `k`, or half of the others.

    With more than half of them the share would be high for any picture.
    """
    return min(k, max(1, (n - 1) // 2))


def faithfulness(coordinates: FloatArray, neighbours: Rows, *, k: int = DEFAULT_K) -> Faithfulness:
    """Compare the k nearest of each point in a picture, (N, 2), with those in the full space.

    `neighbours` has the rows of each point's nearest, nearest first, itself left out, (N, k) or
    more. Of equal distances in the picture any may count as the nearer.
    """
    k = counted_neighbours(len(coordinates), k)
    if is_one_point(coordinates):
        return Faithfulness(k, np.full(len(coordinates), np.nan))
    shown = _nearest_shown(coordinates, k)
    kept = (neighbours[:, :k, None] == shown[:, None, :]).any(axis=2)
    return Faithfulness(k, kept.mean(axis=1))


def _nearest_shown(coordinates: FloatArray, k: int) -> npt.NDArray[np.int64]:
    """Return rows of each point's k nearest in the picture, itself left out, shape (N, k)."""
    from scipy.spatial import cKDTree

    nearest = np.asarray(cKDTree(coordinates).query(coordinates, k=k + 1)[1], np.int64)
    own = nearest == np.arange(len(nearest))[:, None]
    own[~own.any(axis=1), -1] = True  # more points coincide with it than were requested
    others: npt.NDArray[np.int64] = nearest[~own].reshape(len(nearest), k)
    return others
