"""How the variance of a cloud is spread over its principal directions."""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.linalg import VARIANCE_FLOOR, FloatArray, checked_cloud
from bertflow_core.moments import covariance

__all__ = ["Spectrum", "effective_rank", "participation_ratio", "singular_spectrum", "top_share"]


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The singular spectrum of a centred cloud.

    Attributes:
        singular_values: Of the centred embeddings over sqrt(N - 1), falling, shape (D,): the
            standard deviation along each principal direction, in the embeddings' own unit.
    """

    singular_values: FloatArray = field(repr=False)

    @property
    def variances(self) -> FloatArray:
        """Eigenvalues of the covariance, falling, shape (D,)."""
        squares: FloatArray = np.square(self.singular_values)
        return squares

    @property
    def rank(self) -> int:
        """Directions whose variance is above `VARIANCE_FLOOR` of the largest."""
        variances = self.variances
        return int((variances > VARIANCE_FLOOR * variances[0]).sum())


def singular_spectrum(x: FloatArray) -> Spectrum:
    """Return the singular spectrum of embeddings `x`, shape (N, D), N >= 2, centred first.

    It is taken from the covariance's eigenvalues: values below 1e-8 of the largest are rounding.
    """
    variances = np.linalg.eigvalsh(covariance(checked_cloud(x))[1])[::-1]
    return Spectrum(np.sqrt(variances.clip(min=0.0)))


def effective_rank(variances: FloatArray) -> float:
    """Return exp of the entropy of the shares of variance: from 1 (a line) to D (equal variances).

    Roy and Vetterli take the shares of singular values; these are those of the covariance's
    eigenvalues, so that the number counts variance.

    Args:
        variances: Eigenvalues of the covariance, shape (D,), not negative, one above 0.

    References:
        The Effective Rank: A Measure of Effective Dimensionality (Roy and Vetterli, 2007).
    """
    shares = np.asarray(variances) / np.sum(variances)
    known = shares[shares > 0]
    return float(np.exp(-(known * np.log(known)).sum()))


def participation_ratio(variances: FloatArray) -> float:
    """Return (sum v)^2 / sum v^2: from 1 (a line) to D (equal variances).

    IsoScore is this number brought from [1, D] to [0, 1]. Arguments as of `effective_rank`.
    """
    shares = np.asarray(variances) / np.sum(variances)
    return float(1 / np.square(shares).sum())


def top_share(variances: FloatArray, k: int) -> float:
    """Return the share of the variance along the `k` leading directions, in [0, 1].

    Args:
        variances: Falling, shape (D,), one above 0.
        k: At least 1; D and more give 1.
    """
    return float(np.sum(variances[:k]) / np.sum(variances))
