"""Is a difference of two scores larger than chance would give? Scores, resamples and the test.

`pair_scores` scores pairs (Spearman's rho, AUC) and labelled texts (accuracy, v-measure);
`mean_scores` computes nDCG and other means over queries. `compare` tests any two scores of the same
units. A new metric only needs a function that returns `Score`s.

Intervals are percentiles of the draws. In simulations of bivariate normal pairs (50 to 1,000 pairs,
rho 0.5 to 0.8) nominal 95 % intervals covered rho of all pairs in 95 to 96 % of cases and a
difference in 94 to 95.5 %, so no correction is made; `tests/evaluation/test_bootstrap.py` repeats
two of these simulations. Means over small subsets are tested conservatively: a resample of n pairs
has ties, so that a difference of rho varies more between resamples than between samples (its
variance was 10 % too large for n = 60, 3 % for n = 300). With five subsets of 60 pairs p was below
0.05 for 3.7 % of 3,000 pairs of equal calibrators, and intervals covered their difference for
96.2 %; with twenty of 30 for 2.9 % and 97.0 % of 1,200. An interval depends only on its own scores,
the units and the seed. It covers the sampling of units; `summarize_seeds` covers the variation over
training seeds.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.metrics import NDCG, RHO, Metric, strata
from bertflow_core.evaluation.significance import (
    ALPHA,
    MAX_UNDEFINED,
    N_DRAWS,
    Interval,
    holm,
    interval_of,
    letters_of,
    two_sided_p,
)
from bertflow_core.wording import difference_text, shown_difference

K = TypeVar("K", bound=Hashable)
Draws = npt.NDArray[np.float64]

# With 100 m draws for m comparisons, Holm's smallest p, 2 m / (draws + 1), is 0.02.
_DRAWS_PER_COMPARISON = 100
_DIGITS = 12  # of a difference; later ones depend on the order in which doubles are summed


@dataclass(frozen=True, eq=False)
class Score:
    """A score and its values on bootstrap resamples of its units (pairs, queries, texts).

    Scores of the same units have the same resamples, so that their differences are paired.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import mean_scores
        >>> found = mean_scores({"raw": np.array([0.2, 0.4]), "flow": np.array([0.6, 0.8])})
        >>> round(found["flow"].value, 3), found["flow"].resample(100).shape
        (0.7, (100,))
    """

    value: float | None  # None where it is undefined
    resample: Callable[[int], Draws] = field(repr=False)  # values of B draws; NaN where undefined

    def interval(self, n_draws: int = N_DRAWS) -> Interval | tuple[None, None]:
        """Return the 95 % interval; two None if more than 5 % of the draws are undefined."""
        drawn = self.resample(n_draws)
        return interval_of(drawn) if np.isnan(drawn).mean() <= MAX_UNDEFINED else (None, None)

    @property
    def columns(self) -> dict[str, float | None]:
        """The score and its interval as columns of a row."""
        low, high = self.interval()
        return {"score": self.value, "score_low": low, "score_high": high}


def pair_scores(
    similarities: Mapping[K, npt.ArrayLike],
    gold: npt.ArrayLike,
    subsets: Sequence[str],
    *,
    aggregation: str,
    metric: Metric = RHO,
    seed: int = 0,
    values: Mapping[K, float | None] | None = None,
) -> dict[K, Score]:
    """Score several arrays for the same N pairs or texts, resampled within subsets.

    Args:
        similarities: Arrays by name. Pairs have similarities, (N,); labelled texts have hits, (N,),
            or clusters, (N, S). An array with NaN has no score.
        gold: Gold scores on any scale, or labels if the metric is not rho, shape (N,).
        subsets: The subset of each pair, length N.
        aggregation: `all`, `mean` or `wmean`.
        metric: The metric of the scores.
        seed: Seed of the resamples, >= 0.
        values: The scores, if they are known already.

    Raises:
        InputError: Values that `metric.score` refuses.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import compare, pair_scores
        >>> gold, noise = np.arange(60.0), np.random.default_rng(0).normal(size=60)
        >>> similarities = {"raw": noise, "flow": gold + noise}
        >>> scores = pair_scores(similarities, gold, ["all"] * 60, aggregation="all")
        >>> compare({"flow": (scores["raw"], scores["flow"])}, 200)["flow"].significant
        True
    """
    columns = {name: np.asarray(x, np.float64) for name, x in similarities.items()}
    known, parts = np.asarray(gold, np.float64), strata(subsets, aggregation)
    if values is None:
        values = {
            name: None
            if np.isnan(x).any()
            else getattr(metric.score(x, known, subsets).main, aggregation)
            for name, x in columns.items()
        }

    def draw(n_draws: int) -> Draws:
        bootstrap = PairedBootstrap(columns.values(), known, parts, seed=seed, metric=metric)
        return bootstrap.draw(n_draws)

    drawn = cache(draw)  # drawn once for all arrays

    def of(column: int) -> Callable[[int], Draws]:
        return lambda n: drawn(n)[:, column]

    def undefined(n: int) -> Draws:
        return np.full(n, np.nan)

    return {
        name: Score(value, undefined if value is None else of(i))
        for i, (name, value) in enumerate(values.items())
    }


def mean_scores(values: Mapping[K, FloatArray], *, seed: int = 0) -> dict[K, Score]:
    """Score each array, (N,), by its mean over the same N units, such as nDCG over queries.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import mean_scores
        >>> round(mean_scores({"flow": np.array([0.6, 0.8])})["flow"].value, 3)
        0.7
    """
    n = len(next(iter(values.values())))
    return pair_scores(values, np.zeros(n), [""] * n, aggregation="all", metric=NDCG, seed=seed)


def average(scores: Sequence[Score], *, seed: int | None = None) -> Score:
    """Return the mean of scores; undefined where one of them is.

    With a seed, the draws of each score are first shuffled. Scores of several data sets need a
    seed, since data sets of equal size would otherwise have the same resamples.
    """
    known = [each.value for each in scores if each.value is not None]

    def resample(n_draws: int) -> Draws:
        parts = [each.resample(n_draws) for each in scores]
        if seed is not None:
            parts = [*map(np.random.default_rng(seed).permutation, parts)]
        drawn: Draws = np.mean(parts, axis=0)
        return drawn

    value = float(np.mean(known)) if len(known) == len(scores) else None
    return scores[0] if len(scores) == 1 else Score(value, resample)


class Direction(StrEnum):
    """The direction of a change."""

    ROSE = "rises"
    FELL = "falls"
    SAME = "does not change significantly"
    UNKNOWN = "is not defined"


@dataclass(frozen=True)
class Comparison:
    """Two numbers, the interval of their difference and, where it was tested, its p.

    Example:
        >>> from bertflow_core.evaluation import Comparison
        >>> Comparison(0.70812, 0.78713, low=0.05, high=0.11).sentence("Rho x 100", times=100)
        'Rho x 100 rises from 70.81 to 78.71 (+7.90, 95 % interval +5.00 to +11.00).'
        >>> Comparison(0.7, 0.71, low=-0.01, high=0.03).direction
        <Direction.SAME: 'does not change significantly'>
    """

    before: float | None  # None where it is undefined
    after: float | None
    low: float | None = None  # of the unadjusted 95 % interval, if there is one
    high: float | None = None
    p: float | None = None  # two-sided, never 0; None where it is not tested
    p_adjusted: float | None = None  # by Holm over the family

    @property
    def difference(self) -> float | None:
        """After minus before; None where one is undefined."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def shown(self) -> float | None:
        """The difference of two scores in [-1, 1], each rounded to four decimals as it is shown."""
        if self.before is None or self.after is None:
            return None
        return round(shown_difference(100 * self.before, 100 * self.after, digits=2) / 100, 4)

    @property
    def direction(self) -> Direction:
        """The direction of the change; without an interval every difference counts."""
        if self.difference is None:
            return Direction.UNKNOWN
        low = self.difference if self.low is None else self.low
        high = self.difference if self.high is None else self.high
        if low <= 0 <= high:
            return Direction.SAME
        return Direction.ROSE if low > 0 else Direction.FELL

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most `ALPHA`."""
        return self.p_adjusted is not None and self.p_adjusted <= ALPHA

    @property
    def mark(self) -> str:
        """An arrow, in parentheses if not significant; empty if the rounded scores are equal."""
        if not self.shown:
            return ""
        arrow = "▲" if self.shown > 0 else "▼"
        return arrow if self.significant else f"({arrow})"

    def columns(self, name: str) -> dict[str, float | bool | None]:
        """Return the numbers as columns of a row; the change is between rounded scores."""
        if self.p is None:
            return {name: self.shown}
        return {
            name: self.shown,
            f"{name}_low": self.low,
            f"{name}_high": self.high,
            f"{name}_p": self.p,
            f"{name}_p_holm": self.p_adjusted,
            f"{name}_significant": self.significant,
        }

    def exact_columns(self, name: str) -> dict[str, float | bool | None]:
        """Return the same columns with the unrounded change."""
        return {**self.columns(name), name: self.difference}

    def text(self, *, times: float = 1, digits: int = 2) -> str:
        """Return the difference of the two rounded numbers with its sign."""
        if self.before is None or self.after is None:
            return "-"
        return difference_text(times * self.before, times * self.after, digits=digits)

    def interval_text(self, *, times: float = 1, digits: int = 2) -> str:
        """Return the ends of the interval; empty text without one."""
        if self.low is None or self.high is None:
            return ""
        return f"{times * self.low:+z.{digits}f} to {times * self.high:+z.{digits}f}"

    def sentence(self, what: str, *, times: float = 1, digits: int = 2) -> str:
        """Describe the change of `what`, multiplied by `times` and rounded to `digits`."""
        if self.before is None or self.after is None:
            return f"{what} {Direction.UNKNOWN}."
        ends = self.interval_text(times=times, digits=digits)
        within = f"95 % interval {ends}" if ends else ""
        before, after = (f"{times * each:z.{digits}f}" for each in (self.before, self.after))
        if before == after:
            return f"{what} stays at {after}{f' ({within})' if within else ''}."
        change = self.text(times=times, digits=digits) + (f", {within}" if within else "")
        colon = ":" if self.direction is Direction.SAME else ""
        return f"{what} {self.direction}{colon} from {before} to {after} ({change})."


def draws_for(n: int) -> int:
    """Return the number of resamples for `n` comparisons; intervals use the first `N_DRAWS`."""
    return max(N_DRAWS, _DRAWS_PER_COMPARISON * n)


def compare(
    family: Mapping[K, tuple[Score, Score]], n_draws: int | None = None
) -> dict[K, Comparison]:
    """Test each (before, after) by a paired bootstrap, with Holm's adjustment over the family.

    Args:
        family: Two scores of the same units for each comparison, by its name.
        n_draws: Resamples, >= 1; those of `draws_for` by default.

    Returns:
        Comparisons by the same names. A comparison has no interval and no p if a score, or more
        than 5 % of its draws, is undefined.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import compare, mean_scores
        >>> queries = np.linspace(0, 0.5, 50)
        >>> scores = mean_scores({"raw": queries, "flow": queries + 0.1})
        >>> compare({"flow": (scores["raw"], scores["flow"])}, 200)["flow"].text()
        '+0.10'
    """
    n = n_draws or draws_for(len(family))
    tested = {name: _tested(*both, n) for name, both in family.items()}
    adjusted = iter(holm([each.p for each in tested.values() if each.p is not None]).tolist())
    return {
        name: each if each.p is None else replace(each, p_adjusted=next(adjusted))
        for name, each in tested.items()
    }


def _tested(before: Score, after: Score, n_draws: int) -> Comparison:
    untested = Comparison(before.value, after.value)
    if untested.difference is None:
        return untested
    drawn = np.round(after.resample(n_draws) - before.resample(n_draws), _DIGITS)
    if np.isnan(drawn).mean() > MAX_UNDEFINED:
        return untested
    ends = interval_of(drawn[:N_DRAWS])
    return replace(untested, low=ends.low, high=ends.high, p=two_sided_p(drawn))


def compare_to(
    baseline: K, scores: Mapping[K, Score], n_draws: int | None = None
) -> dict[K, Comparison]:
    """Compare every other score with the baseline's, Holm-adjusted over these comparisons."""
    others = {name: each for name, each in scores.items() if name != baseline}
    return compare({name: (scores[baseline], each) for name, each in others.items()}, n_draws)


def letters(scores: Mapping[str, Score], n_draws: int) -> dict[str, str]:
    """Give defined scores letters: two share one unless they differ, Holm-adjusted over all."""
    known = {name: each.value for name, each in scores.items() if each.value is not None}
    order = sorted(known, key=lambda name: -known[name])
    family = {(a, b): (scores[b], scores[a]) for a, b in combinations(order, 2)}
    tested = compare(family, n_draws)
    return letters_of(order, [both for both, each in tested.items() if each.significant])


def smallest_p(scores: Mapping[K, Score], n_draws: int) -> float:
    """Return the smallest possible p, 2 / (n + 1), for n draws in which both scores are defined."""
    known = [~np.isnan(each.resample(n_draws)) for each in scores.values()]
    both = [int((a & b).sum()) for a, b in combinations(known, 2)]
    return 2 / (max(both, default=n_draws) + 1)
