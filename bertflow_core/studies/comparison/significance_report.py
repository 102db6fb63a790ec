"""The report on significance: score, interval, difference and letters of each row."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bertflow_core.evaluation.inference import Difference
from bertflow_core.old_report import Report
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.significance import Assessment
from bertflow_core.text_table import TextTable, p_text, percent

__all__ = ["significance_records", "significance_report"]

_HEADER = ("interval", "letters", "difference", "its interval", "p (Holm)")
_SEEDS = ("seeds: mean", "sd", "median")
_OF_THE_ROWS = ("model", "layers", "tokens", "calibrator")


def significance_report(*assessments: Assessment) -> Report:
    """Report the tests of a comparison.

    Args:
        assessments: Of one comparison, at least one, each on a data set of its own. The JSON gives
            the protocol once, under the first data set; the records name their own.
    """
    first = assessments[0]
    return Report(
        name="significance",
        tables=lambda: tuple(map(_table, assessments)),
        records=lambda: [
            record | _protocol(each).without(*_OF_THE_ROWS).columns()
            for each in assessments
            for record in significance_records(each)
        ],
        document=lambda: {
            "protocol": _protocol(first).to_dict(),
            "records": [record for each in assessments for record in significance_records(each)],
        },
        remarks=tuple(remark for each in assessments for remark in _remarks(each)),
        command=first.grid.to_command(n_draws=first.n_draws, baseline=first.baseline),
    )


def _protocol(assessment: Assessment) -> Recipe:
    return assessment.grid.protocol.with_(dataset=assessment.dataset)


def significance_records(assessment: Assessment) -> list[dict[str, Any]]:
    """Return one record per row: score, interval, difference to the baseline, and seeds."""
    differences = {each.name: each for each in assessment.significance.to_baseline}
    return [_record(assessment, label, differences.get(label)) for label in assessment.rows]


def _record(assessment: Assessment, label: str, difference: Difference | None) -> dict[str, Any]:
    tests, seeds = assessment.significance, assessment.seeds[label]
    draws, interval = tests.draws, tests.interval(label)
    return {
        "dataset": assessment.dataset,
        "row": label,
        **asdict(assessment.rows[label]),
        assessment.metric.name: float(draws.rhos[draws.index(label)]),
        "low": interval.low,
        "high": interval.high,
        "letters": tests.letters[label] if assessment.has_letters else None,
        "baseline": str(assessment.baseline),
        **({} if difference is None else _difference(difference)),
        "n_seeds": seeds.n_seeds,
        "seeds_mean": seeds.mean,
        "seeds_sd": seeds.sd,
        "seeds_median": seeds.median,
        "n_draws": draws.n_draws,
    }


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "difference": difference.rho,
        "difference_low": difference.interval.low,
        "difference_high": difference.interval.high,
        "p": difference.p,
        "p_holm": difference.p_adjusted,
        "significant": difference.significant,
    }


def _table(assessment: Assessment) -> TextTable:
    """Return one row per row of the grid, scores x 100."""
    seeds = assessment.has_seeds
    rows = (
        (*_cells(assessment, record), *(_seed_cells(record) if seeds else ()))
        for record in significance_records(assessment)
    )
    header = ("row", assessment.metric.word, *_HEADER, *(_SEEDS if seeds else ()))
    return TextTable(header, tuple(rows), _remarks(assessment))


def _cells(assessment: Assessment, record: Mapping[str, Any]) -> tuple[str, ...]:
    compared = "difference" in record
    return (
        record["row"],
        percent(record[assessment.metric.name]),
        _range(record["low"], record["high"]),
        record["letters"] or "",
        assessment.significance.change_text(record["row"]) if compared else "",
        _range(record["difference_low"], record["difference_high"]) if compared else "",
        p_text(record["p_holm"]) if compared else "",
    )


def _seed_cells(record: Mapping[str, Any]) -> tuple[str, ...]:
    if record["n_seeds"] == 1:
        return "", "", ""
    return tuple(percent(record[f"seeds_{name}"]) for name in ("mean", "sd", "median"))


def _range(low: float, high: float) -> str:
    return f"[{percent(low)}, {percent(high)}]"


def _remarks(assessment: Assessment) -> tuple[str, ...]:
    """Say how the intervals and the tests were made, and what they do not cover."""
    tests, protocol = assessment.significance, assessment.grid.protocol
    draws = tests.draws
    level = f"{100 * (1 - tests.alpha):g} %"
    within = "" if draws.aggregation == "all" else ", within subsets"
    of_seeds = " They are those of the first seed's fit and do not cover other seeds."
    return (
        f"{assessment.dataset}, {draws.n_pairs:,} pairs, aggregation {draws.aggregation}; {level} "
        f"intervals from {draws.n_draws:,} resamples of the pairs{within}, the same for every "
        f"row; no calibrator is fitted again."
        f"{of_seeds if assessment.has_seeds else ''}",
        f"Differences are to {assessment.baseline}. p (Holm): two-sided, adjusted by Holm's method "
        f"for the number of differences, {len(tests.to_baseline)}; before that the smallest p "
        f"that so many resamples can give is {draws.smallest_p:.4f}. The intervals are not "
        "adjusted for the number of rows: one may leave out 0 where p (Holm) is above 0.05.",
        _letters_remark(assessment),
        f"Split {protocol.split}, fitted on {protocol.fit_on}; {protocol.length}, "
        f"{protocol.precision}; seed {protocol.seed}.",
    )


def _letters_remark(assessment: Assessment) -> str:
    if assessment.has_letters:
        return "Rows that share a letter do not differ significantly (Holm over all pairs of rows)."
    tests = assessment.significance
    return (
        f"No letters: {len(tests.pairs)} pairs of rows are too many for {tests.draws.n_draws:,} "
        "resamples to separate any two; compare fewer rows."
    )
