"""What frequency does to vectors: norm and neighbours by rank, directions, lines and courses.

Table 1 of Li et al. (2020), and their reading of its equation 3: a dot product of a word with a
context follows log p(word) among other terms, so that frequency shapes the space. A line says
whether there is a bias on the whole; where a measure first rises and then falls, only means over
windows show it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.linalg import (
    VARIANCE_FLOOR,
    FloatArray,
    centred,
    principal_directions,
    second_moments,
    spearman,
)
from bertflow_core.wording import ranks_text

_NO_CHANGE = 0.005


@dataclass(frozen=True)
class Bin:
    """The words whose ranks lie in [low, high).

    Attributes:
        low: First rank, from 0.
        high: First rank beyond.
        n: Words; fewer than high - low where the list runs out or not every rank is covered.
        mean_norm: Mean L2 norm; None without words, as are the others.
        knn_l2: By k, the mean L2 distance to the k nearest rows, averaged over words.
        knn_dot: By k, the mean dot product with the k rows of largest product.
    """

    low: int
    high: int
    n: int
    mean_norm: float | None
    knn_l2: Mapping[int, float | None]
    knn_dot: Mapping[int, float | None]

    def value(self, measure: str, k: int | None = None) -> float | None:
        """Return `mean_norm`, or `knn_l2` or `knn_dot` of a k; None where that was not measured."""
        field = getattr(self, measure)
        value: float | None = field.get(k) if isinstance(field, Mapping) else field
        return value

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return {
            "range": [self.low, self.high],
            "n": self.n,
            "mean_norm": self.mean_norm,
            "knn_l2": {str(k): value for k, value in self.knn_l2.items()},
            "knn_dot": {str(k): value for k, value in self.knn_dot.items()},
        }


def mean_of_nearest(values: FloatArray, ks: Sequence[int]) -> dict[int, FloatArray]:
    """Return by k the mean over the k nearest.

    Args:
        values: Distances or products, nearest first, shape (n, K).
        ks: Each from 1 to K.
    """
    return {k: values[:, :k].mean(axis=1) for k in ks}


def frequency_bins(
    ranks: npt.NDArray[np.int64],
    norms: FloatArray,
    knn_l2: Mapping[int, FloatArray],
    knn_dot: Mapping[int, FloatArray],
    edges: Sequence[int],
) -> tuple[Bin, ...]:
    """Average the measures of words over bins of frequency rank.

    Args:
        ranks: From 0, shape (n,).
        norms: L2 norms, shape (n,).
        knn_l2: By k, each word's mean L2 distance to its k nearest, shape (n,).
        knn_dot: By k, each word's mean dot product with its k nearest, shape (n,).
        edges: Rising ranks; bin i holds [edges[i], edges[i + 1]).
    """
    bins = []
    for low, high in pairwise(edges):
        inside = (ranks >= low) & (ranks < high)
        bins.append(
            Bin(
                low,
                high,
                int(inside.sum()),
                _mean(norms[inside]),
                {k: _mean(values[inside]) for k, values in knn_l2.items()},
                {k: _mean(values[inside]) for k, values in knn_dot.items()},
            )
        )
    return tuple(bins)


def _mean(values: FloatArray) -> float | None:
    return float(values.mean(dtype=np.float64)) if len(values) else None


def coordinate_rhos(
    x: FloatArray, log_frequency: FloatArray, *, n_coordinates: int = 20
) -> tuple[float | None, ...]:
    """Return |Spearman| of each leading singular coordinate with log frequency, strongest first.

    The coordinates are those of the centred vectors on their right singular vectors, in the order
    of the singular values; a direction's sign means nothing, hence the absolute value. Where all
    singular values are alike, as after whitening, their order means little.

    Args:
        x: Word vectors, shape (n, D), n >= 3.
        log_frequency: shape (n,); only its order matters.
        n_coordinates: How many; fewer come back where D or n - 1 is less.

    Returns:
        Each in [0, 1]; None where the coordinate or the frequency does not vary.
    """
    less = centred(np.asarray(x, np.float64))
    squares, directions = principal_directions(second_moments(less))
    rhos: list[float | None] = []
    for k in range(min(n_coordinates, x.shape[1], len(x) - 1)):
        varies = squares[k] > VARIANCE_FLOOR * squares[0]
        rho = spearman(less @ directions[:, k], log_frequency) if varies else None
        rhos.append(None if rho is None else abs(rho))
    return tuple(rhos)


@dataclass(frozen=True)
class Line:
    """A straight line fitted by least squares, with an interval that holds for unequal spread.

    Attributes:
        slope: Change of y a unit of x.
        low: Lower end of the slope's 95 % interval.
        high: Upper end.
        intercept: y at x = 0.
        covariance: Of intercept and slope (HC3), shape (2, 2).
        mean: Mean of y.
        n: Points.
    """

    slope: float
    low: float
    high: float
    intercept: float
    covariance: FloatArray = field(repr=False)
    mean: float
    n: int

    @property
    def relative(self) -> float | None:
        """The slope as a share of the mean of y, which no change of scale alters."""
        return self.slope / self.mean if self.mean else None

    def at(self, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the line at x (m,) and the ends of the 95 % interval of its mean, each (m,)."""
        design = np.column_stack([np.ones(len(x)), x])
        middle = design @ np.array([self.intercept, self.slope])
        spread = np.sqrt(np.einsum("mi,ij,mj->m", design, self.covariance, design))
        margin = _two_sided(self.n) * spread
        return middle, middle - margin, middle + margin

    def to_dict(self) -> dict[str, float | None]:
        """Return the slope, its interval, its share of the mean and the points, JSON-able."""
        names = ("slope", "low", "high", "relative", "n")
        return {name: getattr(self, name) for name in names}


def fit_line(x: FloatArray, y: FloatArray) -> Line | None:
    """Fit y = a + b x by ordinary least squares, with heteroskedasticity-consistent intervals.

    The interval is b +- t(0.975, n - 2) times the HC3 standard error, which divides each squared
    residual by (1 - leverage)^2: words of one frequency do not spread as those of another.

    Args:
        x: For example log10 of frequency, so that the slope is a change a factor of ten, (n,).
        y: shape (n,).

    Returns:
        None where a slope is undefined: n < 4, or x without spread.

    References:
        Using Heteroscedasticity Consistent Standard Errors in the Linear Regression Model (Long
        and Ervin, 2000), https://doi.org/10.1080/00031305.2000.10474549.
    """
    if len(x) < 4 or np.ptp(x) <= 1e-12 * np.abs(x).max():
        return None
    design = np.column_stack([np.ones(len(x)), x])
    bread = np.linalg.inv(design.T @ design)
    intercept, slope = bread @ (design.T @ y)
    leverage = np.einsum("ni,ij,nj->n", design, bread, design)
    weights = np.square((y - design @ [intercept, slope]) / np.maximum(1 - leverage, 1e-9))
    covariance = bread @ (design.T * weights @ design) @ bread
    margin = _two_sided(len(x)) * float(np.sqrt(covariance[1, 1]))
    slope = float(slope)
    return Line(
        slope=slope,
        low=slope - margin,
        high=slope + margin,
        intercept=float(intercept),
        covariance=covariance,
        mean=float(y.mean()),
        n=len(x),
    )


def _two_sided(n: int) -> float:
    from scipy.stats import t

    return float(t.ppf(0.975, n - 2))


@dataclass(frozen=True)
class Trend:
    """Means over windows of x that are equally wide.

    Attributes:
        x: Mean x of the points of each window, rising, shape (m,).
        mean: Mean y there, shape (m,).
        low: Lower end of its 95 % interval (Student's t), shape (m,).
        high: Upper end, shape (m,).
        n: Points a window, shape (m,).
    """

    x: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    n: FloatArray


def window_means(
    x: FloatArray, y: FloatArray, *, n_windows: int = 24, min_points: int = 8
) -> Trend:
    """Average y over windows of x; a window with too few points is joined to the next.

    Args:
        x: For example log10 of rank, shape (n,).
        y: shape (n,).
        n_windows: Windows of equal width from the least x to the largest.
        min_points: Fewest points of a window, at least 2.

    Returns:
        At most `n_windows` means; none where there are fewer points than `min_points`.
    """
    from scipy.stats import t

    order = np.argsort(x, kind="stable")
    low, high = (float(x.min()), float(x.max())) if len(x) else (0.0, 0.0)
    edges = np.linspace(low, high, n_windows + 1)[1:-1]
    cuts = [0]
    for cut in [*np.searchsorted(x[order], edges), len(x)]:
        if cut - cuts[-1] >= min_points:
            cuts.append(int(cut))
    if len(cuts) > 1:
        cuts[-1] = len(x)  # too few points at the end join the window before
    windows = [order[a:b] for a, b in pairwise(cuts)]
    n = np.array([len(window) for window in windows], np.float64)
    mean = np.array([y[window].mean() for window in windows])
    error = np.array([y[window].std(ddof=1) for window in windows]) / np.sqrt(n)
    margin = t.ppf(0.975, n - 1) * error
    centres = np.array([x[window].mean() for window in windows])
    return Trend(centres, mean, mean - margin, mean + margin, n)


def runs(values: Sequence[float]) -> list[tuple[str, int]]:
    """Return each stretch in which values rise or fall, and the index of the value at its end.

    A change of less than 0.5 % counts as none.

    Example:
        >>> from bertflow_core.analysis.frequency import runs
        >>> runs([1.0, 1.2, 1.3, 1.1])
        [('rises', 2), ('falls', 3)]
    """
    found: list[tuple[str, int]] = []
    for i, (before, after) in enumerate(pairwise(values), 1):
        if abs(after - before) >= _NO_CHANGE * abs(before):
            verb = "rises" if after > before else "falls"
            if found and found[-1][0] == verb:
                found.pop()
            found.append((verb, i))
    verb, _ = found.pop() if found else ("hardly changes", 0)
    return [*found, (verb, len(values) - 1)]


def runs_text(values: Sequence[float]) -> str:
    """Say how values go: `rises, then falls`."""
    return ", then ".join(verb for verb, _ in runs(values))


def course_by_rank(means: Mapping[tuple[int, int], float]) -> str:
    """Say how a mean goes over bins of frequency rank, with its value at both ends and each turn.

    Args:
        means: At least one, by first rank and first rank beyond, from 0; said as counted from 1.

    Example:
        >>> from bertflow_core.analysis.frequency import course_by_rank
        >>> course_by_rank({(0, 100): 1.05, (100, 500): 1.27, (500, 900): 1.1})
        'rises from 1.05 (ranks 1 to 100) to 1.27 (101 to 500), then falls to 1.10 (501 to 900)'
    """
    values = list(means.values())
    places = [f"{mean:.2f} ({ranks_text(*ranks)})" for ranks, mean in means.items()]
    start = places[0].replace("(", "(ranks ")
    if len(places) == 1:
        return f"is {start}"
    (verb, end), *others = runs(values)
    said = [f"{verb} from {start} to {places[end]}"]
    return ", then ".join([*said, *(f"{verb} to {places[end]}" for verb, end in others)])
