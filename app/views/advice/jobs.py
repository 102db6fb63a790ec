"""The job of the page Should I calibrate?, which visitors share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.advice import Advice


def advice(recipe: Recipe, specs: Sequence[str], *, linear_next: bool, start: bool) -> Job | None:
    """Return the job that says whether to calibrate.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shown, lab = services.at_hand(recipe)

    def work() -> "Advice":
        from bertflow_core.studies.advice import advise

        return advise(shown, lab, specs, linear_next=linear_next)

    key = job_key("advice", recipe, specs=list(specs), linear_next=linear_next)
    return find_or_start(key, work, start=start)
