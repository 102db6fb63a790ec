"""The report on advice: findings with their numbers, and rho before and after."""

from typing import Any

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.old_report import Report
from bertflow_core.studies.advice.finding import Finding
from bertflow_core.studies.advice.result import Advice, Gain
from bertflow_core.text_table import TextTable, percent

__all__ = ["advice_report"]


def advice_report(advice: Advice) -> Report:
    """Report whether to calibrate; the command makes the numbers before and after."""
    tables = (_findings_table, *([_gains_table] if advice.gains else []))
    return Report(
        name="advice",
        tables=lambda: tuple(table(advice) for table in tables),
        records=lambda: [
            *(record for finding in advice.findings for record in _evidence(finding)),
            *(record for gain in advice.gains for record in _rhos(gain)),
        ],
        shared=advice.recipe.columns(),
        document=advice.to_dict,
        remarks=(_caption(advice),),
        command=advice.recipe.to_command(baseline_first(advice.calibrators)),
    )


def _findings_table(advice: Advice) -> TextTable:
    """Return one row per question."""
    rows = tuple(
        (str(finding.question), finding.verdict, finding.sentence) for finding in advice.findings
    )
    remarks = (advice.answer, *filter(None, [advice.note]), _caption(advice))
    return TextTable(("question", "recommendation", "finding"), rows, remarks, n_labels=3)


def _caption(advice: Advice) -> str:
    """Return the recipe, with every calibrator that was fitted."""
    common = advice.recipe.without("calibrator").caption()
    return f"{common}. Fitted: {', '.join(advice.calibrators)}."


def _gains_table(advice: Advice) -> TextTable:
    """Return one row per calibrator."""
    rows = tuple(
        (
            gain.calibrator,
            percent(gain.before),
            percent(gain.after),
            f"[{percent(gain.low)}, {percent(gain.high)}]",
            "yes" if gain.significant else "no",
        )
        for gain in advice.gains
    )
    header = ("calibrator", "rho x 100 before", "after", "interval of the change", "significant")
    remarks = (
        f"Paired bootstrap on {advice.gains[0].n_pairs:,} pairs, 95 % intervals; significant: "
        "Holm over the calibrators, 5 %.",
    )
    return TextTable(header, rows, remarks)


def _evidence(finding: Finding) -> list[dict[str, Any]]:
    """Return one record per number of a finding."""
    about = {"question": str(finding.question), "verdict": finding.verdict}
    return [
        about | {"measure": name, "value": each.value, "unit": each.unit}
        for name, each in finding.evidence.items()
    ]


def _rhos(gain: Gain) -> list[dict[str, Any]]:
    """Return one record per number of a calibrator's gain."""
    about = {"question": "gold scores", "verdict": str(gain.recommendation)}
    numbers = {
        "rho before": gain.before,
        "rho after": gain.after,
        "change, low end": gain.low,
        "change, high end": gain.high,
    }
    return [
        about | {"measure": f"{gain.calibrator} {name}", "value": value, "unit": "rho"}
        for name, value in numbers.items()
    ]
