"""Energy distance of rows to a standard normal, whose own side is known in closed form."""

from functools import cache, lru_cache

import numpy as np

from bertflow_core.linalg import FloatArray, checked_cloud

__all__ = ["N_DRAWS", "energy_distance", "energy_floor", "mean_distance_to_normal"]

N_DRAWS = 19
"""Simulated samples: as many Gaussian rows exceed the largest of them once in twenty."""

_ROWS_AT_ONCE = 512
_NODES = 160


def energy_distance(z: FloatArray) -> float:
    """Return 2 E|z - g| - E|z - z'| - E|g - g'|, g and g' of N(0, I): 0 in expectation for N(0, I).

    It sees a wrong mean, scale, correlation or shape alike. The mean over z - z' is of different
    rows, so that it is unbiased and may fall a little below 0.

    Args:
        z: Latent rows, shape (N, D), N >= 2; time goes with N^2.

    Returns:
        A number in the unit of |z|.

    References:
        A new test for multivariate normality (Székely and Rizzo, 2005), equation 3.
    """
    z = checked_cloud(z)
    d = z.shape[1]
    to_normal = mean_distance_to_normal(np.square(z).sum(axis=1), d).mean()
    between_normals = np.sqrt(2) * mean_distance_to_normal(np.zeros(1), d)[0]
    return float(2 * to_normal - _mean_distance(z) - between_normals)


@lru_cache(maxsize=64)
def energy_floor(n: int, d: int, *, seed: int = 0) -> float:
    """Return the largest energy distance of `N_DRAWS` samples of N(0, I), each of shape (n, d).

    N Gaussian rows lie above it once in twenty.
    """
    rng = np.random.default_rng(seed)
    return max(energy_distance(rng.standard_normal((n, d))) for _ in range(N_DRAWS))


def mean_distance_to_normal(squared_norms: FloatArray, d: int) -> FloatArray:
    r"""Return E|x - g| for g of N(0, I) and points x of these squared norms, shape (N,).

    |x - g|^2 is a noncentral chi-square Y, with the Laplace transform M(t) = E exp(-t Y) =
    (1 + 2 t)^{-D/2} exp(-|x|^2 t / (1 + 2 t)), and

    .. math:: E \sqrt{Y} = \pi^{-1/2} \int_0^\infty (1 - M(s^2)) s^{-2} ds,

    here with s = tan(a) / sqrt(E Y) and Gauss-Legendre nodes in a. It equals sqrt(2) Gamma((D + 1)
    / 2) / Gamma(D / 2) 1F1(-1/2; D/2; -|x|^2 / 2), whose series fails where |x|^2 is about D.

    Args:
        squared_norms: |x|^2, shape (N,).
        d: Dimensions D.
    """
    angles, weights = _quadrature()
    norms = np.asarray(squared_norms, np.float64)[:, None]
    scale = norms + d  # E Y
    t = np.square(np.tan(angles)) / scale
    log_m = -d / 2 * np.log1p(2 * t) - norms * t / (1 + 2 * t)
    integrand = -np.expm1(log_m) / np.square(np.sin(angles))
    means: FloatArray = np.sqrt(scale[:, 0] / np.pi) * (integrand @ weights)
    return means


@cache
def _quadrature() -> tuple[FloatArray, FloatArray]:
    """Return Gauss-Legendre nodes and weights from 0 to pi / 2."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return np.pi / 4 * (nodes + 1), np.pi / 4 * weights


def _mean_distance(z: FloatArray) -> float:
    """Return the mean distance over all pairs of different rows of `z`, shape (N, D)."""
    squares = np.square(z).sum(axis=1)
    total, n = 0.0, len(z)
    for start in range(0, n, _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        distances = squares[block, None] + squares - 2 * (z[block] @ z.T)
        own = np.arange(start, min(start + _ROWS_AT_ONCE, n))
        distances[own - start, own] = 0.0  # not what rounding leaves of it
        total += np.sqrt(distances.clip(min=0.0)).sum()
    return total / (n * (n - 1))
