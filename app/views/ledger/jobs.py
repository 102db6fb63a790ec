"""What the page Which pairs? asks of the core, as a job that visitors share."""

from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.ledger import PairLedger


def ledger(recipe: Recipe, before: str, after: str, *, start: bool) -> Job | None:
    """Return the job that accounts for a step between two calibrators, pair by pair.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    key = job_key("ledger", recipe, before=before, after=after)
    data, named = services.uploaded_data(recipe), services.named(recipe)

    def work(progress: Progress) -> "PairLedger":
        from bertflow_core import experiment
        from bertflow_core.studies.ledger import ledger_of

        results = experiment.evaluate(named, [before, after], data=data, progress=progress)
        return ledger_of(*results)

    return find_or_start(key, work, start=start)
