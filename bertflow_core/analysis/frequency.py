"""What frequency does to word vectors: norm and neighbours by rank, and directions.

Table 1 of Li et al. (2020), and their reading of its equation 3: a dot product of a word with a
context follows log p(word) among other terms, so that frequency shapes the space.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from bertflow_core.errors import InputError
from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    centred,
    principal_directions,
    second_moments,
)

__all__ = ["Bin", "coordinate_rhos", "frequency_bins", "mean_of_nearest"]


@dataclass(frozen=True)
class Bin:
    """The words whose ranks lie in [low, high).

    Attributes:
        low: First rank, from 0.
        high: First rank beyond.
        n: Words; fewer than high - low where the list runs out or not every rank is covered.
        mean_norm: Mean L2 norm; None without words, as are the others.
        knn_l2: By k, the mean L2 distance to the k nearest rows, averaged over words.
        knn_dot: By k, the mean dot product with the k rows of largest product.
    """

    low: int
    high: int
    n: int
    mean_norm: float | None
    knn_l2: Mapping[int, float | None]
    knn_dot: Mapping[int, float | None]

    def value(self, measure: str, k: int | None = None) -> float | None:
        """Return `mean_norm`, or `knn_l2` or `knn_dot` of a k; None where that was not measured."""
        field = getattr(self, measure)
        value: float | None = field.get(k) if isinstance(field, Mapping) else field
        return value

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return {
            "range": [self.low, self.high],
            "n": self.n,
            "mean_norm": self.mean_norm,
            "knn_l2": {str(k): value for k, value in self.knn_l2.items()},
            "knn_dot": {str(k): value for k, value in self.knn_dot.items()},
        }


def mean_of_nearest(values: FloatArray, ks: Sequence[int]) -> dict[int, FloatArray]:
    """Return by k the mean over the k nearest.

    Args:
        values: Distances or products, nearest first, shape (n, K).
        ks: Each from 1 to K.
    """
    return {k: values[:, :k].mean(axis=1) for k in ks}


def frequency_bins(
    ranks: npt.NDArray[np.int64],
    norms: FloatArray,
    knn_l2: Mapping[int, FloatArray],
    knn_dot: Mapping[int, FloatArray],
    edges: Sequence[int],
) -> tuple[Bin, ...]:
    """Average the measures of words over bins of frequency rank.

    Args:
        ranks: From 0, shape (n,).
        norms: L2 norms, shape (n,).
        knn_l2: By k, each word's mean L2 distance to its k nearest, shape (n,).
        knn_dot: By k, each word's mean dot product with its k nearest, shape (n,).
        edges: Rising ranks; bin i holds [edges[i], edges[i + 1]).

    Raises:
        InputError: Fewer than two edges, or edges that do not rise from 0 or above.
    """
    if len(edges) < 2 or edges[0] < 0 or any(b <= a for a, b in pairwise(edges)):
        raise InputError(f"bins need two or more edges that rise from 0, got {list(edges)}")
    bins = []
    for low, high in pairwise(edges):
        inside = (ranks >= low) & (ranks < high)
        bins.append(
            Bin(
                low,
                high,
                int(inside.sum()),
                _mean(norms[inside]),
                {k: _mean(values[inside]) for k, values in knn_l2.items()},
                {k: _mean(values[inside]) for k, values in knn_dot.items()},
            )
        )
    return tuple(bins)


def _mean(values: FloatArray) -> float | None:
    return float(values.mean(dtype=np.float64)) if len(values) else None


def coordinate_rhos(
    x: FloatArray, log_frequency: FloatArray, *, n_coordinates: int = 20
) -> tuple[float | None, ...]:
    """Return |Spearman| of each leading singular coordinate with log frequency, strongest first.

    The coordinates are those of the centred vectors on their right singular vectors, in the order
    of the singular values; a direction's sign means nothing, hence the absolute value. Where all
    singular values are alike, as after whitening, their order means little.

    Args:
        x: Word vectors, shape (n, D), n >= 3.
        log_frequency: shape (n,); only its order matters.
        n_coordinates: How many; fewer come back where D or n - 1 is less.

    Returns:
        Each in [0, 1]; None where the coordinate or the frequency does not vary.

    Raises:
        InputError: Shapes that do not fit, or values that are not finite.
    """
    x = np.asarray(x, np.float64)
    if x.ndim != 2 or len(x) < 3 or log_frequency.shape != (len(x),) or not np.isfinite(x).all():
        raise InputError(
            f"coordinates need finite vectors (n, D), n >= 3, and a frequency each, got {x.shape} "
            f"and {log_frequency.shape}"
        )
    less = centred(x)
    squares, directions = principal_directions(second_moments(less))
    ranked = stats.rankdata(log_frequency)
    rhos: list[float | None] = []
    for k in range(min(n_coordinates, x.shape[1], len(x) - 1)):
        varies = squares[k] > VARIANCE_FLOOR * squares[0] and np.ptp(ranked) > 0
        rhos.append(_abs_rho(less @ directions[:, k], ranked) if varies else None)
    return tuple(rhos)


def _abs_rho(coordinate: FloatArray, ranked: FloatArray) -> float:
    return float(abs(np.corrcoef(stats.rankdata(coordinate), ranked)[0, 1]))
