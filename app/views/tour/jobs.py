"""What the guided tour asks of the core, as a job that visitors share."""

from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.tour.step import Lesson


def tour(recipe: Recipe, *, start: bool) -> Job | None:
    """Return the job that computes the tour through a space, all of its steps.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    data, named = services.uploaded_data(recipe), services.named(recipe)

    def work(progress: Progress) -> "Lesson":
        from bertflow_core.studies.tour.run import tell_lesson

        return tell_lesson(named, data=data, progress=progress)

    return find_or_start(job_key("tour", recipe), work, start=start)
