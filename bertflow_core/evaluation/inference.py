"""Is a difference between calibrators real: each against a baseline, and letters for all pairs.

What is compared is a metric of agreement, `Metric`: rho, or AUC where the pairs have labels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError, check_type, nearest
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.metric import RHO, Metric
from bertflow_core.evaluation.multiple import letters
from bertflow_core.evaluation.rho_draws import Difference, Interval, RhoDraws
from bertflow_core.evaluation.sts import strata
from bertflow_core.linalg import FloatArray, as_numbers
from bertflow_core.text_table import change_text
from bertflow_core.wording import quoted

__all__ = ["MAX_UNDEFINED", "N_DRAWS", "RhoComparison", "compare_rhos"]

N_DRAWS = 10_000
"""Resamples, wherever a change is tested: of p = 0.05 they leave a standard error of 0.003."""

MAX_UNDEFINED = 0.05
"""The largest share of draws without a value that is left out; beyond it the pairs are too few."""


@dataclass(frozen=True, eq=False)
class RhoComparison:
    """C calibrators compared on one data set.

    Attributes:
        draws: Points and draws.
        baseline: The calibrator that the others are compared with.
        alpha: The level.
        to_baseline: Each other calibrator less the baseline, Holm over these C - 1.
        pairs: All pairs, the better first, Holm over these C (C - 1) / 2.
        letters: By calibrator; two share a letter exactly if `pairs` does not tell them apart.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import compare_rhos
        >>> gold, noise = np.arange(60.0), np.random.default_rng(0).normal(size=60)
        >>> similarities = {"raw": noise, "flow": gold + noise}
        >>> comparison = compare_rhos(
        ...     similarities, gold, ["all"] * 60, baseline="raw", aggregation="all", n_draws=200
        ... )
        >>> comparison.letters
        {'flow': 'a', 'raw': 'b'}
    """

    draws: RhoDraws
    baseline: str
    alpha: float
    to_baseline: tuple[Difference, ...]
    pairs: tuple[Difference, ...]
    letters: dict[str, str]

    def change_text(self, name: str) -> str:
        """Write rho x 100 of a calibrator less that of the baseline, as both are shown."""
        before, after = (self.draws.rhos[self.draws.index(each)] for each in (self.baseline, name))
        return change_text(float(before), float(after))

    def interval(self, name: str) -> Interval:
        """Return the interval of one calibrator's rho at confidence 1 - alpha."""
        return self.draws.interval(name, confidence=1 - self.alpha)


def compare_rhos(
    similarities: Mapping[str, FloatArray],
    gold: FloatArray,
    subsets: Sequence[str],
    *,
    baseline: str,
    aggregation: str,
    metric: Metric = RHO,
    alpha: float = 0.05,
    n_draws: int = N_DRAWS,
    seed: int = 0,
) -> RhoComparison:
    """Compare calibrators by rho, or another metric, on the same pairs, by a paired bootstrap.

    Args:
        similarities: By calibrator, the similarity of each pair, each of shape (N,).
        gold: Gold scores on any scale, or labels where the metric is AUC, shape (N,).
        subsets: The subset of each pair, length N; `mean` and `wmean` resample within subsets.
        baseline: The calibrator that the others are compared with.
        aggregation: `all`, `mean` or `wmean`.
        metric: What is compared.
        alpha: The level of the tests, in (0, 1).
        n_draws: Number of draws, >= 1.
        seed: Random seed, >= 0.

    Raises:
        InputError: What `metric.score` refuses, an unknown name, a calibrator without a value, or
            more than 5 % of the draws without one.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import compare_rhos
        >>> gold, noise = np.arange(60.0), np.random.default_rng(0).normal(size=60)
        >>> similarities = {"raw": noise, "flow": gold + noise}
        >>> comparison = compare_rhos(
        ...     similarities, gold, ["all"] * 60, baseline="raw", aggregation="all", n_draws=200
        ... )
        >>> [(each.name, each.significant) for each in comparison.to_baseline]
        [('flow', True)]
    """
    check_type(similarities, Mapping, "similarities", "a mapping of calibrators' names")
    check_type(metric, Metric, "metric", "one of METRICS")
    _check_numbers(alpha, n_draws, seed)
    check_type(baseline, str, "the baseline", "a calibrator's name")
    if baseline not in similarities:
        raise InputError(
            f"unknown calibrator {quoted(baseline)}: {nearest(baseline, similarities)}"
        )
    columns = {
        name: as_numbers(x, "similarities").astype(np.float64) for name, x in similarities.items()
    }
    scores = as_numbers(gold, metric.judged).astype(np.float64)
    parts = strata(subsets, aggregation)
    rhos = _points(columns, scores, subsets, aggregation, metric)
    source = PairedBootstrap(columns.values(), scores, parts, seed=seed, resampled=metric.resampled)
    draws = RhoDraws(tuple(columns), aggregation, len(scores), rhos, source.draw(n_draws), metric)
    _check_undefined(draws)
    return _compare(draws, baseline, alpha)


def _compare(draws: RhoDraws, baseline: str, alpha: float) -> RhoComparison:
    best_first = [draws.names[i] for i in np.argsort(-draws.rhos, kind="stable")]
    others = [(name, baseline) for name in draws.names if name != baseline]
    pairs = draws.differences(list(combinations(best_first, 2)), alpha=alpha)
    apart = [(pair.name, pair.other) for pair in pairs if pair.significant]
    return RhoComparison(
        draws=draws,
        baseline=baseline,
        alpha=alpha,
        to_baseline=draws.differences(others, alpha=alpha),
        pairs=pairs,
        letters=letters(best_first, apart),
    )


def _points(
    columns: Mapping[str, npt.NDArray[np.float64]],
    gold: npt.NDArray[np.float64],
    subsets: Sequence[str],
    aggregation: str,
    metric: Metric,
) -> npt.NDArray[np.float64]:
    """Return the value of each calibrator on all pairs, shape (C,)."""
    points = []
    for name, similarity in columns.items():
        point = getattr(metric.score(similarity, gold, subsets).main, aggregation)
        if point is None:
            raise InputError(
                f"{quoted(name)} has no {metric.word} ({aggregation}): all its similarities, or "
                f"all {metric.judged} of a subset, are equal; leave it out or choose another "
                "aggregation"
            )
        points.append(point)
    return np.array(points)


def _check_numbers(alpha: float, n_draws: int, seed: int) -> None:
    check_type(alpha, Real, "alpha", "a number")
    for name, value in {"n_draws": n_draws, "seed": seed}.items():
        check_type(value, Integral, name, "a whole number")
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie between 0 and 1, got {alpha:g}")
    if n_draws < 1:
        raise InputError(f"n_draws must be at least 1, got {n_draws}")
    if seed < 0:
        raise InputError(f"seed must be at least 0, got {seed}")


def _check_undefined(draws: RhoDraws) -> None:
    if draws.n_undefined > MAX_UNDEFINED * draws.n_draws:
        raise InputError(
            f"{draws.n_undefined:,} of {draws.n_draws:,} resamples have no {draws.metric.word}, "
            f"since all their {draws.metric.judged} or similarities are equal: the pairs are too "
            "few or too much alike for a bootstrap"
        )
