"""Which differences of a comparison are larger than the noise of its pairs?

An arrow joins a row of the table to identity on the same vectors, and every row is set against its
model's plain output, Holm over the differences of either kind; `significance` sets every row of
one data set against one of them, with intervals and letters.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from bertflow_core.contrasts import Contrast, changes_of_rho, draws_for
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, Metric
from bertflow_core.evaluation.inference import (
    ALPHA,
    Difference,
    RhoComparison,
    SeedSummary,
    summarize_seeds,
)
from bertflow_core.figures import interval_forest
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import doubt_of_score
from bertflow_core.report import Column, Pictures, Report
from bertflow_core.studies.comparison.grid import Row
from bertflow_core.studies.comparison.measure import Comparison
from bertflow_core.text_table import percent

_OF_THE_ROWS = ("model", "layers", "tokens", "calibrator")
_OF_SEEDS = ("mean", "sd", "median")

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

    tested: Mapping[Place, Difference] = field(repr=False)
    to_plain: Mapping[Place, Difference] = field(repr=False)
    n_draws: int

    def get(self, row: Row, dataset: str | None) -> Difference | None:
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
) -> Iterator[tuple[Place, Difference]]:
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


def significance(
    comparison: Comparison, dataset: str, *, baseline: Row | None = None, n_draws: int = N_DRAWS
) -> Report:
    """Test the rows of a comparison against each other on one of its data sets.

    Of a random calibrator the fit of its first seed is tested; the other seeds have columns.

    Args:
        comparison: A filled grid.
        dataset: One of its columns.
        baseline: The row that differences are taken to; None is the first row.
        n_draws: Resamples of the pairs.

    Raises:
        InputError: A single row, an unknown one, or a row without a score.
    """
    grid, pairs = comparison.grid, comparison.pairs[dataset]
    rows = {str(row): row for row in grid.rows}
    baseline = baseline or grid.rows[0]
    if len(rows) < 2:
        raise InputError("a test needs two rows: choose a calibrator beside identity")
    tests = changes_of_rho(
        {label: comparison.fits(row, dataset)[0].similarity for label, row in rows.items()},
        pairs,
        grid.protocol,
        baseline=str(baseline),
        n_draws=n_draws,
    )
    seeds = {label: _over_seeds(comparison.scores(row, dataset)) for label, row in rows.items()}
    has_seeds = any(summary.n_seeds > 1 for summary in seeds.values())
    metric, known = tests.draws.metric, dict(zip(rows, tests.draws.rhos.tolist(), strict=True))
    return Report(
        name="significance",
        params=grid.protocol.with_(dataset=dataset).without(*_OF_THE_ROWS),
        columns=(
            Column("dataset", "data set"),
            Column("row"),
            Column(metric.name, metric.header, ".2f", times=100, ends=True),
            Column("letters"),
            Column("change", "difference", "+z.2f", times=100, ends=True),
            Column("p_holm", "p (Holm)", "p"),
            *(Column(f"seeds_{of}", f"seeds: {of}", ".2f", times=100) for of in _OF_SEEDS),
        ),
        rows=list(_rows(tests, rows, seeds, dataset)),
        title="Which differences are larger than the noise of the pairs?",
        remarks=tuple(_remarks(tests, grid.protocol, dataset, has_seeds=has_seeds)),
        command=grid.to_command(n_draws=n_draws, baseline=baseline),
        facts={
            "doubt": doubt_of_score(known[str(baseline)], pairs, metric),
            "n_differences": len(tests.to_baseline),
            "n_significant": sum(each.significant for each in tests.to_baseline),
            "smallest_p": tests.draws.smallest_p,
        },
        live={"metric": metric},
        draw=_pictures,
    )


def joined(reports: Sequence[Report]) -> Report:
    """Return the tests of a comparison on several data sets, at least one, as one report."""
    first, *others = reports
    if not others:
        return first
    return replace(
        first,
        params=cast("Recipe", first.params).without(*_OF_THE_ROWS, "dataset"),
        columns=tuple({each.key: each for report in reports for each in report.columns}.values()),
        rows=[row for report in reports for row in report.rows],
        remarks=tuple(dict.fromkeys(said for report in reports for said in report.remarks)),
    )


def _over_seeds(scores: Iterable[float | None]) -> SeedSummary:
    if None in (found := list(scores)):
        raise InputError(
            "a row has no score under some of its seeds: take other seeds or leave it out"
        )
    return summarize_seeds([score for score in found if score is not None])


def _has_letters(tests: RhoComparison) -> bool:
    """Tell whether so many resamples could separate any pair of so many rows."""
    return len(tests.pairs) * tests.draws.smallest_p <= ALPHA


def _rows(
    tests: RhoComparison, rows: Mapping[str, Row], seeds: Mapping[str, SeedSummary], dataset: str
) -> Iterator[dict[str, Any]]:
    """Yield each row's score and interval, its difference to the baseline, and its seeds."""
    name = tests.draws.metric.name
    rhos = dict(zip(tests.draws.names, map(float, tests.draws.rhos), strict=True))
    compared = {each.name: each for each in tests.to_baseline}
    for label, place in rows.items():
        interval, of_seeds = tests.interval(label), seeds[label]
        row: dict[str, Any] = {
            "dataset": dataset,
            "row": label,
            **asdict(place),
            name: rhos[label],
            f"{name}_low": interval.low,
            f"{name}_high": interval.high,
            **({"letters": tests.letters[label]} if _has_letters(tests) else {}),
            "baseline": tests.baseline,
            "n_seeds": of_seeds.n_seeds,
            "n_draws": tests.draws.n_draws,
        }
        if tested := compared.get(label):
            row |= {
                "difference": tested.change.difference,
                "change": tested.change.shown,
                "change_low": tested.change.low,
                "change_high": tested.change.high,
                "p": tested.p,
                "p_holm": tested.p_adjusted,
                "significant": tested.significant,
            }
        if of_seeds.n_seeds > 1:
            row |= {f"seeds_{key}": getattr(of_seeds, key) for key in _OF_SEEDS}
        yield row


def _pictures(report: Report) -> Pictures:
    """Return the two pictures of the first data set."""
    metric: Metric = report.live["metric"]
    rows = report.where(dataset=report.rows[0]["dataset"])
    one = len({(row["model"], row["layers"], row["tokens"]) for row in rows}) == 1
    # Where all are of the same vectors, the calibrator alone says which row it is.
    names = {row["row"]: row["calibrator"] if one else row["row"] for row in rows}
    told, name = [row for row in rows if "change" in row], metric.name
    against = names.get(rows[0]["baseline"], rows[0]["baseline"])
    return {
        "differences": lambda: interval_forest(
            [names[row["row"]] for row in told],
            *([row[key] for row in told] for key in ("change", "change_low", "change_high")),
            title=f"change of {metric.header}<br>against {against}",
            reference=0.0,
            apart=[row["significant"] for row in told],
        ),
        "intervals": lambda: interval_forest(
            [names[row["row"]] for row in rows],
            *([row[key] for row in rows] for key in (name, f"{name}_low", f"{name}_high")),
            title=f"{metric.title} x 100",
            notes=[row.get("letters", "") for row in rows],
        ),
    }


def _remarks(
    tests: RhoComparison, protocol: Recipe, dataset: str, *, has_seeds: bool
) -> Iterator[str]:
    """Say how the intervals and the tests were made, and what they do not cover."""
    draws = tests.draws
    within = "" if draws.aggregation == "all" else ", within subsets"
    of_seeds = " They are those of the first seed's fit and do not cover other seeds."
    yield (
        f"{dataset}, {draws.n_pairs:,} pairs, aggregation {draws.aggregation}; "
        f"{100 * (1 - ALPHA):g} % intervals in brackets, from {draws.n_draws:,} resamples of "
        f"the pairs{within}, the same for every row; no calibrator is fitted again."
        f"{of_seeds if has_seeds else ''}"
    )
    yield (
        f"Differences are to {tests.baseline}. p (Holm): two-sided, adjusted by Holm's method "
        f"for the number of differences, {len(tests.to_baseline)}; before that the smallest p "
        f"that so many resamples can give is {draws.smallest_p:.4f}. The intervals are not "
        "adjusted for the number of rows: one may leave out 0 where p (Holm) is above 0.05."
    )
    if _has_letters(tests):
        yield (
            "Rows that share a letter do not differ significantly (Holm over all pairs of rows)."
        )
    else:
        yield (
            f"No letters: {len(tests.pairs)} pairs of rows are too many for {draws.n_draws:,} "
            "resamples to separate any two; compare fewer rows."
        )
    yield (
        f"Split {protocol.split}, fitted on {protocol.fit_on}; {protocol.length}, "
        f"{protocol.precision}; seed {protocol.seed}."
    )
