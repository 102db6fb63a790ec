"""The jobs of Compare and Is it real?: the fits of a grid, and the tests of its rows."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import run

from bertflow_core.encoders.given import OWN
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.grid import Grid

if TYPE_CHECKING:
    from bertflow_core.report import Report
    from bertflow_core.studies.comparison import Arrows, Comparison, Row


def comparison(grid: Grid, *, start: bool | None) -> Job | None:
    """Return the job that fills a grid; finished fits are not done again."""
    any_of_them = grid.protocol.without("aggregation")  # a fit has all of them
    return run(_filled, any_of_them, replace(grid, protocol=any_of_them), start=start)


def _filled(shown: Recipe, lab: Lab, grid: Grid) -> "Comparison":
    from bertflow_core.studies.comparison import compare

    own, model = grid.protocol.dataset, services.own_model(grid.protocol.dataset)
    named = replace(
        grid,
        protocol=shown,
        models=tuple(model if each == OWN else each for each in grid.models),
        datasets=tuple(shown.dataset if each == own else each for each in grid.datasets),
    )
    return compare(named, lab, cells=services.cells())


def arrows(grid: Grid, filled: Job, *, start: bool | None) -> Job | None:
    """Return the job that tests the changes in a filled grid's table.

    Its result is the comparison under the grid's aggregation, and its arrows.
    """
    return run(_arrows, filled, grid.protocol.aggregation, start=start)


def _arrows(filled: "Comparison", aggregation: str) -> "tuple[Comparison, Arrows]":
    from bertflow_core.studies.comparison import arrows_of

    shown = filled.under(aggregation)
    return shown, arrows_of(shown)


def assessment(
    grid: Grid, filled: Job, dataset: str, baseline: "Row", *, start: bool | None
) -> Job | None:
    """Return the job that tests a filled grid's rows on one data set."""
    how = grid.protocol.aggregation
    return run(_assessed, filled, how, dataset, str(baseline), given=[baseline], start=start)


def _assessed(
    filled: "Comparison", aggregation: str, dataset: str, _: str, baseline: "Row"
) -> "Report":
    from bertflow_core.studies.comparison import significance

    return significance(filled.under(aggregation), dataset, baseline=baseline)
