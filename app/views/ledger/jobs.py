"""The job of the page Which pairs?, which visitors share."""

from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.ledger import PairLedger


def ledger(recipe: Recipe, before: str, after: str, *, start: bool) -> Job | None:
    """Return the job that accounts for the change of rho between two calibrators, pair by pair.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shown, lab = services.at_hand(recipe)

    def work() -> "PairLedger":
        from bertflow_core.studies.ledger import pair_ledger

        return pair_ledger(shown, lab, before, after)

    return find_or_start(job_key("ledger", recipe, before=before, after=after), work, start=start)
