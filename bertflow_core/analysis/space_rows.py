"""The rows of one space for each group of measures, and intermediate results that they share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bertflow_core.analysis.gaussianity import (
    NormTest,
    matched_gaussian,
    norms_test,
    sample_distance_ratio,
)
from bertflow_core.analysis.isotropy import expected_iso_score, iso_score, two_nn
from bertflow_core.analysis.neighbours import knn
from bertflow_core.arrays.moments import singular_values
from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.arrays.types import FloatArray

K_HUBS = 10  # number of neighbours for hubs and for the distances relative to Gaussian rows
ENERGY_ROWS = 1_000  # largest number of rows for the energy distance and its simulated floor


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
class Pairs:
    """Distinct sentences, shape (N, K), and both sides of the positive pairs, (P, K) each."""

    z: FloatArray
    first: FloatArray
    second: FloatArray


@dataclass(frozen=True, eq=False)
class Near:
    """Sentences whose distances to their neighbours are measured."""

    z: FloatArray  # more than K_HUBS distinct sentences, only one of each pair, shape (N, K)
    with_partners: FloatArray  # some of them, each with a partner, shape (M, K); may be empty
    seed: int = 0

    @cached_property
    def distances(self) -> FloatArray:
        """Distances to the nearest others, ascending, shape (N, K_HUBS)."""
        return knn(self.z, K_HUBS)[0]

    def dimension_with_partners(self) -> float | None:
        """Return the TwoNN dimension of `with_partners`; None if there are too few sentences."""
        few = len(self.with_partners) <= K_HUBS
        return None if few else two_nn(knn(self.with_partners, 2)[0])

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
    """Held-out sentences, samples in the same space, and densities of both."""

    z: FloatArray
    samples: FloatArray
    likelihoods: Mapping[str, FloatArray] | None = None  # by group
    seed: int = 0

    @cached_property
    def norms(self) -> NormTest:
        """The test of the sentences' norms against the chi distribution."""
        return norms_test(self.z)

    @cached_property
    def few(self) -> FloatArray:
        """At most ENERGY_ROWS of the sentences."""
        return self.z[sample_rows(len(self.z), ENERGY_ROWS, seed=self.seed)]

    def iso_ratio(self) -> float | None:
        """Return IsoScore divided by that of as many Gaussian rows."""
        found, expected = iso_score(self.z), expected_iso_score(*self.z.shape)
        return None if found is None or expected is None else found / expected

    def sample_distance(self) -> float | None:
        """Return `sample_distance_ratio` to half of the rows: samples against the other half."""
        half = np.random.default_rng(self.seed).permutation(len(self.z)) % 2 == 0
        if half.sum() <= K_HUBS:
            return None
        return sample_distance_ratio(self.z[half], self.z[~half], self.samples, K_HUBS)
