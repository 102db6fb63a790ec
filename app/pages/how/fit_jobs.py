"""The fits of the page Inside the flow, which visitors share and watch while they run."""

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from bertflow_app import services, state
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import job_key

from bertflow_core import context
from bertflow_core.context import Progress
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.training.record import LiveFit

LONGEST_PAUSE = 120.0
"""Seconds after which a paused fit continues, since other visitors' work waits behind it."""

BREATH = 0.002
"""Seconds of sleep per report; without it the fit's small steps hold the interpreter's lock."""


@dataclass(frozen=True, eq=False)
class Live:
    """A fit with what it has recorded so far.

    Attributes:
        job: Its job.
        seen: Its record; pages read copies.
        paused: Set while the fit waits.
    """

    job: Job
    seen: "LiveFit"
    paused: threading.Event


_pauses: "WeakKeyDictionary[Job, threading.Event]" = WeakKeyDictionary()
_lock = threading.Lock()


def real_fit(recipe: Recipe, epochs: float | None, *, start: bool) -> Live | None:
    """Return the fit of the paper's flow on a recipe's corpus, if anybody started it.

    Args:
        recipe: The choices.
        epochs: Passes over the fitted sentences; None is until the fit has converged.
        start: Whether to start it.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    from bertflow_core.studies.training.record import MOST_EPOCHS, LiveFit
    from bertflow_core.studies.training.watched_fit import watch_fit

    named, lab = services.at_hand(recipe)
    fit = LiveFit(MOST_EPOCHS if epochs is None else epochs, until_converged=epochs is None)
    paused = threading.Event()

    def work() -> "LiveFit":
        with context.reporting(_gate(paused)):
            return watch_fit(named, lab, fit)

    key = job_key("watched", recipe, epochs=epochs)
    with _lock:  # a job is never seen without what belongs to it
        if start:
            job = services.registry().submit(key, work, state.visitor())
            if job not in _pauses:
                # From the start: stopped and failed fits are kept, and counted, with it too.
                job.result, _pauses[job] = fit, paused
        found = services.registry().get(key)
        return None if found is None else Live(found, found.result, _pauses[found])


def _gate(paused: threading.Event) -> Progress:
    """Return a callback that waits while `paused` is set, and keeps reporting meanwhile."""
    outer = context.listener()

    def report(done: int, total: int, unit: str) -> None:
        outer(done, total, unit)
        time.sleep(BREATH)
        end = time.monotonic() + LONGEST_PAUSE
        while paused.is_set() and time.monotonic() < end:
            outer(done, total, unit)
            time.sleep(0.05)
        paused.clear()

    return report
