"""The plane of a map: fitted on real sentences, other sentences are put into it."""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.calibrators.moments import covariance, principal_directions
from bertflow_core.numerics import FloatArray, unit_rows

__all__ = ["Plane", "fit_plane"]


@dataclass(frozen=True, eq=False)
class Plane:
    """Two principal directions of rows at length 1, whose distances order rows as cosine does.

    Attributes:
        mean: Of the unit rows, shape (K,).
        axes: Orthonormal columns, shape (K, 2); a direction that does not exist is zero.
        explained: Share of the unit rows' variance on each axis, in [0, 1].
    """

    mean: FloatArray = field(repr=False)
    axes: FloatArray = field(repr=False)
    explained: tuple[float, float]

    def place(self, z: FloatArray) -> FloatArray:
        """Return where rows, shape (N, K), stand in the plane, float32, shape (N, 2)."""
        placed: FloatArray = ((unit_rows(z) - self.mean) @ self.axes).astype(np.float32)
        return placed


def fit_plane(z: FloatArray) -> Plane:
    """Fit the plane of most variance to rows at length 1 (PCA).

    Args:
        z: Rows, shape (N, K), N >= 2.
    """
    mean, matrix = covariance(unit_rows(z))
    variances, directions = principal_directions(matrix)
    axes, shares = np.zeros((len(mean), 2)), np.zeros(2)
    n_axes = min(2, len(mean))
    axes[:, :n_axes] = directions[:, :n_axes]
    shares[:n_axes] = variances[:n_axes] / (variances.sum() or 1.0)
    return Plane(mean, axes, (float(shares[0]), float(shares[1])))
