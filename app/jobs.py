"""Long work in the background: one run shared by all who ask for it, with progress and cancel.

A job is named by what it computes (a recipe's fingerprint), so a reload, another page or another
visitor finds the same one. Workers are daemon threads and never touch Streamlit; pages only read
snapshots. Executor pools will not do: their threads are joined at exit, and a stop would hang.
"""

import atexit
import queue
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

from bertflow_app.folders import explained
from bertflow_app.kept import Kept

from bertflow_core import context
from bertflow_core.errors import BertFlowError, Cancelled


class State(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Busy(BertFlowError):
    """Too many jobs wait already."""


@dataclass(frozen=True)
class Snapshot:
    """What a page shows of a job.

    Attributes:
        state: Where it stands.
        done: Finished units of the present stage.
        total: Units of the present stage.
        unit: Their name.
        seconds_left: Estimate for the present stage, or None while nothing is known.
        error: A sentence, where it failed.
    """

    state: State
    done: int
    total: int
    unit: str
    seconds_left: float | None
    error: str | None

    @property
    def is_live(self) -> bool:
        """Whether it waits or runs."""
        return self.state in (State.QUEUED, State.RUNNING)


@dataclass(eq=False)
class Job:
    """One piece of long work; made by `Registry.submit`.

    Attributes:
        key: Its name.
        work: Computes the result.
        is_connected: Whether a visitor is there at this moment.
        result: What the work gave; None before that.
        error: Why it failed.
    """

    key: str
    work: Callable[[], Any]
    is_connected: Callable[[str], bool] = lambda visitor: True
    result: Any = None
    error: Exception | None = None
    _state: State = State.QUEUED
    _stage: tuple[str, float] = ("", 0.0)
    _done: int = 0
    _total: int = 1
    _watchers: set[str] = field(default_factory=set)
    _stop: threading.Event = field(default_factory=threading.Event)
    _over: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def state(self) -> State:
        """Where it stands."""
        return self._state

    @property
    def is_live(self) -> bool:
        """Whether it waits or runs."""
        return self._state in (State.QUEUED, State.RUNNING)

    @property
    def is_wanted(self) -> bool:
        """Whether it waits or runs and was not told to stop."""
        return self.is_live and not self._stop.is_set()

    def watch(self, visitor: str) -> Snapshot:
        """Return what to show and note that `visitor` waits for it."""
        with self._lock:
            if self.is_live:
                self._watchers.add(visitor)
            error = str(self.error) if isinstance(self.error, BertFlowError) else None
            return Snapshot(
                self._state, self._done, self._total, self._stage[0], self._seconds_left(), error
            )

    def wait(self, seconds: float) -> None:
        """Return when it is over, at the latest after so many seconds."""
        self._over.wait(seconds)

    def leave(self, visitor: str) -> bool:
        """Take `visitor` off; stop the work, and return True, where nobody else waits for it.

        Who has closed the page, or loaded it anew as another visitor, no longer waits.
        """
        with self._lock:
            self._watchers = {who for who in self._watchers - {visitor} if self.is_connected(who)}
            if not self._watchers:
                self._end()
            return not self._watchers

    def stop(self) -> None:
        """Stop the work whoever waits for it; a job still in the queue ends at once."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._stop.set()
        if self._state is State.QUEUED:
            self._state = State.CANCELLED
            self.work = _finished
            self._over.set()

    def report(self, done: int, total: int, unit: str) -> None:
        """Note progress; this is where a stopped job ends."""
        if self._stop.is_set():
            raise Cancelled("stopped")
        with self._lock:
            if unit != self._stage[0] or done < self._done:
                self._stage = (unit, time.monotonic())
            self._done, self._total = done, max(1, total)

    def run(self) -> None:
        """Run the work; called by a worker."""
        with self._lock:
            if self._state is not State.QUEUED:
                return
            self._state = State.RUNNING
        try:
            with context.reporting(self.report):
                context.check_cancelled()
                self.result = self.work()
            self._state = State.DONE
        except Cancelled:
            self._state = State.CANCELLED
        except Exception as error:  # every failure belongs to the page that shows it
            self.error = explained(error) or error
            traceback.clear_frames(error.__traceback__)  # of the data they held
            self._state = State.FAILED
        finally:
            self.work = _finished  # without the data it held
            self._over.set()

    def _seconds_left(self) -> float | None:
        elapsed = time.monotonic() - self._stage[1]
        if self._state is not State.RUNNING or not self._done or elapsed < 1:
            return None
        return elapsed * (self._total - self._done) / self._done


def _finished() -> None:
    """Do nothing: the work was done."""


class Registry:
    """The jobs of a process.

    Args:
        kept: Where finished jobs are kept.
        workers: Jobs that run at once.
        max_live: Jobs that may wait or run; one more is refused.
        is_connected: Whether a visitor is there at this moment.
        prepare: Called by the worker before each job's work.
    """

    def __init__(
        self,
        kept: Kept,
        *,
        workers: int = 2,
        max_live: int = 8,
        is_connected: Callable[[str], bool] = lambda visitor: True,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self._kept, self._max_live = kept, max_live
        self._is_connected, self._prepare = is_connected, prepare
        self._live: dict[str, Job] = {}
        self._queue: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        for i in range(workers):
            threading.Thread(target=self._serve, name=f"job-{i}", daemon=True).start()
        atexit.register(self.shutdown)

    def get(self, key: str) -> Job | None:
        """Return the latest job of that name, if it is still kept; it was used just now."""
        found: Job | None = self._live.get(key) or self._kept.get(key)
        return found

    def submit(
        self,
        key: str,
        work: Callable[[], Any],
        visitor: str,
        *,
        live: Any = None,  # noqa: ANN401 - what the work fills
    ) -> Job:
        """Return the job of that name: the live or finished one, or a new one in the queue.

        Args:
            key: The name.
            work: Computes the result.
            visitor: Who waits for it.
            live: The result until the work is done, which fills it.

        Raises:
            Busy: Too many jobs are waiting.
        """
        with self._lock:
            job = self.get(key)
            if job is not None and (job.is_wanted or job.state is State.DONE):
                job.watch(visitor)
                return job
            if len(self._wanted()) >= self._max_live:
                raise Busy("Too many computations are waiting: try again in a minute.")
            own = partial(self._prepared, work)
            job = self._live[key] = Job(key, own, self._is_connected, result=live)
            job.watch(visitor)
        self._queue.put(job)
        return job

    def _wanted(self) -> list[Job]:
        """Return the jobs that wait or run and were not told to stop."""
        return [job for job in self._live.values() if job.is_wanted]

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits for anything."""
        with self._lock:
            return not self._wanted()

    def _prepared(self, work: Callable[[], Any]) -> object:
        self._prepare()
        return work()

    def shutdown(self) -> None:
        """Stop every job."""
        for job in list(self._live.values()):
            job.stop()

    def _serve(self) -> None:
        while True:
            job = self._queue.get()
            job.run()
            self._settle(job)

    def _settle(self, job: Job) -> None:
        """Keep what just ended, unless it was begun again meanwhile."""
        if self._live.get(job.key) is job:
            self._kept.put(job.key, job)  # before it leaves the others: no page misses it
        with self._lock:
            if self._live.get(job.key) is job:
                del self._live[job.key]
