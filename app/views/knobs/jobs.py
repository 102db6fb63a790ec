"""What the page Turn the knobs asks of the core, as jobs that visitors share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.calibrators.schema import Value
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.analysis.loadings import DirectionLoadings
    from bertflow_core.studies.sweeps.result import Sweep


MAX_DIRECTIONS = 40


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

    return find_or_start(job_key("closed forms", recipe), work, start=start)


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
    return find_or_start(key, work, start=start)
