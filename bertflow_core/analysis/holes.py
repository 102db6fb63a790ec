"""Holes: places that are likely under the prior and far from every sentence.

Three measures: the distance between neighbours, relative to a Gaussian cloud of the same
covariance; the distance of model samples to real rows, relative to that between real rows; and the
density of real rows, of samples, and of midpoints of either. In a space without holes, samples are
no further from the data than the data is from itself; where its density is convex in shape,
midpoints of real rows differ from real rows as midpoints of samples differ from samples.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bertflow_core.analysis.neighbours import knn
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, centred, checked_cloud

__all__ = [
    "Likelihoods",
    "gaussian_distance_ratio",
    "likelihoods",
    "matched_gaussian",
    "midpoints",
    "sample_distance_ratio",
]


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """Log-densities in nats; the Jacobian's share is in them.

    Attributes:
        real: Of rows that the density was not fitted on, shape (N,).
        samples: Of as many draws from the density itself, shape (N,).
        real_midpoints: Halfway between two real rows, shape (N,).
        sample_midpoints: Halfway between two samples, shape (N,): what convexity alone gives.
    """

    real: FloatArray = field(repr=False)
    samples: FloatArray = field(repr=False)
    real_midpoints: FloatArray = field(repr=False)
    sample_midpoints: FloatArray = field(repr=False)

    def groups(self) -> dict[str, FloatArray]:
        """Return the four by name, in the order of a legend."""
        return {
            "real": self.real,
            "samples": self.samples,
            "midpoints of real": self.real_midpoints,
            "midpoints of samples": self.sample_midpoints,
        }


def likelihoods(
    log_density: Callable[[FloatArray], FloatArray],
    real: FloatArray,
    samples: FloatArray,
    *,
    seed: int = 0,
) -> Likelihoods:
    """Score real rows, samples, and midpoints of random pairs of each.

    Args:
        log_density: From rows, shape (M, D), to log-densities in nats, shape (M,).
        real: Held-out rows, shape (N, D), N >= 2, in the space of the density.
        samples: Draws from the density, shape (N, D).
        seed: Random seed.
    """
    return Likelihoods(
        log_density(real),
        log_density(samples),
        log_density(midpoints(real, seed=seed)),
        log_density(midpoints(samples, seed=seed)),
    )


def midpoints(x: FloatArray, *, seed: int = 0) -> FloatArray:
    """Return the mean of each row of `x`, shape (N, D), N >= 2, and another, each used twice.

    The pairs are neighbours in a random cycle through all rows.
    """
    if len(x) < 2:
        raise InputError(f"midpoints need at least 2 rows, got {len(x)}")
    order = np.random.default_rng(seed).permutation(len(x))
    between: FloatArray = (np.asarray(x)[order] + np.asarray(x)[np.roll(order, 1)]) / 2
    return between


def matched_gaussian(x: FloatArray, n: int, *, seed: int = 0) -> FloatArray:
    """Draw `n` rows of a Gaussian with the mean and the covariance (over N - 1) of `x`.

    A draw is the mean plus a random combination of the centred rows, g^T (x - mean) / sqrt(N - 1)
    with g of N(0, I), whose covariance is that of `x`, for any rank.

    Args:
        x: Embeddings, shape (N, D), N >= 2.
        n: Rows to draw.
        seed: Random seed.
    """
    x = checked_cloud(x)
    weights = np.random.default_rng(seed).standard_normal((n, len(x))) / np.sqrt(len(x) - 1)
    drawn: FloatArray = x.mean(axis=0) + weights @ centred(x)
    return drawn


def gaussian_distance_ratio(distances: FloatArray, x: FloatArray, *, seed: int = 0) -> float | None:
    """Return the median distance to the k-th neighbour over that in a Gaussian cloud.

    The Gaussian has as many rows, and the mean and covariance of `x`. 1 for a Gaussian; below 1
    where rows gather in clumps and leave the rest empty.

    Args:
        distances: To the k nearest other rows of each row of `x`, rising, shape (N, k).
        x: Embeddings, shape (N, D).
        seed: Random seed.

    Returns:
        None where the Gaussian has no extent.
    """
    k = distances.shape[1]
    gaussian, _ = knn(matched_gaussian(x, len(x), seed=seed), k)
    typical = np.median(gaussian[:, -1])
    return float(np.median(distances[:, -1]) / typical) if typical > 0 else None


def sample_distance_ratio(
    reference: FloatArray, real: FloatArray, samples: FloatArray, k: int
) -> float | None:
    """Return how far samples lie from real rows, over how far other real rows lie from them.

    Of the distances to the k-th nearest row of `reference`, the median over samples by the median
    over real rows: 1 without holes, above 1 where samples fall where no sentence is.

    Args:
        reference: Real rows to be near to, shape (M, D), M >= k.
        real: Other real rows, shape (N, D).
        samples: Draws in the same space, shape (S, D).
        k: Which neighbour.

    Returns:
        None where the median real row lies on its k-th neighbour.
    """
    of_real, of_samples = (
        float(np.median(knn(reference, k, queries=rows)[0][:, -1])) for rows in (real, samples)
    )
    return of_samples / of_real if of_real > 0 else None
