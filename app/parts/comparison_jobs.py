"""The jobs of Compare and Is it real?: the fits of a grid, and the tests of its rows."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import job_key, once

from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.grid import Grid

if TYPE_CHECKING:
    from bertflow_core.studies.comparison import Comparison, Row


def find_comparison(grid: Grid) -> Job | None:
    """Return the job that fills this grid, if anybody started it."""
    return services.registry().get(_key(grid))


def comparison(grid: Grid) -> Job:
    """Start the fits of a grid, or share the job that runs; finished fits are not repeated.

    Raises:
        InputError: A data set is an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    data = services.uploaded_data(grid.protocol)
    named = _under_its_name(grid)
    uploaded = {} if data is None else {named.protocol.dataset: data}

    def work(progress: Progress) -> object:
        from bertflow_core.studies.comparison import compare

        return compare(named, data=uploaded, cells=services.cells(), progress=progress)

    return services.registry().submit(_key(grid), work)


def _under_its_name(grid: Grid) -> Grid:
    own, protocol = grid.protocol.dataset, services.named(grid.protocol)
    datasets = tuple(protocol.dataset if name == own else name for name in grid.datasets)
    return replace(grid, protocol=protocol, datasets=datasets)


def _key(grid: Grid) -> str:
    any_of_them = grid.protocol.with_(aggregation=Recipe.aggregation)  # a fit has all of them
    return job_key("compare", any_of_them, **replace(grid, protocol=any_of_them).to_dict())


def assessment(
    filled: Job, found: "Comparison", dataset: str, *, baseline: "Row", n_draws: int, again: bool
) -> Job:
    """Test a filled grid's rows against each other on one data set, once.

    Args:
        filled: The job that filled it, whose name stands for what was read, uploads included.
        found: Its result, under the aggregation that is shown.
        dataset: One of its columns.
        baseline: What differences are taken to.
        n_draws: Resamples to begin with.
        again: Whether to try again what failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    key = job_key(
        "assess",
        found.grid.protocol,
        filled=filled.key,
        dataset=dataset,
        baseline=str(baseline),
        n_draws=n_draws,
    )

    def work(progress: Progress) -> object:
        from bertflow_core.studies.comparison import assess

        return assess(found, dataset, baseline=baseline, n_draws=n_draws, progress=progress)

    return once(key, work, again=again)
