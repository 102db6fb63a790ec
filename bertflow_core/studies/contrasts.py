"""Which differences between rows of scores are larger than the noise of their pairs?

A row is scored on one data set or on several, by one fit or by one of each seed; a contrast sets
one row against another on some of these data sets. All rows of a data set are scored on the same
resamples of its pairs, so a difference has an interval and a p of its own, whichever rows stand
beside it, and Holm's method adjusts over those that are asked together.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.change import Change
from bertflow_core.datasets import SentencePairs
from bertflow_core.evaluation import N_DRAWS, Metric, metric_of
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.inference import (
    MAX_UNDEFINED,
    holm,
    interval_of,
    two_sided_p,
)
from bertflow_core.evaluation.sts import strata
from bertflow_core.recipe import Recipe
from bertflow_core.space import Scored
from bertflow_core.text_table import percent, shown_difference

__all__ = ["ALPHA", "Contrast", "Scores", "Tested", "draws_for", "shown_change"]

ALPHA = 0.05
_DRAWS_A_CONTRAST = 100
"""So that Holm's smallest p, 2 m / (draws + 1) of m contrasts, is 0.02."""

_Draws = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Contrast:
    """A row, the row that it is set against, and the data sets whose mean is compared."""

    row: Hashable
    against: Hashable
    datasets: tuple[str, ...]


@dataclass(frozen=True)
class Tested:
    """A change of a score, of rho or of AUC, tested.

    Attributes:
        change: From the one row to the other, with the 95 % interval of the difference.
        p: Two-sided, never 0; None where too few resamples have a score.
        p_adjusted: By Holm over the contrasts that were tested together.
    """

    change: Change
    p: float | None = None
    p_adjusted: float | None = None

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is at most `ALPHA`."""
        return self.p_adjusted is not None and self.p_adjusted <= ALPHA

    @property
    def mark(self) -> str:
        """Its arrow, in parentheses where it is not significant; nothing where no digit changes."""
        before, after = self.change.before, self.change.after
        if before is None or after is None or percent(before) == percent(after):
            return ""
        arrow = "▲" if after > before else "▼"
        return arrow if self.significant else f"({arrow})"

    def columns(self, name: str, *, shown: bool = True) -> dict[str, float | bool | None]:
        """Return its numbers as those of a row; `shown`: the change as both scores are shown."""
        before, after = self.change.before, self.change.after
        own = shown_change(before, after) if shown else self.change.difference
        if self.p is None:
            return {name: own}
        return {
            name: own,
            f"{name}_low": self.change.low,
            f"{name}_high": self.change.high,
            f"{name}_p": self.p,
            f"{name}_p_holm": self.p_adjusted,
            f"{name}_significant": self.significant,
        }


def draws_for(n: int) -> int:
    """Return how many resamples a family of `n` contrasts is tested with."""
    return max(N_DRAWS, _DRAWS_A_CONTRAST * n)


def shown_change(before: float | None, after: float | None) -> float | None:
    """Return the difference of two scores in [-1, 1] as it is shown: of their four digits."""
    if before is None or after is None:
        return None
    return shown_difference(100 * before, 100 * after, digits=2) / 100


@dataclass(frozen=True, eq=False)
class Scores:
    """Rows scored on data sets: rho in [-1, 1] or AUC in [0, 1], means over seeds.

    Attributes:
        fits: Of each row on each data set, one for each seed.
        pairs: What was scored, by data set.
        protocol: Its aggregation and its seed count.
    """

    fits: Mapping[tuple[Any, str], Sequence[Scored]] = field(repr=False)
    pairs: Mapping[str, SentencePairs] = field(repr=False)
    protocol: Recipe

    def metric(self, dataset: str) -> Metric:
        """Return what the pairs of a data set are scored by."""
        return metric_of(self.pairs[dataset].metric)

    def score(self, row: Hashable, datasets: Iterable[str]) -> float | None:
        """Return the mean over data sets of the mean over seeds; None where one is undefined."""
        return _mean([_mean(self.of_seeds(row, name)) for name in datasets])

    def of_seeds(self, row: Hashable, dataset: str) -> list[float | None]:
        """Return the score of each seed; None where it is undefined."""
        how = self.protocol.aggregation
        return [getattr(fit.scores.main, how) for fit in self.fits[row, dataset]]

    def tested(self, contrasts: Sequence[Contrast], *, n_draws: int = 0) -> list[Tested]:
        """Test contrasts by a paired bootstrap, Holm over all of them.

        Args:
            contrasts: One family.
            n_draws: Resamples of each data set's pairs; as many as the family needs if 0.
        """
        n_draws = n_draws or draws_for(len(contrasts))
        found = [self._tested(each, n_draws) for each in contrasts]
        known = [each.p for each in found if each.p is not None]
        adjusted = iter(map(float, holm(known)))
        return [
            each if each.p is None else replace(each, p_adjusted=next(adjusted)) for each in found
        ]

    def change(self, contrast: Contrast) -> Tested:
        """Return a contrast that is not tested."""
        rows = contrast.against, contrast.row
        return Tested(Change(*(self.score(row, contrast.datasets) for row in rows)))

    def _tested(self, contrast: Contrast, n_draws: int) -> Tested:
        untested = self.change(contrast)
        before, after = untested.change.before, untested.change.after
        if before is None or after is None:
            return untested
        drawn = [self._draws(name, n_draws) for name in contrast.datasets]
        parts = [each[contrast.row] - each[contrast.against] for each in drawn]
        if len(parts) > 1:
            # Data sets of one size have the same resamples under one seed, and are independent.
            shuffle = np.random.default_rng(self.protocol.seed).permutation
            parts = [shuffle(each) for each in parts]
        changes: _Draws = np.mean(parts, axis=0)
        if np.isnan(changes).mean() > MAX_UNDEFINED:
            return untested
        ends = interval_of(changes)
        return Tested(Change(before, after, ends.low, ends.high), two_sided_p(changes))

    def _draws(self, dataset: str, n_draws: int) -> dict[Hashable, _Draws]:
        """Return the score of each row, the mean over seeds, on resamples of the pairs, (B,)."""
        if (dataset, n_draws) not in self._drawn:
            self._drawn[dataset, n_draws] = self._draw(dataset, n_draws)
        return self._drawn[dataset, n_draws]

    @cached_property
    def _drawn(self) -> dict[tuple[str, int], dict[Hashable, _Draws]]:
        return {}

    def _draw(self, dataset: str, n_draws: int) -> dict[Hashable, _Draws]:
        pairs, protocol = self.pairs[dataset], self.protocol
        fits = {row: each for (row, name), each in self.fits.items() if name == dataset}
        source = PairedBootstrap(
            (fit.similarity for each in fits.values() for fit in each),
            np.asarray(pairs.judged, np.float64),
            strata(pairs.subsets, protocol.aggregation),
            seed=protocol.seed,
            metric=self.metric(dataset),
        )
        drawn = source.draw(n_draws)
        edges = np.cumsum([0, *map(len, fits.values())])
        means = (drawn[:, start:end].mean(axis=1) for start, end in pairwise(edges))
        return dict(zip(fits, means, strict=True))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None
