"""Every row of a comparison against one of them on one data set: intervals, p-values, letters."""

from collections.abc import Iterator

from bertflow_core.contrasts import changes_of_rho, score_columns
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS
from bertflow_core.evaluation.inference import ALPHA, RhoComparison, summarize_seeds
from bertflow_core.figures import interval_forest
from bertflow_core.remarks import doubt_of_score
from bertflow_core.report import Column, Pictures, Report
from bertflow_core.studies.filled import Comparison
from bertflow_core.studies.grid import CompareRecipe, row_name
from bertflow_core.study import Facts, Live, Part, Study

__all__ = ["significance", "significance_pictures"]

_OF_SEEDS = ("mean", "sd", "median")
_OF_ROWS = ("model", "layers", "tokens", "calibrator")


def significance(comparison: Comparison, dataset: str) -> Report:
    """Test the rows of a comparison against its baseline on one of its data sets.

    Of a random calibrator the fit of its first seed is tested; the other seeds have columns.

    Args:
        comparison: A filled grid; its parameters name the baseline and the number of resamples.
        dataset: One of its columns.

    Raises:
        InputError: A single row, or a row without a score.
    """
    grid = comparison.grid
    return _DECLARED.collect(
        _parts(comparison, dataset), grid.params, grid.calibrators, grid.layers
    )


def significance_pictures(report: Report) -> Pictures:
    """Return the two pictures of the tests on a data set."""
    metric = report.live["metric"]
    one = len({(row["model"], row["layers"], row["tokens"]) for row in report.rows}) == 1
    # Where all are of the same vectors, the calibrator alone says which row it is.
    names = {row["row"]: row["calibrator"] if one else row["row"] for row in report.rows}
    told = [row for row in report.rows if "change" in row]
    against = names.get(report.rows[0]["baseline"], report.rows[0]["baseline"])
    return {
        "differences": lambda: interval_forest(
            [names[row["row"]] for row in told],
            *([row[key] for row in told] for key in ("change", "change_low", "change_high")),
            title=f"change of {metric.header}<br>against {against}",
            reference=0.0,
            apart=[row["change_significant"] for row in told],
        ),
        "intervals": lambda: interval_forest(
            [*names.values()],
            *([row[key] for row in report.rows] for key in ("score", "score_low", "score_high")),
            title=f"{metric.title} x 100",
            notes=[row.get("letters", "") for row in report.rows],
        ),
    }


_DECLARED = Study(
    "significance",
    CompareRecipe,
    measure=lambda *_: (),
    columns=(),
    title="Which differences are larger than the noise of the pairs?",
    figures=significance_pictures,
    baseline=True,
    layers=True,
    plain=True,
    without=("model", "revision", "dataset", "calibrator"),
    command="bertflow-lab compare",
)


def _parts(comparison: Comparison, dataset: str) -> Iterator[Part]:
    grid, pairs = comparison.grid, comparison.pairs[dataset]
    rows = {row_name(row): row for row in grid.rows}
    if len(rows) < 2:
        raise InputError("a test needs two rows: choose a calibrator beside identity")
    tests = changes_of_rho(
        {label: comparison.fits(row, dataset)[0].similarity for label, row in rows.items()},
        pairs,
        grid.params,
        baseline=row_name(grid.baseline),
        n_draws=grid.params.bootstrap or N_DRAWS,
    )
    metric = tests.metric
    yield (
        Column("dataset", "data set"),
        Column("row"),
        Column("score", metric.header, ".2f", times=100, ends=True),
        Column("letters"),
        Column("change", "difference", "+z.2f", times=100, ends=True),
        Column("change_p_holm", "p (Holm)", "p"),
        *(Column(f"seeds_{of}", f"seeds: {of}", ".2f", times=100) for of in _OF_SEEDS),
    )
    for label, row in rows.items():
        scores = [score for score in comparison.scored.of_seeds(row, dataset) if score is not None]
        of_seeds = summarize_seeds(scores)
        more = {f"seeds_{key}": getattr(of_seeds, key) for key in _OF_SEEDS}
        yield {
            "dataset": dataset,
            "row": label,
            **{key: getattr(row, key) for key in _OF_ROWS},
            **score_columns(tests, label),
            **({"letters": tests.letters[label]} if _has_letters(tests) else {}),
            "baseline": tests.baseline,
            "n_seeds": of_seeds.n_seeds,
            "n_draws": tests.n_draws,
            **(more if len(scores) > 1 else {}),
        }
    yield from _remarks(tests, dataset, has_seeds=grid.params.seeds > 1)
    score = tests.score(tests.baseline)
    yield Facts(
        doubt=doubt_of_score(score, pairs, metric),
        n_differences=len(tests.to_baseline),
        n_significant=sum(each.significant for each in tests.to_baseline),
        smallest_p=tests.smallest_p,
    )
    yield Live(metric=metric)


def _has_letters(tests: RhoComparison) -> bool:
    """Tell whether so many resamples could separate any pair of so many rows."""
    return len(tests.pairs) * tests.smallest_p <= ALPHA


def _remarks(tests: RhoComparison, dataset: str, *, has_seeds: bool) -> Iterator[str]:
    """Say how the intervals and the tests were made, and what they do not cover."""
    within = "" if tests.aggregation == "all" else ", within subsets"
    of_seeds = " They are those of the first seed's fit and do not cover other seeds."
    yield (
        f"{dataset}, {tests.n_pairs:,} pairs; {100 * (1 - ALPHA):g} % intervals in brackets, from "
        f"{tests.n_draws:,} resamples of the pairs{within}, the same for every row; no calibrator "
        f"is fitted again.{of_seeds * has_seeds}"
    )
    yield (
        f"Differences are to {tests.baseline}. p (Holm): two-sided, adjusted by Holm's method "
        f"for the number of differences, {len(tests.to_baseline)}; before that the smallest p "
        f"that so many resamples can give is {tests.smallest_p:.4f}. The intervals are not "
        "adjusted for the number of rows: one may leave out 0 where p (Holm) is above 0.05."
    )
    yield (
        "Rows that share a letter do not differ significantly (Holm over all pairs of rows)."
        if _has_letters(tests)
        else f"No letters: {tests.n_draws:,} resamples are too few to separate so many rows."
    )
