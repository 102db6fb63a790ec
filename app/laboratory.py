"""What the laboratory's pages ask of the core, as jobs that visitors share."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bertflow_app import services
from bertflow_app.jobs import Job

from bertflow_core.calibrators.schema import Value
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.grid import Grid

if TYPE_CHECKING:
    from bertflow_core.analysis.loadings import DirectionLoadings
    from bertflow_core.studies.advice import Advice
    from bertflow_core.studies.comparison import Comparison, Row
    from bertflow_core.studies.layers import LayerMap
    from bertflow_core.studies.ledger import PairLedger
    from bertflow_core.studies.sweeps.result import Sweep

__all__ = [
    "ClosedForms",
    "advice",
    "assessment",
    "closed_forms",
    "comparison",
    "find_comparison",
    "flow_sweep",
    "job_key",
    "layers",
    "ledger",
    "once",
    "shared_job",
]

MAX_DIRECTIONS = 40


def job_key(kind: str, recipe: Recipe, **choices: object) -> str:
    """Return the name of what these choices compute: equal choices are one job."""
    text = json.dumps([kind, recipe.fingerprint(), choices], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def shared_job(key: str, work: Callable[[Progress], Any], *, start: bool) -> Job | None:
    """Return the job of that name; where there is none, start one if asked to.

    Raises:
        Busy: Too many jobs are waiting.
    """
    return services.registry().submit(key, work) if start else services.registry().get(key)


def once(key: str, work: Callable[[Progress], Any], *, again: bool = False) -> Job:
    """Return the job of that name, started where nobody did.

    What failed or was stopped is begun anew only if asked to: a page runs again and again.

    Raises:
        Busy: Too many jobs are waiting.
    """
    tried = services.registry().get(key)
    if tried is not None and not again:
        return tried
    return services.registry().submit(key, work)


def find_comparison(grid: Grid) -> Job | None:
    """Return the job that fills this grid, if anybody started it."""
    return services.registry().get(_key(grid))


def comparison(grid: Grid) -> Job:
    """Start filling a grid, or join those who wait for it; finished fits are not done again.

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


def ledger(recipe: Recipe, before: str, after: str, *, start: bool) -> Job | None:
    """Return the job that accounts for a step between two calibrators, pair by pair.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    key = job_key("ledger", recipe, before=before, after=after)
    data, named = services.uploaded_data(recipe), services.named(recipe)

    def work(progress: Progress) -> "PairLedger":
        from bertflow_core import experiment
        from bertflow_core.studies.ledger import ledger_of

        results = experiment.evaluate(named, [before, after], data=data, progress=progress)
        return ledger_of(*results)

    return shared_job(key, work, start=start)


@dataclass(frozen=True)
class ClosedForms:
    """The knobs that need no training: rho along each, and what the removed directions stand for.

    Attributes:
        null_top_k: Along k.
        components: Along the directions that whitening keeps.
        shrinkage: Along the weight of the identity in whitening's covariance.
        directions: What the leading directions stand for, the largest variance first.
    """

    null_top_k: "Sweep"
    components: "Sweep"
    shrinkage: "Sweep"
    directions: "tuple[DirectionLoadings, ...]"


def closed_forms(recipe: Recipe, *, start: bool) -> Job | None:
    """Return the job that turns every knob of the closed forms.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    data, named = services.uploaded_data(recipe), services.named(recipe)

    def work(progress: Progress) -> ClosedForms:
        from bertflow_core.studies.sweeps import measure as sweeps

        splits = sweeps.prepare_splits(named, data=data, progress=progress)
        n_features = splits.scored.x_fit.shape[1]
        stages: list[Callable[[], Any]] = [
            lambda: sweeps.sweep_null_top_k(splits),
            lambda: sweeps.sweep_whiten_components(splits),
            lambda: sweeps.sweep_whiten_shrinkage(splits),
            lambda: sweeps.removed_directions(splits.scored, min(MAX_DIRECTIONS, n_features - 1)),
        ]
        found = []
        for done, stage in enumerate(stages):
            progress(done, len(stages), "knobs")
            found.append(stage())
        return ClosedForms(*found)

    return shared_job(job_key("closed forms", recipe), work, start=start)


def flow_sweep(
    recipe: Recipe,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    n_seeds: int,
    *,
    start: bool,
) -> Job | None:
    """Return the job that fits a flow at each value of one of its parameters.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    data, named = services.uploaded_data(recipe), services.named(recipe)
    seeds = [recipe.seed + i for i in range(n_seeds)]

    def work(progress: Progress) -> "Sweep":
        from bertflow_core.studies.sweeps import measure as sweeps

        splits = sweeps.prepare_splits(named, data=data, progress=progress)
        return sweeps.sweep_spec(splits, spec, parameter, values, seeds=seeds, progress=progress)

    key = job_key("sweep", recipe, spec=spec, parameter=parameter, values=list(values), seeds=seeds)
    return shared_job(key, work, start=start)


def layers(recipe: Recipe, specs: Sequence[str], *, start: bool) -> Job | None:
    """Return the job that maps every layer and token pooling under these calibrators.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    data, named = services.uploaded_data(recipe), services.named(recipe)

    def work(progress: Progress) -> "LayerMap":
        from bertflow_core.studies.layers import layer_map

        return layer_map(named, specs, data=data, progress=progress)

    return shared_job(job_key("layers", recipe, specs=list(specs)), work, start=start)


def advice(recipe: Recipe, specs: Sequence[str], *, linear_next: bool, start: bool) -> Job | None:
    """Return the job that says whether to calibrate.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    data, named = services.uploaded_data(recipe), services.named(recipe)

    def work(progress: Progress) -> "Advice":
        from bertflow_core import experiment
        from bertflow_core.studies.advice import check

        prepared = experiment.prepare(named, data=data, progress=progress)
        return check(prepared, calibrators=specs, linear_next=linear_next, progress=progress)

    key = job_key("advice", recipe, specs=list(specs), linear_next=linear_next)
    return shared_job(key, work, start=start)
