"""Rho of several calibrators on the same resamples: intervals, differences and their p-values.

For pairs with labels it is AUC that stands in place of rho throughout, see `RhoDraws.metric`.

Intervals are percentiles of the draws. In simulations of bivariate normal pairs (50 to 1,000 pairs,
rho 0.5 to 0.8) nominal 95 % intervals covered rho in 95 to 96 % and a difference in 94 to 95.5 %,
so that no correction is made; `tests/evaluation/test_bootstrap_coverage.py` repeats two of them.
They speak of other pairs of the same kind, and not of other seeds of a training.

The interval of a rho or of a difference follows from its own calibrators, the pairs and the seed:
it is the same whichever other calibrators stand beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError, nearest
from bertflow_core.evaluation.metric import RHO, Metric
from bertflow_core.evaluation.multiple import holm
from bertflow_core.wording import quoted

__all__ = ["Difference", "Interval", "RhoDraws", "two_sided_p"]


@dataclass(frozen=True)
class Interval:
    """The ends of a confidence interval, in units of rho.

    Example:
        >>> from bertflow_core.evaluation import Interval
        >>> Interval(0.1, 0.3).high
        0.3
    """

    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """Rho of `name` less rho of `other`.

    Attributes:
        name: One calibrator.
        other: The one that it is compared with.
        rho: The difference of the points, in [-2, 2].
        interval: Of the difference, at the comparison's confidence, not adjusted.
        p: Two-sided, never 0.
        p_adjusted: By Holm over the comparisons of the same family.
        significant: `p_adjusted` is at most alpha.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import RhoDraws
        >>> drawn = np.array([[0.5, 0.7], [0.6, 0.7], [0.4, 0.8]] * 100)
        >>> draws = RhoDraws(("before", "after"), "all", 50, np.array([0.5, 0.75]), drawn)
        >>> (gain,) = draws.differences([("after", "before")])
        >>> gain.rho, gain.significant
        (0.25, True)
    """

    name: str
    other: str
    rho: float
    interval: Interval
    p: float
    p_adjusted: float
    significant: bool


@dataclass(frozen=True, eq=False)
class RhoDraws:
    """Spearman's rho of C calibrators on the same pairs, and on B resamples of these pairs.

    Attributes:
        names: The calibrators, length C.
        aggregation: `all`, `mean` or `wmean`.
        n_pairs: Number of pairs.
        rhos: On all pairs, shape (C,).
        draws: On each resample, the same resamples for all, shape (B, C); NaN where a resample has
            no rho, since all its gold scores or similarities are equal.
        metric: What `rhos` and `draws` hold.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import RhoDraws
        >>> drawn = np.linspace(0, 1, 201)[:, None]
        >>> draws = RhoDraws(("flow",), "all", 50, np.array([0.5]), drawn)
        >>> interval = draws.interval("flow")
        >>> round(interval.low, 3), round(interval.high, 3)
        (0.025, 0.975)
    """

    names: tuple[str, ...]
    aggregation: str
    n_pairs: int
    rhos: npt.NDArray[np.float64] = field(repr=False)
    draws: npt.NDArray[np.float64] = field(repr=False)
    metric: Metric = RHO

    @property
    def n_draws(self) -> int:
        """How many resamples were drawn, B."""
        return len(self.draws)

    @property
    def n_undefined(self) -> int:
        """How many resamples leave some calibrator without a rho."""
        return int(np.isnan(self.draws).any(axis=1).sum())

    @property
    def smallest_p(self) -> float:
        """The smallest p-value that so many draws can give: 2 / (defined draws + 1)."""
        return 2 / (self.n_draws - self.n_undefined + 1)

    def index(self, name: str) -> int:
        """Return the column of a calibrator.

        Raises:
            InputError: Unknown name.
        """
        if name not in self.names:
            raise InputError(f"unknown calibrator {quoted(name)}: {nearest(name, self.names)}")
        return self.names.index(name)

    def interval(self, name: str, *, confidence: float = 0.95) -> Interval:
        """Return the percentile interval of one calibrator's rho."""
        return _interval(self.draws[:, self.index(name)], confidence)

    def differences(
        self, pairs: Sequence[tuple[str, str]], *, alpha: float = 0.05
    ) -> tuple[Difference, ...]:
        """Compare each (name, other) of one family of comparisons.

        For p see `two_sided_p`.

        Args:
            pairs: The calibrators to compare, by name.
            alpha: The level, in (0, 1): the intervals are at confidence 1 - alpha.
        """
        if not pairs:
            return ()
        first, second = np.array([[self.index(name) for name in pair] for pair in pairs]).T
        drawn = [self.draws[:, i] - self.draws[:, j] for i, j in zip(first, second, strict=True)]
        p = np.array([two_sided_p(each) for each in drawn])
        adjusted = holm(p)
        points = self.rhos[first] - self.rhos[second]
        return tuple(
            Difference(
                *pair,
                rho=float(points[i]),
                interval=_interval(drawn[i], 1 - alpha),
                p=float(p[i]),
                p_adjusted=float(adjusted[i]),
                significant=bool(adjusted[i] <= alpha),
            )
            for i, pair in enumerate(pairs)
        )


def two_sided_p(drawn: npt.NDArray[np.float64]) -> float:
    """Return p of a difference of 0 from the difference on B resamples, shape (B,).

    p = 2 (1 + k) / (B + 1), at most 1, where k is the smaller number of draws whose difference is
    at most 0 or at least 0 (Davison and Hinkley, 1997, section 4.2.5): so p agrees with the
    percentile interval. Draws that are NaN do not count.
    """
    tail = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    n_defined = int((~np.isnan(drawn)).sum())
    return min(2 * (1 + tail) / (n_defined + 1), 1.0)


def _interval(drawn: npt.NDArray[np.float64], confidence: float) -> Interval:
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1, got {confidence:g}")
    low, high = np.nanquantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))
