"""Which differences of a comparison are larger than the noise of its pairs?

Two questions, one paired bootstrap. An arrow joins a row of the table to identity on the same
vectors, Holm over all arrows; an assessment sets every row of one data set against one of them,
with intervals and letters.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, Metric, summarize_seeds
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.inference import (
    MAX_UNDEFINED,
    RhoComparison,
    SeedSummary,
    holm,
    two_sided_p,
)
from bertflow_core.evaluation.sts import strata
from bertflow_core.remarks import doubt_of_score
from bertflow_core.space import changes_of_rho
from bertflow_core.studies.comparison.grid import AVERAGE, Row
from bertflow_core.studies.comparison.measure import Comparison
from bertflow_core.text_table import percent

ALPHA = 0.05
_DRAWS_AN_ARROW = 100
"""So that Holm's smallest p, 2 m / (draws + 1) of m arrows, is 0.02."""

Place = tuple[Row, str | None]
_Draws = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Arrow:
    """One change of a score: of rho, or of AUC.

    Attributes:
        change: Score of the row less that of its baseline, as the table shows them.
        p: Two-sided, never 0; None where too few resamples have a score.
        p_adjusted: By Holm over the arrows of the table.
        significant: `p_adjusted` is at most `ALPHA`.
    """

    change: float
    p: float | None
    p_adjusted: float | None
    significant: bool


@dataclass(frozen=True)
class Arrows:
    """The arrows of a table.

    Attributes:
        tested: By row and data set, `AVERAGE` for the mean over data sets.
        n_draws: Resamples of each data set's pairs.
    """

    tested: Mapping[Place, Arrow] = field(repr=False)
    n_draws: int

    def get(self, row: Row, dataset: str | None) -> Arrow | None:
        """Return an arrow; None where a score is undefined, does not change, or is a baseline's."""
        return self.tested.get((row, dataset))

    @property
    def n_significant(self) -> int:
        """How many arrows are significant."""
        return sum(arrow.significant for arrow in self.tested.values())


def arrows_of(comparison: Comparison) -> Arrows:
    """Test every change against the row's own baseline, by a paired bootstrap, Holm over all.

    The pairs of each data set are resampled, within subsets as the aggregation demands; a score is
    the mean over seeds, as in the table. An average is tested for these data sets, not for others.

    Args:
        comparison: A filled grid.
    """
    changes = dict(_changes(comparison))
    n_draws = max(N_DRAWS, _DRAWS_AN_ARROW * len(changes))
    scored = {name for _, dataset in changes for name in _parts(comparison, dataset)}
    drawn = {name: _draws(comparison, name, n_draws) for name in scored}
    seed = comparison.grid.protocol.seed
    p = {}
    for row, dataset in changes:
        parts = [
            drawn[name][row] - drawn[name][row.baseline] for name in _parts(comparison, dataset)
        ]
        p[row, dataset] = _p_value(parts, seed, is_average=dataset is AVERAGE)
    known = {place: value for place, value in p.items() if value is not None}
    adjusted = dict(zip(known, map(float, holm([*known.values()])), strict=True))
    tested = {
        place: Arrow(change, p[place], adjusted.get(place), adjusted.get(place, 1.0) <= ALPHA)
        for place, change in changes.items()
    }
    return Arrows(tested, n_draws)


def _changes(comparison: Comparison) -> Iterator[tuple[Place, float]]:
    """Yield every change that the table draws an arrow for: where the digits shown differ."""
    for row in comparison.grid.rows:
        for dataset in comparison.columns:
            before, after = (comparison.score(each, dataset) for each in (row.baseline, row))
            change = comparison.change(row, dataset)
            if change is not None and percent(before) != percent(after):
                yield (row, dataset), change


def _parts(comparison: Comparison, dataset: str | None) -> tuple[str, ...]:
    return comparison.grid.datasets if dataset is AVERAGE else (dataset,)


def _draws(comparison: Comparison, dataset: str, n_draws: int) -> dict[Row, _Draws]:
    """Return the score of each row, the mean over seeds, on resamples of the pairs, (B,) each."""
    pairs, rows, protocol = (
        comparison.pairs[dataset],
        comparison.grid.rows,
        comparison.grid.protocol,
    )
    fits = [comparison.fits(row, dataset) for row in rows]
    source = PairedBootstrap(
        (cell.similarity for cells in fits for cell in cells),
        np.asarray(pairs.judged, np.float64),
        strata(pairs.subsets, protocol.aggregation),
        seed=protocol.seed,
        metric=comparison.metric(dataset),
    )
    drawn = source.draw(n_draws)
    edges = np.cumsum([0, *map(len, fits)])
    means = (drawn[:, start:end].mean(axis=1) for start, end in pairwise(edges))
    return dict(zip(rows, means, strict=True))


def _p_value(parts: list[_Draws], seed: int, *, is_average: bool) -> float | None:
    if is_average:
        # Data sets of one size have the same resamples under one seed, and are independent.
        shuffle = np.random.default_rng(seed).permutation
        parts = [shuffle(each) for each in parts]
    change: _Draws = np.mean(parts, axis=0)
    return None if np.isnan(change).mean() > MAX_UNDEFINED else two_sided_p(change)


@dataclass(frozen=True)
class Assessment:
    """The rows of a comparison on one data set, tested against one of them.

    Attributes:
        comparison: What was compared.
        dataset: The data set.
        baseline: The row that differences are taken to.
        tests: Intervals, differences and letters, by a row's label; of a random calibrator, for the
            fit of its first seed.
        seeds: Scores over seeds, by label.
        n_draws: Resamples of the pairs.
    """

    comparison: Comparison = field(repr=False)
    dataset: str
    baseline: Row
    tests: RhoComparison
    seeds: Mapping[str, SeedSummary]
    n_draws: int

    @property
    def metric(self) -> Metric:
        """What was tested: rho, or AUC of labels."""
        return self.tests.draws.metric

    @property
    def doubt(self) -> str:
        """Say that there are too few pairs for a close score of the baseline, where that is so."""
        draws = self.tests.draws
        score = float(draws.rhos[draws.index(self.tests.baseline)])
        return doubt_of_score(score, self.comparison.pairs[self.dataset], self.metric)

    @property
    def has_letters(self) -> bool:
        """Whether so many resamples could separate any pair of so many rows."""
        return len(self.tests.pairs) * self.tests.draws.smallest_p <= self.tests.alpha

    @property
    def has_seeds(self) -> bool:
        """Whether any row was fitted with more than one seed."""
        return any(summary.n_seeds > 1 for summary in self.seeds.values())


def assess(
    comparison: Comparison, dataset: str, *, baseline: Row | None = None, n_draws: int = N_DRAWS
) -> Assessment:
    """Test the rows of a comparison against each other on one of its data sets.

    Args:
        comparison: A filled grid.
        dataset: One of its columns.
        baseline: The row that differences are taken to; None is the first row.
        n_draws: Resamples of the pairs.

    Raises:
        InputError: A single row, an unknown one, or a row without a score.
    """
    rows = {str(row): row for row in comparison.grid.rows}
    baseline = baseline or comparison.grid.rows[0]
    if len(rows) < 2:
        raise InputError("a test needs two rows: choose a calibrator beside identity")
    tests = changes_of_rho(
        {label: comparison.fits(row, dataset)[0].similarity for label, row in rows.items()},
        comparison.pairs[dataset],
        comparison.grid.protocol,
        baseline=str(baseline),
        alpha=ALPHA,
        n_draws=n_draws,
    )
    seeds = {label: _over_seeds(comparison.scores(row, dataset)) for label, row in rows.items()}
    return Assessment(comparison, dataset, baseline, tests, seeds, n_draws)


def _over_seeds(scores: Iterable[float | None]) -> SeedSummary:
    if None in (found := list(scores)):
        raise InputError(
            "a row has no score under some of its seeds: take other seeds or leave it out"
        )
    return summarize_seeds([score for score in found if score is not None])
