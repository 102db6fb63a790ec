"""Comparison of latent rows with a Gaussian: their norms, likelihoods, and matched samples.

Rows are not rescaled, so a different scale counts as a departure. Use held-out rows, since a map
makes the rows that it was fitted on look too Gaussian.
"""

from collections.abc import Callable

import numpy as np

from bertflow_core.arrays.linalg import centred
from bertflow_core.arrays.types import FloatArray

NORM_GAP = "norms against chi, Kolmogorov-Smirnov distance, 0 to 1"
"""What `norm_gap` measures."""


def norm_gap(z: FloatArray) -> float:
    """Return the largest gap between the distribution of the norms of `z`, (N, D), and chi's."""
    from scipy.stats import chi, kstest

    norms = np.linalg.norm(np.asarray(z, np.float64), axis=1)
    return float(kstest(norms, chi(z.shape[1]).cdf).statistic)


def likelihoods(
    log_density: Callable[[FloatArray], FloatArray],
    real: FloatArray,
    samples: FloatArray,
    *,
    seed: int = 0,
) -> dict[str, FloatArray]:
    """Return log-densities in nats of held-out rows, draws and midpoints of each, (N,) each."""
    groups = {"real": real, "samples": samples}
    groups |= {f"midpoints of {name}": midpoints(x, seed=seed) for name, x in groups.items()}
    return {name: log_density(x) for name, x in groups.items()}


def midpoints(x: FloatArray, *, seed: int = 0) -> FloatArray:
    """Return midpoints of neighbours in a random cycle through the rows of `x`, (N, D), N >= 2."""
    order = np.random.default_rng(seed).permutation(len(x))
    return (np.asarray(x)[order] + np.asarray(x)[np.roll(order, 1)]) / 2


def matched_gaussian(x: FloatArray, n: int, *, seed: int = 0) -> FloatArray:
    """Draw `n` rows of a Gaussian with the mean and the covariance (over N - 1) of `x`, (N, D)."""
    x = np.asarray(x, np.float64)
    weights = np.random.default_rng(seed).standard_normal((n, len(x))) / np.sqrt(len(x) - 1)
    drawn: FloatArray = x.mean(axis=0) + weights @ centred(x)
    return drawn
