"""The jobs of Compare and Is it real?: the fits of a grid, and the tests of its rows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import run

from bertflow_core.encoders.given import OWN
from bertflow_core.evaluation import N_DRAWS
from bertflow_core.lab import Lab
from bertflow_core.studies.grid import CompareRecipe, Grid

if TYPE_CHECKING:
    from bertflow_core.report import Report
    from bertflow_core.studies.grid import Comparison


def comparison(grid: Grid, *, start: bool | None) -> Job | None:
    """Return the job that fills a grid; finished fits are not done again."""
    params = grid.params.with_(dataset=grid.datasets[0])  # the upload, if there is one
    any_of_them = params.without("aggregation")  # a fit has all of them
    return run(_filled, any_of_them, grid.calibrators, grid.layers, start=start)


def _filled(
    shown: CompareRecipe, lab: Lab, calibrators: Sequence[str], layers: Sequence[str]
) -> "Comparison":
    from bertflow_core.studies.grid import fill

    own, *others = shown.datasets
    model = services.own_model(own)
    params = shown.with_(
        models=tuple(model if each == OWN else each for each in shown.models),
        datasets=(shown.dataset, *others),
    )
    grid = Grid(params, tuple(calibrators), tuple(layers))
    return fill(grid, replace(lab, cells=services.cells()))


def report(grid: Grid, filled: Job, *, start: bool | None) -> Job | None:
    """Return the job that tests the changes in a filled grid's table, and reports it."""
    return run(_reported, filled, grid.params.aggregation, start=start)


def _reported(filled: "Comparison", aggregation: str) -> "Report":
    from bertflow_core.studies.compare import comparison_report

    return comparison_report(filled.under(aggregation))


def assessment(
    grid: Grid, filled: Job, dataset: str, baseline: str, *, start: bool | None
) -> Job | None:
    """Return the job that tests a filled grid's rows on one data set."""
    return run(_assessed, filled, grid.params.aggregation, dataset, baseline, start=start)


def _assessed(filled: "Comparison", aggregation: str, dataset: str, baseline: str) -> "Report":
    from bertflow_core.studies.compare import significance

    params = filled.grid.params.with_(baseline=baseline, bootstrap=N_DRAWS)
    named = replace(filled, grid=replace(filled.grid, params=params))
    return significance(named.under(aggregation), dataset)
