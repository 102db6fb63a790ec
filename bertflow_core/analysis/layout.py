"""Two-dimensional pictures of rows, and their faithfulness.

PCA and SVD project rows to their principal directions, centred or not; UMAP is in `umap_layout`. No
picture keeps all distances; its faithfulness is the share of neighbours that it keeps.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray, Rows

DEFAULT_K = 15  # number of neighbours compared for each point
_DIMS, _ROWS_AT_ONCE = 2, 8192


class Method(StrEnum):
    """The projection of a picture."""

    PCA = "pca"
    SVD = "svd"
    UMAP = "umap"


@dataclass(frozen=True, eq=False)
class Projection:
    """The coordinates of rows in a picture."""

    method: Method
    coordinates: FloatArray = field(repr=False)  # float32, shape (N, 2)
    explained: tuple[float, ...] | None  # share of each axis: of variance (pca) or squares (svd)


@dataclass(frozen=True, eq=False)
class Plane:
    """Two orthonormal directions in K features, to which any rows can be projected."""

    centre: FloatArray = field(repr=False)  # the origin, which is subtracted, shape (K,)
    axes: FloatArray = field(repr=False)  # columns, shape (K, 2); a missing one is zero
    explained: tuple[float, ...]  # share of each axis, as in `Projection`

    @classmethod
    def of(cls, x: FloatArray, method: str = Method.PCA) -> "Plane":
        """Find directions of largest variance (pca) or sum of squares (svd) of rows (N, K), N >= 2.

        `pca` subtracts the mean row. `svd` does not, so that its first axis shows the distance from
        the origin, the cone. The directions are eigenvectors of the K x K matrix of second moments,
        in float64. An axis is zero, with share 0, if its share is only rounding error or there is
        only one feature.
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
        """Return the coordinates, float32, shape (N, 2), of rows of shape (N, K)."""
        blocks = [(rows - self.centre) @ self.axes for rows in row_blocks(x, _ROWS_AT_ONCE)]
        return np.concatenate(blocks).astype(np.float32)


def project(x: FloatArray, method: str = Method.PCA) -> Projection:
    """Project rows, shape (N, K), N >= 2, to their own `Plane`."""
    plane = Plane.of(x, method)
    return Projection(Method(method), plane.place(x), plane.explained)


@dataclass(frozen=True, eq=False)
class Faithfulness:
    """The share of neighbours that a picture keeps."""

    k: int
    # For each point the share of its k nearest rows in the full space among its k nearest in the
    # picture, shape (N,); NaN in a picture of one point, where nothing is nearest.
    shares: FloatArray = field(repr=False)

    @property
    def mean(self) -> float | None:
        """Mean of `shares`, in [0, 1]; None in a picture of one point."""
        return None if np.isnan(self.shares).any() else float(self.shares.mean())

    @property
    def chance(self) -> float:
        """The expected share of kept neighbours if the points were shuffled, k / (N - 1)."""
        return self.k / (len(self.shares) - 1)


def faithfulness(coordinates: FloatArray, neighbours: Rows, *, k: int = DEFAULT_K) -> Faithfulness:
    """Compare the k nearest of each point in a picture, (N, 2), with those in the full space.

    `neighbours` has each point's nearest rows without itself, nearest first, (N, k) or more. k
    is at most half of the number of other points. Equal distances in the picture may be ordered
    either way.
    """
    k = min(k, max(1, (len(coordinates) - 1) // 2))
    if is_one_point(coordinates):
        return Faithfulness(k, np.full(len(coordinates), np.nan))
    shown = _nearest_shown(coordinates, k)
    kept = (neighbours[:, :k, None] == shown[:, None, :]).any(axis=2)
    return Faithfulness(k, kept.mean(axis=1))


def _nearest_shown(coordinates: FloatArray, k: int) -> npt.NDArray[np.int64]:
    """Return each point's k nearest rows in the picture without itself, shape (N, k)."""
    from scipy.spatial import cKDTree

    nearest = np.asarray(cKDTree(coordinates).query(coordinates, k=k + 1)[1], np.int64)
    own = nearest == np.arange(len(nearest))[:, None]
    own[~own.any(axis=1), -1] = True  # more points coincide with it than were requested
    others: npt.NDArray[np.int64] = nearest[~own].reshape(len(nearest), k)
    return others
