"""How embeddings fill their space: directions, variances, neighbours, hubs.

Functions take finite rows `x`, shape (N, D), N >= 2, unless their argument has another name.
`measures.MEASURES` has the meaning and the source of each measure.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.coordinates import coordinate_contributions
from bertflow_core.arrays.linalg import centred, principal_directions, squared_distances, unit_rows
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.rounding import ERRORS, precision_of
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.errors import InputError

POSITIVE_FROM = 0.8
"""A pair is positive if its gold score is at least this share of the scale, 4 on 0 to 5."""


def is_one_point(x: FloatArray) -> bool:
    """Tell whether rows are equal up to rounding error."""
    return bool(np.abs(x - x[0]).max() <= ERRORS[precision_of(x)] * np.abs(x).max())


def mean_cosine(x: FloatArray) -> float:
    """Return the mean cosine over all pairs of different rows; a zero row has cosine 0 with all.

    For N rows u of length 1 the mean is (||sum u||^2 - sum ||u||^2) / (N (N - 1)).
    """
    return float(coordinate_contributions(x).sum())


def permuted_cosine(x: FloatArray, *, seed: int = 0) -> float:
    """Return `mean_cosine` after permuting the values of each feature over the rows."""
    return mean_cosine(np.random.default_rng(seed).permuted(np.asarray(x, np.float64), axis=0))


def mean_share(x: FloatArray) -> float | None:
    """Return the norm of the mean row divided by the mean norm; None if all rows are zero."""
    rows = np.asarray(x, np.float64)
    norm = np.linalg.norm(rows, axis=1).mean()
    return float(np.linalg.norm(rows.mean(axis=0)) / norm) if norm > 0 else None


def coordinate_share(x: FloatArray) -> float | None:
    """Return the largest share of one coordinate in the mean squared norm; None if it is zero."""
    squares = np.square(np.asarray(x, np.float64)).mean(axis=0)
    return float(squares.max() / squares.sum()) if squares.any() else None


def partition_isotropy(x: FloatArray) -> float | None:
    """Return the smallest over the largest value of the partition function Z(c) = sum exp(c . x).

    c runs over both signs of the unit eigenvectors of X^T X. Unlike in Mu and Viswanath (2018),
    rows are first divided by their root mean square norm. None if all rows are zero.
    """
    from scipy.special import logsumexp

    largest = np.abs(x).max()
    if largest == 0:
        return None
    scaled = np.asarray(x, np.float64) / largest  # no square overflows or vanishes
    scaled /= np.sqrt(np.square(scaled).sum(axis=1).mean())
    along = scaled @ principal_directions(Moments.of(scaled).about_zero)[1]
    logs = np.concatenate([logsumexp(along, axis=0), logsumexp(-along, axis=0)])
    return float(np.exp(logs.min() - logs.max()))


def iso_score(x: FloatArray) -> float | None:
    """Return IsoScore, from 0 to 1; None if D < 2 or nothing varies.

    With v the D eigenvalues of the covariance, the paper's Algorithm 1 reduces to ((sum v)^2 / sum
    v^2 - 1) / (D - 1), which needs only traces.
    """
    d = x.shape[1]
    less = centred(np.asarray(x, np.float64))
    if d < 2 or is_one_point(x):
        return None
    products = Moments.of(less / np.abs(less).max()).m2  # no square overflows or vanishes
    used = np.trace(products) ** 2 / np.square(products).sum()  # dimensions, from 1 to D
    return float(np.clip((used - 1) / (d - 1), 0.0, 1.0))


def effective_rank(variances: FloatArray) -> float:
    """Return exp of the entropy of the shares of variance: from 1 (a line) to D (equal variances).

    It takes the covariance's eigenvalues, shape (D,).
    """
    shares = np.asarray(variances) / np.sum(variances)
    known = shares[shares > 0]
    return float(np.exp(-(known * np.log(known)).sum()))


def top_share(variances: FloatArray) -> float:
    """Return the share of the variance along the leading direction, in [0, 1]."""
    return float(variances[0] / np.sum(variances))


def positive_pairs(gold: FloatArray, scale: tuple[float, float]) -> npt.NDArray[np.bool_]:
    """Return which of N gold scores are at or above 4/5 of their scale, shape (N,).

    SimCSE does the same (Gao et al., 2021, https://arxiv.org/abs/2104.08821) for its alignment.
    """
    low, high = scale
    threshold = low + POSITIVE_FROM * (high - low)
    return np.asarray(gold) >= threshold - 1e-9 * (high - low)


def alignment(first: FloatArray, second: FloatArray) -> float | None:
    """Return the mean squared distance of unit vectors over P positive pairs; None without any.

    Each side has shape (P, D). The source's exponent alpha is 2, so this is 2 minus twice the
    mean cosine.
    """
    if len(first) == 0:
        return None
    return float(np.square(unit_rows(first) - unit_rows(second)).sum(axis=1).mean())


def uniformity(x: FloatArray) -> float:
    """Return log of the mean of exp(-2 ||u - v||^2) over all pairs of different unit rows.

    The factor 2 is the source's t. The time grows with N^2.
    """
    unit = unit_rows(x)
    total, n = sum(np.exp(-2 * block).sum() for block in squared_distances(unit)), len(unit)
    return float(np.log((total - n) / (n * (n - 1))))


@dataclass(frozen=True)
class Directions:
    """Unit vectors in spherical coordinates whose pole is their mean direction; angles in degrees.

    `mean_length` is the mean resultant length R: R^2 is the mean cosine of all pairs, each vector
    with itself included (Mardia and Jupp, *Directional Statistics*, 2000). `azimuths` are in the
    plane of the two orthogonal directions of largest variance.
    """

    mean_length: float
    pole: FloatArray = field(repr=False)  # the mean direction, shape (D,)
    axes: FloatArray = field(repr=False)  # the two orthogonal directions, shape (2, D)
    angles: FloatArray = field(repr=False)
    azimuths: FloatArray = field(repr=False)


def directions(x: FloatArray) -> Directions:
    """Return the directions of nonzero rows with at least three features."""
    unit = unit_rows(x)
    if unit.shape[1] < 3 or not np.square(unit).sum(axis=1).all():
        raise InputError("directions need at least three features and no row of zeros")
    mean = unit.mean(axis=0)
    length = float(np.linalg.norm(mean))
    if length < 1e-12:
        raise InputError("the vectors cancel, so they have no mean direction")
    pole = mean / length
    along = unit @ pole
    beside = unit - np.outer(along, pole)
    _, _, axes = np.linalg.svd(centred(beside), full_matrices=False)
    flat = beside @ axes[:2].T
    return Directions(
        mean_length=length,
        pole=pole,
        axes=axes[:2],
        angles=np.degrees(np.arccos(np.clip(along, -1, 1))),
        azimuths=np.degrees(np.arctan2(flat[:, 1], flat[:, 0])),
    )


_FEWEST, _KEPT = 10, 0.9  # TwoNN: smallest number of ratios, and the share that is fitted


def two_nn(distances: FloatArray) -> float | None:
    """Return the TwoNN dimension from each row's ascending distances, shape (N, 2) or wider.

    The ratio mu of the second distance to the first has the distribution F(mu) = 1 - mu^-d: -log(1
    - F) against log mu is a line through the origin of slope d. The largest tenth of the ratios is
    left out, as in the paper, and so are rows that equal another row. None for fewer than ten
    usable rows.
    """
    apart = distances[distances[:, 0] > 0]
    ratios = np.sort(np.log(apart[:, 1] / apart[:, 0]))
    n = len(ratios)
    if n < _FEWEST or ratios[-1] <= 0:
        return None
    kept = int(_KEPT * n)
    heights = -np.log1p(-np.arange(1, kept + 1) / n)
    squares = np.square(ratios[:kept]).sum()
    return float((heights * ratios[:kept]).sum() / squares) if squares > 0 else None


def hubness(neighbours: Rows, n_rows: int | None = None) -> float | None:
    """Return the skewness of how often each row is a neighbour, E (N - mean)^3 / sd^3.

    None if all are neighbours equally often. Neighbours, shape (n, k), are each row's k nearest
    other rows, or each query's k nearest of `n_rows` rows.
    """
    counts = np.bincount(neighbours.ravel(), minlength=n_rows or len(neighbours))
    less = counts - counts.mean()
    variance = np.square(less).mean()
    return float((less**3).mean() / variance**1.5) if variance > 0 else None
