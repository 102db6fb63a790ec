"""What the page Sentences asks of the core, as a job that visitors share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.layer_choices import of_layers
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.sentences.measure import SentenceGeometry
    from bertflow_core.studies.sentences.measures import Part


def sentences(
    recipe: Recipe,
    layers: Sequence[str],
    specs: Sequence[str],
    parts: "Sequence[Part]",
    *,
    start: bool,
) -> Job | None:
    """Return the job that measures sentences at these layer sets under these calibrators.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shared = of_layers(recipe, layers).without("calibrator", "aggregation")
    shown, lab = services.at_hand(shared)

    def work() -> "SentenceGeometry":
        from bertflow_core.studies.sentences.measure import measure_sentences

        return measure_sentences(shown, lab, layers, specs, parts=parts)

    key = job_key("sentences", shared, of=list(layers), specs=list(specs), parts=list(parts))
    return find_or_start(key, work, start=start)
