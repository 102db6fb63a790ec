"""A recipe's tour: embed once, then tell chapter after chapter, or say why one cannot be told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bertflow_core.datasets import Corpus, SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.experiment import evaluate_calibrator, prepare
from bertflow_core.progress import Progress, heartbeat, silent
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.tour.effect import tell_gain, tell_meaning, tell_opening
from bertflow_core.studies.tour.inside import tell_flow
from bertflow_core.studies.tour.material import SPECS, Material
from bertflow_core.studies.tour.step import CONTENTS, Chapter, Lesson, Passed, Step, Told
from bertflow_core.studies.tour.when import tell_last, tell_layer
from bertflow_core.studies.tour.why import tell_cone, tell_frequency, tell_random, tell_sharing

__all__ = ["tell_lesson"]

_TELL: dict[str, Callable[[Material, Progress], Told]] = {
    "sharing": tell_sharing,
    "random": tell_random,
    "cone": tell_cone,
    "frequency": tell_frequency,
    "opening": tell_opening,
    "gain": tell_gain,
    "meaning": tell_meaning,
    "flow": tell_flow,
    "layer": tell_layer,
    "last": tell_last,
}


def tell_lesson(
    recipe: Recipe,
    *,
    data: tuple[SentencePairs, Corpus] | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> Lesson:
    """Compute the tour through a space; what its data cannot tell is passed over, with the reason.

    Args:
        recipe: The choices; its calibrator is not looked at.
        data: What is scored and fitted on; None loads what the recipe names.
        data_dir: Where benchmark data lies; None looks at `BERTFLOW_DATA`.
        store: Where embeddings are kept; None is the user's cache.
        device: Where the encoder and the flow run; None takes the best device here.
        batch_tokens: Most tokens in one forward call; None suits the device.
        progress: Told of sentences while they are embedded, then of steps, again and again while
            one is worked on; may raise `Cancelled`.

    Raises:
        InputError: A recipe, data or model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    options: dict[str, Any] = {
        "data": data,
        "data_dir": data_dir,
        "store": store,
        "device": device,
        "batch_tokens": batch_tokens,
    }
    recipe = recipe.with_(calibrator=Recipe.calibrator)
    prepared = prepare(recipe, progress=progress, **options)
    total = len(CONTENTS)
    beat = heartbeat(progress, 0, total, "steps")
    beat(0, 1, "fits")
    results = {
        spec: evaluate_calibrator(prepared, spec, device=device, progress=beat) for spec in SPECS
    }
    material = Material(prepared, results, options)
    steps = []
    for done, chapter in enumerate(CONTENTS):
        progress(done, total, "steps")
        steps.append(_step(chapter, material, heartbeat(progress, done, total, "steps")))
    progress(total, total, "steps")
    return Lesson(prepared.recipe, tuple(steps))


def _step(chapter: Chapter, material: Material, progress: Progress) -> Step | Passed:
    try:
        return Step(chapter, _TELL[chapter.name](material, progress))
    except InputError as error:
        return Passed(chapter, str(error))
