"""The report on a sweep: one record per value."""

from bertflow_core.old_report import Report
from bertflow_core.studies.sweeps.result import Sweep

__all__ = ["sweep_report"]


def sweep_report(sweep: Sweep) -> Report:
    """Report a sweep; the command makes the number of the chosen value, or of the first."""
    return Report.of_records(
        sweep.parameter,
        sweep.to_records,
        sweep.recipe,
        remarks=() if sweep.note is None else (sweep.note,),
        command=sweep.recipe_at(sweep.chosen or 0).to_command(),
    )
