"""The effect of word frequency on vectors: norm and neighbours by rank, directions, slopes.

By Table 1 and equation 3 of Li et al. (2020), the dot product of a word with a context depends on
log p(word) among other terms, so that frequency shapes the space. A slope shows an overall bias;
means over windows also show a measure that first rises and then falls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.correlation import spearman
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.rounding import is_constant
from bertflow_core.arrays.types import FloatArray
from bertflow_core.wording import ranks_text

_NO_CHANGE = 0.005  # relative changes below it count as none


def bin_means(
    ranks: npt.NDArray[np.int64], measures: Mapping[str, FloatArray], edges: Sequence[int]
) -> list[dict[str, Any]]:
    """Average measures of words, (n,) each, over bins of rank; None in a bin without words."""
    rows = []
    for low, high in pairwise(edges):
        inside = (ranks >= low) & (ranks < high)
        n = int(inside.sum())
        means = {
            name: float(values[inside].mean(dtype=np.float64)) if n else None
            for name, values in measures.items()
        }
        rows.append({"low": low, "high": high, "n": n, **means})
    return rows


def coordinate_rhos(
    x: FloatArray, log_frequency: FloatArray, *, n_coordinates: int = 20
) -> tuple[float | None, ...]:
    """Return |Spearman| of log frequency with each leading singular coordinate.

    The coordinates are those of the centred vectors (n, D) on their right singular vectors, at most
    D or n - 1 of them, in order of falling variance. After whitening this order means little. The
    sign of a direction is arbitrary, hence the absolute value. None if a coordinate or the
    frequency is constant.
    """
    moments = Moments.of(x)
    variances, directions = moments.principal
    along = (x - moments.mean) @ directions[:, :n_coordinates]
    rhos: list[float | None] = []
    for k in range(min(n_coordinates, x.shape[1], len(x) - 1)):
        rho = spearman(along[:, k], log_frequency) if variances[k] else None
        rhos.append(None if rho is None else abs(rho))
    return tuple(rhos)


@dataclass(frozen=True)
class Line:
    """A fitted slope, in y per unit of x, with its 95 % interval and its ratio to the mean of y."""

    slope: float
    low: float
    high: float
    relative: float | None


def fit_line(x: FloatArray, y: FloatArray) -> Line | None:
    """Fit y = a + b x, shape (n,) each, by least squares; None if n < 4 or x is constant.

    The interval is b +- t(0.975, n - 2) times the HC3 standard error, which divides each squared
    residual by (1 - leverage)^2, since the variance differs between frequencies (Long and Ervin,
    2000, https://doi.org/10.1080/00031305.2000.10474549).
    """
    if len(x) < 4 or is_constant(x):
        return None
    from scipy.stats import t

    design = np.column_stack([np.ones(len(x)), x])
    bread = np.linalg.inv(design.T @ design)
    coefficients = bread @ (design.T @ y)
    leverage = np.einsum("ni,ij,nj->n", design, bread, design)
    weights = np.square((y - design @ coefficients) / np.maximum(1 - leverage, 1e-9))
    covariance = bread @ (design.T * weights @ design) @ bread
    slope, mean = float(coefficients[1]), float(y.mean())
    margin = float(t.ppf(0.975, len(x) - 2) * np.sqrt(covariance[1, 1]))
    return Line(slope, slope - margin, slope + margin, slope / mean if mean else None)


def window_means(
    x: FloatArray, y: FloatArray, *, n_windows: int = 24, min_points: int = 8
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Average y over at most `n_windows` windows of x of equal width; both have shape (n,).

    Returns the means of x and y in each window, and both ends of the latter's 95 % intervals. A
    window with fewer than `min_points` points is joined to the next.
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
        cuts[-1] = len(x)  # too few points at the end join the previous window
    windows = [order[a:b] for a, b in pairwise(cuts)]
    n = np.array([len(window) for window in windows], np.float64)
    mean = np.array([y[window].mean() for window in windows])
    error = np.array([y[window].std(ddof=1) for window in windows]) / np.sqrt(n)
    margin = t.ppf(0.975, n - 1) * error
    centres = np.array([x[window].mean() for window in windows])
    return centres, mean, mean - margin, mean + margin


def runs(values: Sequence[float]) -> list[tuple[str, int]]:
    """Return each rise or fall of at least 0.5 %, as a verb, and the index of its last value."""
    found: list[tuple[str, int]] = []
    for i, (before, after) in enumerate(pairwise(values), 1):
        if abs(after - before) >= _NO_CHANGE * abs(before):
            verb = "rises" if after > before else "falls"
            if found and found[-1][0] == verb:
                found.pop()
            found.append((verb, i))
    verb, _ = found.pop() if found else ("hardly changes", 0)
    return [*found, (verb, len(values) - 1)]


def course_by_rank(means: Mapping[tuple[int, int], float]) -> str:
    """Describe how means vary over bins of frequency rank, with values at ends and turns."""
    values = list(means.values())
    places = [f"{mean:.2f} ({ranks_text(*ranks)})" for ranks, mean in means.items()]
    start = places[0].replace("(", "(ranks ")
    if len(places) == 1:
        return f"is {start}"
    (verb, end), *others = runs(values)
    first = f"{verb} from {start} to {places[end]}"
    return ", then ".join([first, *(f"{verb} to {places[end]}" for verb, end in others)])
