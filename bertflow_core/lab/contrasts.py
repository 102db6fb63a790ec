"""Which differences between rows of scores are larger than the noise of their pairs?

A row is scored on one data set or on several, by one fit or by one of each seed; a contrast sets
one row against another on some of these data sets. All rows of a data set are scored on the same
resamples of its pairs, so a difference has an interval and a p of its own, whichever rows stand
beside it, and Holm's method adjusts over those that are asked together.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, Metric, metric_of
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.change import Change
from bertflow_core.evaluation.inference import (
    MAX_UNDEFINED,
    Difference,
    RhoComparison,
    as_family,
    compare_rhos,
    difference,
)
from bertflow_core.evaluation.sts import strata
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.space import Scored

_DRAWS_A_CONTRAST = 100
"""So that Holm's smallest p, 2 m / (draws + 1) of m contrasts, is 0.02."""

_Draws = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Contrast:
    """A row, the row that it is set against, and the data sets whose mean is compared."""

    row: Hashable
    against: Hashable
    datasets: tuple[str, ...]


def draws_for(n: int) -> int:
    """Return how many resamples a family of `n` contrasts is tested with."""
    return max(N_DRAWS, _DRAWS_A_CONTRAST * n)


def changes_of_rho(
    similarities: Mapping[str, FloatArray],
    pairs: SentencePairs,
    recipe: Recipe,
    *,
    baseline: str,
    n_draws: int = N_DRAWS,
) -> RhoComparison:
    """Compare calibrators on the same pairs: one draw and one number for every page.

    The recipe's aggregation and seed decide the draws; of pairs with labels, AUC is compared.
    """
    if pairs.judged is None:
        raise InputError(f"{pairs.name} has no gold scores, so there is no rho to test")
    return compare_rhos(
        similarities,
        pairs.judged,
        pairs.subsets,
        baseline=baseline,
        aggregation=recipe.aggregation,
        metric=metric_of(pairs.metric),
        n_draws=n_draws,
        seed=recipe.seed,
    )


def score_columns(compared: RhoComparison, name: str) -> dict[str, float | bool | None]:
    """Return the score of a calibrator with its interval, and its tested change, as columns."""
    ends = compared.interval(name)
    score = compared.score(name)
    row = {"score": score, "score_low": ends.low, "score_high": ends.high}
    tested = [each.columns("change") for each in compared.to_baseline if each.name == name]
    return {**row, **(tested[0] if tested else {})}


@dataclass(frozen=True, eq=False)
class Scores:
    """Rows scored on data sets: rho in [-1, 1] or AUC in [0, 1], means over seeds."""

    fits: Mapping[tuple[Any, str], Sequence[Scored]] = field(repr=False)  # one for each seed
    pairs: Mapping[str, SentencePairs] = field(repr=False)  # what was scored, by data set
    protocol: Recipe  # its aggregation and its seed count

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

    def tested(self, contrasts: Sequence[Contrast]) -> tuple[Difference, ...]:
        """Test the contrasts of one family by a paired bootstrap, Holm over all of them."""
        n_draws = draws_for(len(contrasts))
        return as_family(self._tested(each, n_draws) for each in contrasts)

    def untested(self, contrast: Contrast) -> Difference:
        """Return a contrast that is not tested."""
        before, after = (self.score(r, contrast.datasets) for r in (contrast.against, contrast.row))
        return Difference(contrast.row, contrast.against, Change(before, after))

    def _tested(self, contrast: Contrast, n_draws: int) -> Difference:
        untested = self.untested(contrast)
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
        return difference((contrast.row, contrast.against), (after, before), changes)

    def _draws(self, dataset: str, n_draws: int) -> dict[Hashable, _Draws]:
        """Return the score of each row, the mean over seeds, on resamples of the pairs, (B,)."""
        if (dataset, n_draws) in self._drawn:
            return self._drawn[dataset, n_draws]
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
        return self._drawn.setdefault((dataset, n_draws), dict(zip(fits, means, strict=True)))

    @cached_property
    def _drawn(self) -> dict[tuple[str, int], dict[Hashable, _Draws]]:
        return {}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None
