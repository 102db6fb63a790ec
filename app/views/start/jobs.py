"""The job of Start: the stored measurement again, on this machine."""

from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.experiment import Lab
from bertflow_core.studies.cone.measure import Cone, measure_cone


def cone_job(stored: Cone, *, start: bool) -> Job | None:
    """Return the job that measures again what is stored.

    Raises:
        Busy: Too many jobs are waiting.
    """
    layers = tuple(dict.fromkeys(each.layers for each in stored.openings))
    specs = tuple(dict.fromkeys(each.spec for each in stored.openings))

    def work() -> Cone:
        return measure_cone(stored.recipe, Lab(), layers=layers, specs=specs)

    return find_or_start(job_key("cone", stored.recipe, layers=layers), work, start=start)
