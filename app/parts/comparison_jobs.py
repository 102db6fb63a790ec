"""The jobs of Compare and Is it real?: the fits of a grid, and the tests of its rows."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key, once

from bertflow_core.encoders.given import OWN
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.grid import Grid

if TYPE_CHECKING:
    from bertflow_core.studies.comparison import Arrows, Assessment, Comparison, Row


def comparison(grid: Grid, *, start: bool) -> Job | None:
    """Return the job that fills a grid; finished fits are not done again.

    Raises:
        InputError: A data set is an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shown, lab = services.at_hand(grid.protocol)
    own = services.own_model(grid.protocol.dataset)
    models = tuple(own if model == OWN else model for model in grid.models)
    datasets = [shown.dataset if d == grid.protocol.dataset else d for d in grid.datasets]

    def work() -> "Comparison":
        from bertflow_core.studies.comparison import compare

        named = replace(grid, protocol=shown, models=models, datasets=tuple(datasets))
        return compare(named, lab, cells=services.cells())

    return find_or_start(_key(grid), work, start=start)


def _key(grid: Grid) -> str:
    any_of_them = grid.protocol.with_(aggregation=Recipe.aggregation)  # a fit has all of them
    return job_key("compare", any_of_them, **replace(grid, protocol=any_of_them).to_dict())


def arrows(grid: Grid, filled: "Comparison", *, again: bool) -> Job:
    """Return the job that tests the changes in a filled grid's table; it starts by itself.

    Its result is the comparison under the grid's aggregation, and its arrows.

    Args:
        grid: As the page has it.
        filled: The result of `comparison`.
        again: Whether to retry a test that failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    shown = filled.under(grid.protocol.aggregation)

    def work() -> "tuple[Comparison, Arrows]":
        from bertflow_core.studies.comparison import arrows_of

        return shown, arrows_of(shown)

    return once(job_key("arrows", shown.grid.protocol, filled=_key(grid)), work, again=again)


def assessment(
    grid: Grid, filled: "Comparison", dataset: str, *, baseline: "Row", again: bool
) -> Job:
    """Return the job that tests a filled grid's rows on one data set; it starts by itself.

    Args:
        grid: As the page has it: it names an upload by its content.
        filled: The result of `comparison`, under the aggregation that is shown.
        dataset: One of its columns.
        baseline: The row that differences are taken to.
        again: Whether to retry a test that failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    choices = {"dataset": dataset, "baseline": str(baseline)}

    def work() -> "Assessment":
        from bertflow_core.studies.comparison import assess

        return assess(filled, dataset, baseline=baseline)

    key = job_key("assess", filled.grid.protocol, filled=_key(grid), **choices)
    return once(key, work, again=again)
