"""The job of the page How a cone forms: a training that is watched."""

import threading
from typing import TYPE_CHECKING

from bertflow_app import services, state
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import job_key

from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.studies.newborn.recording import LiveRecording

if TYPE_CHECKING:
    from bertflow_core.report import Report

_lock = threading.Lock()


def training(recipe: NewbornRecipe, *, start: bool) -> Job | None:
    """Return the job that trains a newborn model, if anybody started it.

    Its result is a `LiveRecording` until it is done, and a `Report` then.

    Raises:
        Busy: Too many jobs are waiting.
    """
    live = LiveRecording(recipe)

    def work() -> "Report":
        from bertflow_core.studies.newborn.study import train_newborn

        return train_newborn(recipe, Lab(), live)

    key = job_key("newborn", Recipe(), newborn=recipe.to_dict())
    with _lock:  # a job is never seen without its recording
        if start:
            job = services.registry().submit(key, work, state.visitor())
            if job.result is None:
                job.result = live
        return services.registry().get(key)
