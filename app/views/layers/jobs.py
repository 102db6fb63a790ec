"""What the page Layers asks of the core, as a job that visitors share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.layers import LayerMap


def layers(recipe: Recipe, specs: Sequence[str], *, start: bool) -> Job | None:
    """Return the job that maps every layer and token pooling under these calibrators.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shared = recipe.without("layers", "tokens", "calibrator")
    shown, lab = services.at_hand(shared)

    def work() -> "LayerMap":
        from bertflow_core.studies.layers import layer_map

        return layer_map(shown, lab, specs)

    return find_or_start(job_key("layers", shared, specs=list(specs)), work, start=start)
