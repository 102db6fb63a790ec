"""How far a picture can be believed: the share of each point's neighbours that it keeps.

A picture in two or three dimensions cannot keep every distance. What it did keep is counted point
by point, so that a reader sees which parts of it to trust.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray

__all__ = ["DEFAULT_K", "Faithfulness", "faithfulness", "judged_neighbours"]

DEFAULT_K = 15


@dataclass(frozen=True, eq=False)
class Faithfulness:
    """How well a picture keeps neighbourhoods.

    Attributes:
        k: Neighbours that were compared.
        shares: Of each point's k nearest in the full space, the share that is among its k nearest
            in the picture, in [0, 1], shape (N,); NaN where the picture is one point, in which
            nothing is nearest.
    """

    k: int
    shares: FloatArray = field(repr=False)

    @property
    def mean(self) -> float | None:
        """Mean share, in [0, 1]; None where the picture is one point."""
        return None if np.isnan(self.shares).any() else float(self.shares.mean())

    @property
    def chance(self) -> float:
        """The mean share that a picture of shuffled points would have, k / (N - 1)."""
        return self.k / (len(self.shares) - 1)

    def describe(self) -> str:
        """Return the mean and what it is as one sentence."""
        if self.mean is None:
            return "The picture is one point: it keeps no neighbours."
        return (
            f"Of each point's {self.k} nearest in the full space, {self.mean:.0%} are among its "
            f"{self.k} nearest in the picture (chance: {self.chance:.1%})."
        )


def judged_neighbours(n: int, k: int = DEFAULT_K) -> int:
    """Return how many neighbours of N = `n` points are compared: `k`, or half of the others.

    With more than half of them the share would be high for any picture.

    Raises:
        InputError: Fewer than two points, or a `k` below 1.
    """
    if n < 2 or k < 1:
        raise InputError(f"faithfulness needs two points and k of at least 1, got {n} and {k}")
    return min(k, max(1, (n - 1) // 2))


def faithfulness(
    coordinates: FloatArray, neighbours: npt.NDArray[np.integer], *, k: int = DEFAULT_K
) -> Faithfulness:
    """Compare the neighbours of each point in a picture with those in the full space.

    Of equal distances in the picture any may count as the nearer.

    Args:
        coordinates: The picture, shape (N, 2) or (N, 3).
        neighbours: Rows of each point's nearest in the full space, nearest first, itself left out,
            shape (N, at least k).
        k: How many to compare; see `judged_neighbours` for few points.

    Raises:
        InputError: Shapes that do not fit, or coordinates that are not finite.
    """
    coordinates, neighbours = np.asarray(coordinates), np.asarray(neighbours)
    k = judged_neighbours(len(coordinates), k)
    if coordinates.ndim != 2 or not np.isfinite(coordinates).all():
        raise InputError(f"a picture needs finite coordinates (N, 2), got {coordinates.shape}")
    if neighbours.ndim != 2 or len(neighbours) != len(coordinates) or neighbours.shape[1] < k:
        raise InputError(
            f"expected {k} neighbours of each of {len(coordinates)} points, got {neighbours.shape}"
        )
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
