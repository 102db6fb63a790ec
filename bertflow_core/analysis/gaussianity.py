"""Norms and coordinates of latent rows against those of N(0, I): tests and points to draw.

Rows are taken as they are: a space of another scale departs by its scale first.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bertflow_core.linalg import FloatArray, checked_cloud

__all__ = ["NormTest", "QuantilePoints", "coordinate_quantiles", "norm_quantiles", "norms_test"]

_N_POINTS = 200


@dataclass(frozen=True)
class NormTest:
    """Norms against the chi distribution with D degrees of freedom.

    Attributes:
        statistic: Kolmogorov and Smirnov's: the largest gap of the distributions, in [0, 1].
        p_value: Chance of such a gap for N(0, I).
        mean: Of the norms.
        mean_expected: Of chi(D): sqrt(2) Gamma((D + 1) / 2) / Gamma(D / 2), about sqrt(D).
    """

    statistic: float
    p_value: float
    mean: float
    mean_expected: float


@dataclass(frozen=True, eq=False)
class QuantilePoints:
    """Points of a Q-Q plot, both rising, shape (P,).

    Attributes:
        expected: Quantiles under N(0, I).
        found: Quantiles of the values.
    """

    expected: FloatArray = field(repr=False)
    found: FloatArray = field(repr=False)


def norms_test(z: FloatArray) -> NormTest:
    """Test the norms of latent rows `z`, shape (N, D), against chi(D).

    Rows that a calibrator was fitted on look more Gaussian than they are: give it held-out ones.
    """
    from scipy.stats import chi, kstest

    z = checked_cloud(z)
    norms = np.linalg.norm(z, axis=1)
    expected = chi(z.shape[1])
    test = kstest(norms, expected.cdf)
    return NormTest(
        float(test.statistic), float(test.pvalue), float(norms.mean()), float(expected.mean())
    )


def coordinate_quantiles(z: FloatArray, *, n_points: int = _N_POINTS) -> QuantilePoints:
    """Return the quantiles of all coordinates of `z`, shape (N, D), together, against N(0, 1)."""
    from scipy.special import ndtri

    return _quantiles(checked_cloud(z).ravel(), ndtri, n_points)


def norm_quantiles(z: FloatArray, *, n_points: int = _N_POINTS) -> QuantilePoints:
    """Return the quantiles of the norms of `z`, shape (N, D), against chi(D)."""
    from scipy.stats import chi

    z = checked_cloud(z)
    return _quantiles(np.linalg.norm(z, axis=1), chi(z.shape[1]).ppf, n_points)


def _quantiles(
    values: FloatArray, inverse_cdf: Callable[[FloatArray], FloatArray], n_points: int
) -> QuantilePoints:
    """Return both quantiles at (i - 1/2) / P for i = 1 ... P, P at most the number of values."""
    p = min(n_points, len(values))
    levels = (np.arange(1, p + 1) - 0.5) / p
    return QuantilePoints(inverse_cdf(levels), np.quantile(values, levels, method="hazen"))
