"""How a measure of words moves with frequency: a straight line, and moving means.

Both come with intervals. A line says whether there is a bias on the whole; where a measure first
rises and then falls, only the means show it.
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy import stats

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray

__all__ = ["Line", "Trend", "fit_line", "window_means"]


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

    Raises:
        InputError: Shapes that do not fit, or values that are not finite.

    References:
        Using Heteroscedasticity Consistent Standard Errors in the Linear Regression Model (Long
        and Ervin, 2000), https://doi.org/10.1080/00031305.2000.10474549.
    """
    x, y = _checked(x, y)
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
    return float(stats.t.ppf(0.975, n - 2))


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

    Raises:
        InputError: Shapes that do not fit, or values that are not finite.
    """
    x, y = _checked(x, y)
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
    margin = stats.t.ppf(0.975, n - 1) * error
    centres = np.array([x[window].mean() for window in windows])
    return Trend(centres, mean, mean - margin, mean + margin, n)


def _checked(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if x.ndim != 1 or x.shape != y.shape or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError(f"a trend needs finite x and y of one length, got {x.shape}, {y.shape}")
    return x, y
