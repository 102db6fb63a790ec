"""Work that a page begins by itself, and that ends where its visitor goes on to another page."""

from collections.abc import Callable
from contextlib import suppress

from bertflow_app import services, state
from bertflow_app.jobs import Busy, Job


def find_or_begin(
    job: Callable[..., Job | None], *, pressed: bool, wanted: bool | None = None
) -> Job | None:
    """Return the job of a page's choices, which needs no press where it is done soon.

    That is where all choices are the defaults, whose vectors are embedded by themselves, and where
    the data are few.

    Args:
        job: Called with `start`; returns the job, or None where nobody started it.
        pressed: Whether its button was pressed.
        wanted: Whether it needs no press; None takes these rules.

    Raises:
        BertFlowError: The job cannot be asked for.
    """
    found = job(start=pressed)
    if pressed and found is not None:
        state.stopped_jobs().discard(found.key)
    if pressed or not _is_open(found):
        return found
    if wanted is None:
        wanted = state.is_untouched() or services.is_small(state.current_recipe())
    if not wanted:
        return found
    with suppress(Busy):  # the button is still there
        found = job(start=True)
        if found is not None:
            state.begun_jobs().add(found.key)
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
    for key in state.begun_jobs() - {*state.seen_jobs()}:
        leave(key)


def leave(key: str) -> None:
    """Take the visitor off a job that began by itself, if it is live."""
    job = services.registry().get(key)
    if job is not None and job.is_live:
        job.leave(state.visitor())
    state.begun_jobs().discard(key)
