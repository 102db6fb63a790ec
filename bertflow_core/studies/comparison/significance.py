"""Which differences of a comparison are larger than the noise of its pairs?

An arrow joins a row of the table to identity on the same vectors, and every row is set against its
model's plain output, Holm over the differences of either kind; an assessment sets every row of one
data set against one of them, with intervals and letters.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, Metric
from bertflow_core.evaluation.inference import RhoComparison, SeedSummary, summarize_seeds
from bertflow_core.remarks import doubt_of_score
from bertflow_core.space import changes_of_rho
from bertflow_core.studies.comparison.grid import Row
from bertflow_core.studies.comparison.measure import Comparison
from bertflow_core.studies.contrasts import ALPHA, Contrast, Tested, draws_for
from bertflow_core.text_table import percent

Place = tuple[Row, str | None]


@dataclass(frozen=True)
class Arrows:
    """The differences that a table tells.

    Attributes:
        tested: Those from identity on the same vectors, by row and data set, `AVERAGE` for the mean
            over data sets.
        to_plain: Those from the plain output of the same model.
        n_draws: Resamples of each data set's pairs.
    """

    tested: Mapping[Place, Tested] = field(repr=False)
    to_plain: Mapping[Place, Tested] = field(repr=False)
    n_draws: int

    def get(self, row: Row, dataset: str | None) -> Tested | None:
        """Return an arrow; None where a score is undefined, does not change, or is a baseline's."""
        return self.tested.get((row, dataset))

    @property
    def n_significant(self) -> int:
        """How many arrows are significant."""
        return sum(arrow.significant for arrow in self.tested.values())


def arrows_of(comparison: Comparison) -> Arrows:
    """Test every difference that a comparison's table tells, by a paired bootstrap.

    The pairs of each data set are resampled, within subsets as the aggregation demands; a score is
    the mean over seeds, as in the table. An average is tested for these data sets, not for others.

    Args:
        comparison: A filled grid.
    """
    tested = dict(_tested(comparison, lambda row: row.baseline))
    to_plain = dict(_tested(comparison, comparison.grid.plain))
    return Arrows(tested, to_plain, draws_for(len(tested)))


def _tested(
    comparison: Comparison, other: Callable[[Row], Row | None]
) -> Iterator[tuple[Place, Tested]]:
    """Yield every difference, tested, where the digits that are shown differ."""
    places, contrasts = [], []
    for row in comparison.grid.rows:
        against = other(row)
        if against is None or against == row:
            continue
        for dataset in comparison.columns:
            scores = [percent(comparison.score(each, dataset)) for each in (against, row)]
            if scores[0] != scores[1] and percent(None) not in scores:
                places.append((row, dataset))
                contrasts.append(Contrast(row, against, comparison.parts(dataset)))
    yield from zip(places, comparison.scored.tested(contrasts), strict=True)


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
