"""The rows of one space for each group of measures, and intermediate results that they share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bertflow_core.analysis.gaussianity import matched_gaussian
from bertflow_core.analysis.neighbours import knn
from bertflow_core.arrays.moments import singular_values
from bertflow_core.arrays.types import FloatArray

K_HUBS = 10  # number of neighbours for hubs and for the distances relative to Gaussian rows


@dataclass(frozen=True, eq=False)
class Cloud:
    """All sentences, duplicates included, shape (N, K)."""

    z: FloatArray
    seed: int = 0
    precision: str | None = None  # precision of the embeddings, if coarser than their dtype

    @cached_property
    def singular_values(self) -> FloatArray:
        """Standard deviations along the principal directions, descending, shape (K,)."""
        return singular_values(self.z, self.precision)


@dataclass(frozen=True, eq=False)
class PositivePairs:
    """Distinct sentences, shape (N, K), and both sides of the positive pairs, (P, K) each."""

    z: FloatArray
    first: FloatArray
    second: FloatArray


@dataclass(frozen=True, eq=False)
class Near:
    """More than K_HUBS distinct sentences, only one of each pair, shape (N, K)."""

    z: FloatArray
    seed: int = 0

    @cached_property
    def distances(self) -> FloatArray:
        """Distances to the nearest others, ascending, shape (N, K_HUBS)."""
        return knn(self.z, K_HUBS)[0]

    @cached_property
    def of_gaussian(self) -> FloatArray:
        """Distance of each of N Gaussian rows to its K_HUBS-th nearest other, shape (N,)."""
        return knn(matched_gaussian(self.z, len(self.z), seed=self.seed), K_HUBS)[0][:, -1]

    def distance_ratio(self) -> float | None:
        """Return the median distance to neighbour K_HUBS, divided by that of Gaussian rows."""
        typical = np.median(self.of_gaussian)
        return float(np.median(self.distances[:, -1]) / typical) if typical > 0 else None


@dataclass(frozen=True, eq=False)
class Unseen:
    """Held-out sentences, shape (N, K), and log-densities by group, if the calibrator has any."""

    z: FloatArray
    likelihoods: Mapping[str, FloatArray] | None = None  # as `gaussianity.likelihoods`
