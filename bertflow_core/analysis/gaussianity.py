"""Comparison of latent rows with N(0, I), and holes: likely regions far from every sentence.

Rows are not rescaled, so a different scale counts as a departure. Use held-out rows, since a map
makes the rows that it was fitted on look too Gaussian.

In a space without holes, samples are no further from the data than data points are from each other,
and averaging two real rows changes the likelihood as much as averaging two samples.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from bertflow_core.analysis.neighbours import knn
from bertflow_core.arrays.linalg import centred, squared_distances
from bertflow_core.arrays.types import FloatArray

N_GAUSSIAN_DRAWS = 19
"""Number of simulated samples; 1 in 20 Gaussian data sets has a larger statistic than all."""

_NODES = 160  # of the quadrature


@dataclass(frozen=True)
class NormTest:
    """Norms against the chi distribution with D degrees of freedom (Kolmogorov-Smirnov test).

    The expected mean is sqrt(2) Gamma((D + 1) / 2) / Gamma(D / 2), about sqrt(D).
    """

    statistic: float
    p_value: float
    mean: float
    mean_expected: float


def norms_test(z: FloatArray) -> NormTest:
    """Test the norms of latent rows `z`, shape (N, D), against chi(D)."""
    from scipy.stats import chi, kstest

    norms = np.linalg.norm(np.asarray(z, np.float64), axis=1)
    expected = chi(z.shape[1])
    statistic, p_value = kstest(norms, expected.cdf)
    return NormTest(float(statistic), float(p_value), float(norms.mean()), float(expected.mean()))


def energy_distance(z: FloatArray) -> float:
    """Return 2 E|z - g| - E|z - z'| - E|g - g'| for rows (N, D), N >= 2, and g, g' from N(0, I).

    The mean of |z - z'| is over pairs of different rows, so the estimate is unbiased and may be
    slightly negative. The terms with g have a closed form. The time grows with N^2.
    """
    z = np.asarray(z, np.float64)
    n, d = z.shape
    squares = np.square(z).sum(axis=1)
    to_normal = mean_distance_to_normal(squares, d).mean()
    between_normals = np.sqrt(2) * mean_distance_to_normal(np.zeros(1), d)[0]
    total = sum(np.sqrt(block).sum() for block in squared_distances(z))
    return float(2 * to_normal - total / (n * (n - 1)) - between_normals)


@lru_cache(maxsize=64)
def energy_floor(n: int, d: int, *, seed: int = 0) -> float:
    """Return the largest energy distance to N(0, I) among samples that are drawn from it.

    Each of the `N_GAUSSIAN_DRAWS` samples has shape (n, d).
    """
    rng = np.random.default_rng(seed)
    return max(energy_distance(rng.standard_normal((n, d))) for _ in range(N_GAUSSIAN_DRAWS))


def mean_distance_to_normal(squared_norms: FloatArray, d: int) -> FloatArray:
    r"""Return E|x - g| for g from N(0, I) and points x with these squared norms, shape (N,).

    |x - g|^2 is a noncentral chi-square Y, with the Laplace transform M(t) = E exp(-t Y) = (1 + 2
    t)^{-D/2} exp(-|x|^2 t / (1 + 2 t)), and

    .. math:: E \sqrt{Y} = \pi^{-1/2} \int_0^\infty (1 - M(s^2)) s^{-2} ds,

    here with s = tan(a) / sqrt(E Y) and Gauss-Legendre nodes in a. It equals sqrt(2) Gamma((D + 1)
    / 2) / Gamma(D / 2) 1F1(-1/2; D/2; -|x|^2 / 2), whose series fails for |x|^2 near D.
    """
    angles, weights = _quadrature()
    norms = np.asarray(squared_norms, np.float64)[:, None]
    scale = norms + d  # E Y
    t = np.square(np.tan(angles)) / scale
    log_m = -d / 2 * np.log1p(2 * t) - norms * t / (1 + 2 * t)
    integrand = -np.expm1(log_m) / np.square(np.sin(angles))
    return np.sqrt(scale[:, 0] / np.pi) * (integrand @ weights)


@cache
def _quadrature() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return np.pi / 4 * (nodes + 1), np.pi / 4 * weights


def likelihoods(
    log_density: Callable[[FloatArray], FloatArray],
    real: FloatArray,
    samples: FloatArray,
    *,
    seed: int = 0,
) -> dict[str, FloatArray]:
    """Return the log-densities of four groups in nats, shape (N,) each.

    The groups are held-out rows (N, D), as many draws from the density, midpoints of two rows, and
    midpoints of two draws. The midpoints show the effect of averaging.
    """
    groups = {"real": real, "samples": samples}
    groups |= {f"midpoints of {name}": midpoints(x, seed=seed) for name, x in groups.items()}
    return {name: log_density(x) for name, x in groups.items()}


def midpoints(x: FloatArray, *, seed: int = 0) -> FloatArray:
    """Return midpoints of rows of `x`, shape (N, D), N >= 2, with each row used twice.

    The pairs are neighbours in a random cycle through all rows.
    """
    order = np.random.default_rng(seed).permutation(len(x))
    return (np.asarray(x)[order] + np.asarray(x)[np.roll(order, 1)]) / 2


def matched_gaussian(x: FloatArray, n: int, *, seed: int = 0) -> FloatArray:
    """Draw `n` rows of a Gaussian with the mean and the covariance (over N - 1) of `x`, (N, D).

    A draw is mean + g^T (x - mean) / sqrt(N - 1) with g from N(0, I); the covariance may be
    singular.
    """
    x = np.asarray(x, np.float64)
    weights = np.random.default_rng(seed).standard_normal((n, len(x))) / np.sqrt(len(x) - 1)
    drawn: FloatArray = x.mean(axis=0) + weights @ centred(x)
    return drawn


def sample_distance_ratio(
    reference: FloatArray, real: FloatArray, samples: FloatArray, k: int
) -> float | None:
    """Return a ratio of median distances to the k-th nearest row of `reference`.

    The median of the samples is divided by that of real rows; None if the latter is 0.
    """
    of_real, of_samples = (
        float(np.median(knn(reference, k, queries=rows)[0][:, -1])) for rows in (real, samples)
    )
    return of_samples / of_real if of_real > 0 else None
