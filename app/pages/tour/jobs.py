"""The lesson of the guided tour as a job that visitors share."""

from collections.abc import Sequence

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key, once

from bertflow_core.recipe import Recipe
from bertflow_core.studies.tour.lesson import Lesson


def tour(recipe: Recipe, sentences: Sequence[str], *, start: bool = False) -> Job | None:
    """Return the job that computes all steps of the tour; typed sentences start it by themselves.

    Args:
        recipe: The choices.
        sentences: The visitor's own.
        start: Whether to start it where there is none, or where it failed.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    named, lab = services.at_hand(recipe)

    def work() -> Lesson:
        from bertflow_core.studies.tour.compute import compute_tour

        return compute_tour(named, lab, sentences=sentences)

    if not sentences:
        return find_or_start(job_key("tour", recipe), work, start=start)
    return once(job_key("tour", recipe, sentences=list(sentences)), work, again=start)
