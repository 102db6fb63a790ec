"""Compute a tour: embed once, then compute each step, or skip it with a reason."""

from collections.abc import Callable

from bertflow_core.errors import InputError
from bertflow_core.experiment import Lab, evaluate_calibrator
from bertflow_core.progress import Progress, heartbeat, silent
from bertflow_core.recipe import Recipe
from bertflow_core.studies.tour.effect import gain_step, meaning_step, opening_step
from bertflow_core.studies.tour.inside import flow_step
from bertflow_core.studies.tour.material import SPECS, Material
from bertflow_core.studies.tour.step import CONTENTS, Chapter, Content, Lesson, Skipped, Step
from bertflow_core.studies.tour.when import last_step, layer_step
from bertflow_core.studies.tour.why import cone_step, frequency_step, random_step, sharing_step

__all__ = ["compute_tour"]

_STEPS: dict[str, Callable[[Material, Progress], Content]] = {
    "sharing": sharing_step,
    "random": random_step,
    "cone": cone_step,
    "frequency": frequency_step,
    "opening": opening_step,
    "gain": gain_step,
    "meaning": meaning_step,
    "flow": flow_step,
    "layer": layer_step,
    "last": last_step,
}


def compute_tour(recipe: Recipe, lab: Lab, *, progress: Progress = silent) -> Lesson:
    """Compute all steps of the tour; one that the data do not allow is skipped, with the reason.

    Args:
        recipe: The choices; its calibrator is ignored.
        lab: Where data and vectors are found.
        progress: Called with `(done, total, unit)`, of sentences, then of steps; may raise
            `Cancelled`.

    Raises:
        InputError: A recipe, data or model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    prepared = lab.prepare(recipe.with_(calibrator=Recipe.calibrator), progress=progress)
    total = len(CONTENTS)
    beat = heartbeat(progress, 0, total, "steps")
    beat(0, 1, "fits")
    results = {
        spec: evaluate_calibrator(prepared, spec, device=lab.device, progress=beat)
        for spec in SPECS
    }
    material = Material(prepared, results, lab)
    steps = []
    for done, chapter in enumerate(CONTENTS):
        progress(done, total, "steps")
        steps.append(_step(chapter, material, heartbeat(progress, done, total, "steps")))
    progress(total, total, "steps")
    return Lesson(prepared.recipe, tuple(steps))


def _step(chapter: Chapter, material: Material, progress: Progress) -> Step | Skipped:
    try:
        return Step(chapter, _STEPS[chapter.name](material, progress))
    except InputError as error:
        return Skipped(chapter, str(error))
