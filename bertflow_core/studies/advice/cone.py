"""How narrow and how uneven a cloud of embeddings is."""

from dataclasses import dataclass

import numpy as np

from bertflow_core.analysis.isotropy import effective_rank, top_share
from bertflow_core.errors import InputError
from bertflow_core.evaluation import random_pair_cosine
from bertflow_core.linalg import FloatArray, principal_directions
from bertflow_core.moments import covariance

__all__ = ["Cone", "measure_cone", "variances_of"]


@dataclass(frozen=True)
class Cone:
    """How narrow and how uneven a cloud is.

    Attributes:
        random_cosine: Mean cosine of 10,000 random pairs of rows, in [-1, 1]; near 1 in a cone.
        top_share: Share of the variance along the leading principal direction, in [0, 1].
        effective_rank: exp of the entropy of the shares of variance, from 1 to D.
        n_features: D.
    """

    random_cosine: float
    top_share: float
    effective_rank: float
    n_features: int


def measure_cone(x: FloatArray, *, seed: int = 0) -> Cone:
    """Measure a cloud of embeddings, shape (N, D), N >= 2.

    Args:
        x: Uncalibrated embeddings.
        seed: Random seed.

    Raises:
        InputError: Fewer than two rows, or no variance.

    References:
        Mean cosine: How Contextual are Contextualized Word Representations? (Ethayarajh, 2019),
        https://aclanthology.org/D19-1006.
    """
    cosine = random_pair_cosine(x, seed=seed)
    variances = variances_of(x)
    return Cone(cosine, top_share(variances, 1), effective_rank(variances), x.shape[1])


def variances_of(x: FloatArray) -> FloatArray:
    """Return the eigenvalues of the covariance of embeddings, falling, shape (D,).

    Raises:
        InputError: No variance.
    """
    variances, _ = principal_directions(covariance(np.asarray(x))[1])
    if variances[0] <= 0:
        raise InputError("all sentences have one embedding: there is nothing to calibrate")
    return variances
