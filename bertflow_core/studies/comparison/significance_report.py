"""The report on significance: score, interval, difference and letters of each row."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from bertflow_core.figures import Figure, interval_forest
from bertflow_core.report import Column, Pictures, Report, Row
from bertflow_core.studies.comparison.significance import Assessment
from bertflow_core.studies.contrasts import shown_change

_OF_THE_ROWS = ("model", "layers", "tokens", "calibrator")


def significance_report(*assessments: Assessment) -> Report:
    """Report the tests of a comparison.

    Args:
        assessments: Of one comparison, at least one, each on a data set of its own.
    """
    first, several = assessments[0], len(assessments) > 1
    grid = first.comparison.grid
    metrics = {each.metric.name: each.metric for each in assessments}
    seeds = any(each.has_seeds for each in assessments)
    apart = (*_OF_THE_ROWS, "dataset") if several else _OF_THE_ROWS
    return Report(
        name="significance",
        params=grid.protocol.with_(dataset=first.dataset).without(*apart),
        columns=(
            *([Column("dataset", "data set")] if several else []),
            Column("row"),
            *(
                Column(name, metric.header, ".2f", times=100, ends=True)
                for name, metric in metrics.items()
            ),
            *([Column("letters")] if any(each.has_letters for each in assessments) else []),
            Column("change", "difference", "+z.2f", times=100, ends=True),
            Column("p_holm", "p (Holm)", "p"),
            *([_of_seeds("mean"), _of_seeds("sd"), _of_seeds("median")] if seeds else []),
        ),
        rows=[row for each in assessments for row in _rows(each)],
        title="Which differences are larger than the noise of the pairs?",
        remarks=tuple(dict.fromkeys(said for each in assessments for said in _remarks(each))),
        command=grid.to_command(n_draws=first.n_draws, baseline=first.baseline),
        live={"assessments": assessments},
        draw=_pictures,
    )


def _of_seeds(name: str) -> Column:
    return Column(f"seeds_{name}", f"seeds: {name}", ".2f", times=100)


def _rows(assessment: Assessment) -> Iterator[dict[str, Any]]:
    """Yield each row's score and interval, its difference to the baseline, and its seeds."""
    tests, name = assessment.tests, assessment.metric.name
    rhos = dict(zip(tests.draws.names, map(float, tests.draws.rhos), strict=True))
    compared = {each.name: each for each in tests.to_baseline}
    for place in assessment.comparison.grid.rows:
        label = str(place)
        seeds, interval = assessment.seeds[label], tests.interval(label)
        row: dict[str, Any] = {
            "dataset": assessment.dataset,
            "row": label,
            **asdict(place),
            name: rhos[label],
            f"{name}_low": interval.low,
            f"{name}_high": interval.high,
            "letters": tests.letters[label] if assessment.has_letters else "",
            "baseline": str(assessment.baseline),
            "n_seeds": seeds.n_seeds,
            "n_draws": tests.draws.n_draws,
        }
        if tested := compared.get(label):
            row |= {
                "difference": tested.rho,
                "change": shown_change(rhos[tests.baseline], rhos[label]),  # of numbers as shown
                "change_low": tested.interval.low,
                "change_high": tested.interval.high,
                "p": tested.p,
                "p_holm": tested.p_adjusted,
                "significant": tested.significant,
            }
        if seeds.n_seeds > 1:
            row |= {f"seeds_{key}": getattr(seeds, key) for key in ("mean", "sd", "median")}
        yield row


def _pictures(report: Report) -> Pictures:
    """Return the two pictures of the first data set."""
    first = report.live["assessments"][0]
    rows = [row for row in report.rows if row["dataset"] == first.dataset]
    return {
        "differences": partial(_differences, first, rows),
        "intervals": partial(_intervals, first, rows),
    }


def _differences(assessment: Assessment, rows: Sequence[Row]) -> Figure:
    """Draw the difference of each row to the baseline with its interval."""
    rows, names = [row for row in rows if "change" in row], _names(rows)
    return interval_forest(
        [names[row["row"]] for row in rows],
        *([row[key] for row in rows] for key in ("change", "change_low", "change_high")),
        title=f"change of {assessment.metric.header}<br>against {names[str(assessment.baseline)]}",
        reference=0.0,
        apart=[row["significant"] for row in rows],
    )


def _intervals(assessment: Assessment, rows: Sequence[Row]) -> Figure:
    """Draw the score of each row with its interval and its letters."""
    name, names = assessment.metric.name, _names(rows)
    return interval_forest(
        [names[row["row"]] for row in rows],
        *([row[key] for row in rows] for key in (name, f"{name}_low", f"{name}_high")),
        title=f"{assessment.metric.title} x 100",
        notes=[row["letters"] for row in rows],
    )


def _names(rows: Sequence[Row]) -> dict[str, str]:
    """Return what to call each row: by its calibrator alone where all are of the same vectors."""
    is_one = len({(row["model"], row["layers"], row["tokens"]) for row in rows}) == 1
    return {row["row"]: row["calibrator"] if is_one else row["row"] for row in rows}


def _remarks(assessment: Assessment) -> Iterator[str]:
    """Say how the intervals and the tests were made, and what they do not cover."""
    tests, protocol = assessment.tests, assessment.comparison.grid.protocol
    draws = tests.draws
    within = "" if draws.aggregation == "all" else ", within subsets"
    of_seeds = " They are those of the first seed's fit and do not cover other seeds."
    yield (
        f"{assessment.dataset}, {draws.n_pairs:,} pairs, aggregation {draws.aggregation}; "
        f"{100 * (1 - tests.alpha):g} % intervals in brackets, from {draws.n_draws:,} resamples of "
        f"the pairs{within}, the same for every row; no calibrator is fitted again."
        f"{of_seeds if assessment.has_seeds else ''}"
    )
    yield (
        f"Differences are to {assessment.baseline}. p (Holm): two-sided, adjusted by Holm's method "
        f"for the number of differences, {len(tests.to_baseline)}; before that the smallest p "
        f"that so many resamples can give is {draws.smallest_p:.4f}. The intervals are not "
        "adjusted for the number of rows: one may leave out 0 where p (Holm) is above 0.05."
    )
    if assessment.has_letters:
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
