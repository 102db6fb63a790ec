"""How evenly a cloud of embeddings uses its dimensions."""

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import (
    FloatArray,
    centred,
    checked_cloud,
    principal_directions,
    second_moments,
    unit_rows,
)

__all__ = [
    "expected_iso_score",
    "is_one_point",
    "iso_score",
    "mean_cosine",
    "partition_isotropy",
    "permuted_cosine",
]


def mean_cosine(x: FloatArray) -> float:
    """Return the mean cosine over all pairs of different rows, without drawing any.

    With u the N rows at length 1 it is (||sum u||^2 - sum ||u||^2) / (N (N - 1)): what the mean of
    random pairs (Ethayarajh, 2019) tends to. The cosine with a zero row is 0.

    Args:
        x: Embeddings, shape (N, D), N >= 2.

    Returns:
        A number in [-1 / (N - 1), 1]; 0 in expectation for a centred isotropic cloud.

    References:
        How Contextual are Contextualized Word Representations? (Ethayarajh, 2019),
        https://aclanthology.org/D19-1006.
    """
    unit = unit_rows(checked_cloud(x))
    n = len(unit)
    return float((np.square(unit.sum(axis=0)).sum() - np.square(unit).sum()) / (n * (n - 1)))


def permuted_cosine(x: FloatArray, *, seed: int = 0) -> float:
    """Return `mean_cosine` after permuting the values of each feature over the rows.

    The floor of `mean_cosine`: every feature keeps its mean and its spread, and all that ties
    features together within a sentence is gone. A cosine near this floor comes from the features'
    means alone, as a cone's does; it is 0 for a centred cloud.

    Args:
        x: Embeddings, shape (N, D), N >= 2.
        seed: Random seed; each feature has a permutation of its own.
    """
    return mean_cosine(np.random.default_rng(seed).permuted(checked_cloud(x), axis=0))


def partition_isotropy(x: FloatArray) -> float | None:
    """Return the least over the largest value of the partition function Z(c) = sum exp(c . x).

    c goes over both signs of the unit eigenvectors of X^T X, and log Z over log-sum-exp. Z depends
    on the scale of the rows, so they are divided by their root mean square norm: the
    number is 1 for a cloud without a preferred direction, near 0.14 (e^-2) where all rows are one.
    The original leaves word vectors as they are.

    Args:
        x: Embeddings, shape (N, D), N >= 2; not centred.

    Returns:
        A number in (0, 1]; None where all rows are zero.

    References:
        All-but-the-Top (Mu and Viswanath, 2018), https://arxiv.org/abs/1702.01417: I(.), section 2.
    """
    from scipy.special import logsumexp

    x = checked_cloud(x)
    largest = np.abs(x).max()
    if largest == 0:
        return None
    scaled = x / largest  # no square overflows or vanishes
    scaled /= np.sqrt(np.square(scaled).sum(axis=1).mean())
    along = scaled @ principal_directions(second_moments(scaled))[1]
    logs = np.concatenate([logsumexp(along, axis=0), logsumexp(-along, axis=0)])
    return float(np.exp(logs.min() - logs.max()))


def is_one_point(x: FloatArray) -> bool:
    """Tell whether embeddings, shape (N, D), differ by no more than a forward pass's rounding."""
    return bool(np.abs(x - x[0]).max() <= _FORWARD * np.abs(x).max())


def iso_score(x: FloatArray) -> float | None:
    """Return IsoScore: 1 where every direction has one variance, 0 where one has all of it.

    Where k of D directions share the variance equally it is (k - 1) / (D - 1). Neither the mean,
    the scale nor a rotation changes it.

    With v the D eigenvalues of the covariance, the paper's steps (its Algorithm 1) come down to
    ((sum v)^2 / sum v^2 - 1) / (D - 1), so that traces do and no eigenvalue is needed.

    Args:
        x: Embeddings, shape (N, D), N >= 2.

    Returns:
        A number in [0, 1]; None where it is undefined: D < 2, or no variance.

    Raises:
        InputError: Not such an array, or values that are not finite.

    References:
        IsoScore: Measuring the Uniformity of Embedding Space Utilization (Rudman et al., 2022),
        Algorithm 1, https://arxiv.org/abs/2108.07344.
    """
    x = np.asarray(x, np.float64)
    if x.ndim != 2 or len(x) < 2 or not np.isfinite(x).all():
        raise InputError(f"isotropy needs finite embeddings (N, D) with N >= 2, got {x.shape}")
    d = x.shape[1]
    less = centred(x)
    largest = np.abs(less).max(initial=0.0)
    if d < 2 or largest <= _ROUNDING * np.abs(x).max(initial=0.0):
        return None
    products = second_moments(less / largest)  # no square overflows or vanishes
    used = np.trace(products) ** 2 / np.square(products).sum()  # dimensions, from 1 to D
    return float(np.clip((used - 1) / (d - 1), 0.0, 1.0))


def expected_iso_score(n: int, d: int) -> float | None:
    """Return what IsoScore is of `n` rows of N(0, I) in `d` dimensions: below 1, for n is finite.

    With W = sum z z^T over n - 1 = m degrees of freedom, E (tr W)^2 = m d (m d + 2) and E tr W^2 =
    m d (m + d + 1); their ratio stands for (sum v)^2 / sum v^2, which varies little about it.

    Args:
        n: Rows, at least 2.
        d: Dimensions.

    Returns:
        A number in [0, 1]; None where IsoScore is undefined: d < 2.

    References:
        Aspects of Multivariate Statistical Theory (Muirhead, 1982), section 3.2: the Wishart
        distribution.
    """
    if d < 2:
        return None
    m = n - 1
    return ((m * d + 2) / (m + d + 1) - 1) / (d - 1)


_ROUNDING = 1e-12
"""Deviations below this share of the values are rounding of their mean."""

_FORWARD = 1e-5
"""Share of the largest value; the same sentence differs by about 1e-6 in two batches."""
