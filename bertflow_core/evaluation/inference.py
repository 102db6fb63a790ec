"""Is a difference between calibrators larger than chance: intervals, p-values, letters.

`compare_rhos` compares the calibrators of one data set; `contrasts.Scores` tests the changes in a
table of several. Scores are Spearman's rho, or AUC where pairs have labels, although names say rho.

Intervals are percentiles of the draws. In simulations of bivariate normal pairs (50 to 1,000 pairs,
rho 0.5 to 0.8) nominal 95 % intervals covered rho in 95 to 96 % of cases and a difference in 94 to
95.5 %, so that no correction is made; `tests/evaluation/test_bootstrap.py` repeats two of them. An
interval depends on its own calibrators, the pairs and the seed, and on no other calibrator. It is
about other pairs of the same kind; what another seed of a training changes, `summarize_seeds` says.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError, check_name
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.change import Change
from bertflow_core.evaluation.sts import RHO, Metric, strata
from bertflow_core.wording import quoted

ALPHA = 0.05
"""The level of every test."""

N_DRAWS = 10_000
"""Resamples, wherever a change is tested: of p = 0.05 they leave a standard error of 0.003."""

MAX_UNDEFINED = 0.05
"""The largest share of draws without a value that is left out; beyond it the pairs are too few."""


class Interval(NamedTuple):
    """The ends of a confidence interval, in units of rho."""

    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """A score of one row, or of one calibrator, against that of another, tested."""

    name: Hashable
    other: Hashable  # what it is compared with
    change: Change  # from the other's score, with the 95 % interval, which is not adjusted
    p: float | None = None  # two-sided, never 0; None where too few resamples have a score
    p_adjusted: float | None = None  # by Holm over those that were tested together

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most `ALPHA`."""
        return self.p_adjusted is not None and self.p_adjusted <= ALPHA

    @property
    def mark(self) -> str:
        """Its arrow, in parentheses where it is not significant; nothing where no digit changes."""
        if not self.change.shown:
            return ""
        arrow = "▲" if self.change.shown > 0 else "▼"
        return arrow if self.significant else f"({arrow})"

    def columns(self, name: str) -> dict[str, float | bool | None]:
        """Return its numbers as those of a row, the change as both scores are shown."""
        if self.p is None:
            return {name: self.change.shown}
        return {
            name: self.change.shown,
            f"{name}_low": self.change.low,
            f"{name}_high": self.change.high,
            f"{name}_p": self.p,
            f"{name}_p_holm": self.p_adjusted,
            f"{name}_significant": self.significant,
        }


def difference(
    rows: tuple[Hashable, Hashable],
    scores: tuple[float, float],
    drawn: npt.NDArray[np.float64],
) -> Difference:
    """Test a row, with its score, against another, by their difference on resamples, (B,)."""
    ends = interval_of(drawn)
    change = Change(scores[1], scores[0], ends.low, ends.high)
    return Difference(*rows, change, two_sided_p(drawn))


def as_family(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """Return differences that were tested together, with the adjusted p of each that has a p."""
    every = tuple(differences)
    adjusted = iter(holm([each.p for each in every if each.p is not None]).tolist())
    return tuple(
        each if each.p is None else replace(each, p_adjusted=next(adjusted)) for each in every
    )


@dataclass(frozen=True, eq=False)
class RhoComparison:
    """C calibrators on one data set: Spearman's rho on its pairs, and on B resamples of them."""

    names: tuple[str, ...]  # the calibrators, length C
    baseline: str  # the one that the others are compared with
    aggregation: str  # `all`, `mean` or `wmean`
    n_pairs: int
    rhos: npt.NDArray[np.float64] = field(repr=False)  # on all pairs, shape (C,)
    draws: npt.NDArray[np.float64] = field(repr=False)  # of resamples, (B, C), or NaN
    metric: Metric = RHO  # what `rhos` and `draws` hold

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
        """The smallest p-value that any difference can have: 2 / (draws with both values + 1)."""
        both = [int((a & b).sum()) for a, b in combinations(~np.isnan(self.draws.T), 2)]
        return 2 / (max(both, default=self.n_draws) + 1)

    def score(self, name: str) -> float:
        """Return one calibrator's rho."""
        return float(self.rhos[self.names.index(name)])

    def interval(self, name: str) -> Interval:
        """Return the 95 % interval of one calibrator's rho."""
        return interval_of(self.draws[:, self.names.index(name)])

    def differences(self, pairs: Sequence[tuple[str, str]]) -> tuple[Difference, ...]:
        """Compare each (name, other) of one family of comparisons; for p see `two_sided_p`."""
        columns = dict(zip(self.names, self.draws.T, strict=True))
        return as_family(
            difference(
                (one, other), (self.score(one), self.score(other)), columns[one] - columns[other]
            )
            for one, other in pairs
        )

    @cached_property
    def to_baseline(self) -> tuple[Difference, ...]:
        """Each other less the baseline, Holm over C - 1."""
        return self.differences([(n, self.baseline) for n in self.names if n != self.baseline])

    @property
    def _best_first(self) -> list[str]:
        return [self.names[i] for i in np.argsort(-self.rhos, kind="stable")]

    @cached_property
    def pairs(self) -> tuple[Difference, ...]:
        """All pairs, the better first, Holm over these C (C - 1) / 2."""
        return self.differences(list(combinations(self._best_first, 2)))

    @cached_property
    def letters(self) -> dict[str, str]:
        """By calibrator: two share one exactly if `pairs` does not tell them apart."""
        different = [(str(d.name), str(d.other)) for d in self.pairs if d.significant]
        return letters_of(self._best_first, different)


def compare_rhos(
    similarities: Mapping[str, npt.ArrayLike],
    gold: npt.ArrayLike,
    subsets: Sequence[str],
    *,
    baseline: str,
    aggregation: str,
    metric: Metric = RHO,
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
        >>> [(each.name, each.significant) for each in comparison.to_baseline], comparison.letters
        ([('flow', True)], {'flow': 'a', 'raw': 'b'})
    """
    check_name(baseline, similarities, "calibrator")
    columns = {name: np.asarray(x, np.float64) for name, x in similarities.items()}
    scores = np.asarray(gold, np.float64)
    parts = strata(subsets, aggregation)
    rhos = []
    for name, similarity in columns.items():
        value = getattr(metric.score(similarity, scores, subsets).main, aggregation)
        if value is None:
            raise InputError(
                f"{quoted(name)} has no {metric.word} ({aggregation}): all its similarities, or "
                f"all {metric.judged} of a subset, are equal; leave it out or choose another "
                "aggregation"
            )
        rhos.append(value)
    drawn = PairedBootstrap(columns.values(), scores, parts, seed=seed, metric=metric).draw(n_draws)
    found = RhoComparison(
        tuple(columns), baseline, aggregation, len(scores), np.array(rhos), drawn, metric
    )
    if found.n_undefined > MAX_UNDEFINED * n_draws:
        raise InputError(
            f"{found.n_undefined:,} of {n_draws:,} resamples have no {metric.word}, since all "
            f"their {metric.judged} or similarities are equal: the pairs are too few or too much "
            "alike for a bootstrap"
        )
    return found


def interval_of(drawn: FloatArray) -> Interval:
    """Return the 95 % percentile interval of a number's draws, shape (B,); NaN do not count."""
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return Interval(float(low), float(high))


def two_sided_p(drawn: npt.NDArray[np.float64]) -> float:
    """Return the two-sided p of "no difference", from the differences on B resamples, shape (B,).

    With a the number of differences <= 0, b that of differences >= 0, and k the smaller of the two,
    p = 2 (1 + k) / (B + 1), at most 1 (Davison and Hinkley, 1997, section 4.2.5). A percentile
    interval of level 1 - p just reaches 0. NaN are left out.
    """
    tail = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    n_defined = int((~np.isnan(drawn)).sum())
    return min(2 * (1 + tail) / (n_defined + 1), 1.0)


def holm(p: Sequence[float]) -> npt.NDArray[np.float64]:
    """Adjust the p-values of m comparisons that are tested together, shape (m,).

    The probability of one false alarm or more is then at most the level. The k-th smallest is
    multiplied by m - k + 1; an adjusted p is at least that of any smaller p, and at most 1.

    References:
        A simple sequentially rejective multiple test procedure (Holm, 1979),
        https://www.jstor.org/stable/4615733
    """
    order = np.argsort(p, kind="stable")
    steps = np.asarray(p, np.float64)[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def letters_of(names: Sequence[str], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Give each name letters: two names share a letter exactly if they are not `different`.

    Names come with the best first, which gets "a". Insert and absorb (Piepho, 2004,
    https://doi.org/10.1198/1061860043515): all begin in one group; each pair that differs splits
    every group that holds both, and groups within others are dropped.
    """
    groups = [frozenset(names)]
    for pair in different:
        parts = [
            part
            for group in groups
            for part in ((group - {name} for name in pair) if group.issuperset(pair) else (group,))
        ]
        distinct = list(dict.fromkeys(parts))
        groups = [group for group in distinct if not any(group < other for other in distinct)]
    place = {name: rank for rank, name in enumerate(names)}
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    n = len(ascii_lowercase)  # a to z, then a' to z', and so on
    said = [ascii_lowercase[i % n] + "'" * (i // n) for i in range(len(groups))]
    return {
        name: "".join(letter for letter, group in zip(said, groups, strict=True) if name in group)
        for name in names
    }


@dataclass(frozen=True)
class SeedSummary:
    """Spearman's rho over trainings that differ in their seed only (Table 8 of Li et al., 2020).

    The standard deviation has n - 1 below the line; it is None for a single seed.
    """

    n_seeds: int
    mean: float
    sd: float | None
    median: float
    min: float
    max: float


def summarize_seeds(rhos: Sequence[float]) -> SeedSummary:
    """Summarize rho over seeds, one finite number for each.

    Example:
        >>> from bertflow_core.evaluation import summarize_seeds
        >>> summary = summarize_seeds([0.70, 0.71, 0.75])
        >>> round(summary.mean, 4), round(summary.sd, 4)
        (0.72, 0.0265)
    """
    values = np.asarray(rhos, np.float64)
    return SeedSummary(
        n_seeds=len(values),
        mean=float(values.mean()),
        sd=float(values.std(ddof=1)) if len(values) > 1 else None,
        median=float(np.median(values)),
        min=float(values.min()),
        max=float(values.max()),
    )
