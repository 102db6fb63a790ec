"""Which differences of a comparison are significant: intervals, letters, seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import (
    N_DRAWS,
    Metric,
    RhoComparison,
    SeedSummary,
    summarize_seeds,
)
from bertflow_core.remarks import doubt_of_score
from bertflow_core.space import changes_of_rho
from bertflow_core.studies.comparison.grid import Grid, Row
from bertflow_core.studies.comparison.result import Comparison

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True)
class Assessment:
    """The rows of a comparison on one data set, tested against one of them.

    Attributes:
        dataset: The data set.
        baseline: The row that differences are taken to.
        grid: What was compared.
        rows: All rows, by their label.
        significance: Intervals, differences and letters, by label; of a random calibrator, for the
            fit of its first seed.
        seeds: Scores over seeds, by label.
        n_draws: Resamples that were asked for; `significance.draws` may hold more.
        pairs: What was scored.
    """

    dataset: str
    baseline: Row
    grid: Grid
    rows: Mapping[str, Row]
    significance: RhoComparison
    seeds: Mapping[str, SeedSummary]
    n_draws: int
    pairs: SentencePairs = field(repr=False)

    @property
    def metric(self) -> Metric:
        """What was tested: rho, or AUC of labels."""
        return self.significance.draws.metric

    @property
    def doubt(self) -> str:
        """Say that there are too few pairs for a close score of the baseline, where that is so."""
        draws = self.significance.draws
        score = float(draws.rhos[draws.index(self.significance.baseline)])
        return doubt_of_score(score, self.pairs, self.metric)

    @property
    def has_letters(self) -> bool:
        """Whether so many resamples could separate any pair of so many rows."""
        tests = self.significance
        return len(tests.pairs) * tests.draws.smallest_p <= tests.alpha

    @property
    def has_seeds(self) -> bool:
        """Whether any row was fitted with more than one seed."""
        return any(summary.n_seeds > 1 for summary in self.seeds.values())


def assess(
    comparison: Comparison,
    dataset: str,
    *,
    baseline: Row | None = None,
    alpha: float = 0.05,
    n_draws: int = N_DRAWS,
) -> Assessment:
    """Test the rows of a comparison against each other on one of its data sets.

    Args:
        comparison: A filled grid.
        dataset: One of its columns.
        baseline: The row that differences are taken to; None is the first row.
        alpha: The level, in (0, 1).
        n_draws: Resamples of the pairs.

    Raises:
        InputError: A single row, an unknown one, or a row without a score.
    """
    rows = {str(row): row for row in comparison.grid.rows}
    baseline = baseline or comparison.grid.rows[0]
    if len(rows) < 2:
        raise InputError("a test needs two rows: choose a calibrator beside identity")
    significance = changes_of_rho(
        {label: comparison.fits(row, dataset)[0].similarity for label, row in rows.items()},
        comparison.pairs[dataset],
        comparison.grid.protocol,
        baseline=str(baseline),
        alpha=alpha,
        n_draws=n_draws,
    )
    seeds = {label: _over_seeds(comparison.scores(row, dataset)) for label, row in rows.items()}
    return Assessment(
        dataset,
        baseline,
        comparison.grid,
        rows,
        significance,
        seeds,
        n_draws,
        comparison.pairs[dataset],
    )


def _over_seeds(scores: Sequence[float | None]) -> SeedSummary:
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        raise InputError(
            "a row has no score under some of its seeds: take other seeds or leave it out"
        )
    return summarize_seeds(known)
