"""Work that a page begins by itself, and that ends where its visitor goes on to another page."""

from collections.abc import Callable
from contextlib import suppress

from bertflow_app import services, state
from bertflow_app.jobs import Busy, Job

BEGUN = "begun_by_itself"


def find_or_begin(job: Callable[..., Job | None], *, pressed: bool) -> Job | None:
    """Return the job of a page's choices; where all of them are the defaults it needs no press.

    Args:
        job: Called with `start`; returns the job, or None where nobody started it.
        pressed: Whether its button was pressed.

    Raises:
        BertFlowError: The job cannot be asked for.
    """
    found = job(start=pressed)
    if pressed and found is not None:
        state.stopped_jobs().discard(found.key)
    if pressed or not state.is_untouched() or not _is_open(found):
        return found
    with suppress(Busy):  # the button is still there
        found = job(start=True)
        state.choose(**{BEGUN: found.key if found else None})
    return found


def _is_open(job: Job | None) -> bool:
    """Tell whether a job has yet to begin, or ended because everybody went to other pages."""
    if job is None:
        return True
    is_over = job.is_live or job.error is not None or job.result is not None
    is_told = job.is_live and not job.is_wanted
    return (is_told or not is_over) and job.key not in state.stopped_jobs()


def leave_behind() -> None:
    """Take the visitor off what began by itself on a page that is no longer shown."""
    name = state.held(BEGUN)
    if name is None or name in state.seen_jobs():
        return
    job = services.registry().get(str(name))
    if job is not None and job.is_live:
        job.leave(state.visitor())
    state.choose(**{BEGUN: None})
