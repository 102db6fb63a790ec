"""The figures of a comparison: scores by data set, differences and intervals."""

from bertflow_core.figures import Figure, interval_forest, score_by_dataset
from bertflow_core.studies.comparison.report import scores_title
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.studies.comparison.significance import Assessment
from bertflow_core.studies.comparison.significance_report import significance_records

__all__ = ["differences_figure", "intervals_figure", "scores_figure"]


def scores_figure(comparison: Comparison) -> Figure:
    """Draw the score of each row on each data set."""
    rows, datasets = comparison.grid.rows, comparison.grid.datasets
    return score_by_dataset(
        {str(row): [comparison.score(row, name) for name in datasets] for row in rows},
        [comparison.heading(name) for name in datasets],
        [row.calibrator for row in rows],
        title=scores_title(comparison),
    )


def differences_figure(assessment: Assessment) -> Figure:
    """Draw the difference of each row to the baseline with its interval."""
    records = [each for each in significance_records(assessment) if "difference" in each]
    names = _names(assessment)
    return interval_forest(
        [names[record["row"]] for record in records],
        [record["difference"] for record in records],
        [record["difference_low"] for record in records],
        [record["difference_high"] for record in records],
        title=f"change of {assessment.metric.header}<br>against {names[str(assessment.baseline)]}",
        reference=0.0,
        apart=[record["significant"] for record in records],
        shown=[assessment.significance.change_text(record["row"]) for record in records],
    )


def intervals_figure(assessment: Assessment) -> Figure:
    """Draw the score of each row with its interval and its letters."""
    records, names = significance_records(assessment), _names(assessment)
    return interval_forest(
        [names[record["row"]] for record in records],
        [record[assessment.metric.name] for record in records],
        [record["low"] for record in records],
        [record["high"] for record in records],
        title=f"{assessment.metric.title} x 100",
        notes=[record["letters"] for record in records],
    )


def _names(assessment: Assessment) -> dict[str, str]:
    """Return what to call each row: by its calibrator alone where all are of the same vectors."""
    is_one = len({row.encoder for row in assessment.rows.values()}) == 1
    return {name: row.calibrator if is_one else name for name, row in assessment.rows.items()}
