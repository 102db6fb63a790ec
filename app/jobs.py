"""Long work in the background: one run shared by all who ask for it, with progress and cancel.

A job is named by what it computes (a recipe's fingerprint), so a reload, another page or another
visitor finds the same one. Workers are daemon threads and never touch Streamlit; pages only read
snapshots. Executor pools will not do: their threads are joined at exit, and a stop would hang.
"""

import atexit
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

from bertflow_app.memory import Holdings, bytes_together, holdings

from bertflow_core.errors import BertFlowError, Cancelled
from bertflow_core.progress import Progress

ABANDONED_AFTER = 120.0
"""Seconds after which a job that no page watches stops."""


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
    """One piece of long work; made by `Registry.submit`."""

    key: str
    work: Callable[[Progress], Any]
    result: Any = None
    error: Exception | None = None
    _state: State = State.QUEUED
    _stage: tuple[str, float] = ("", 0.0)
    _done: int = 0
    _total: int = 1
    _watchers: set[str] = field(default_factory=set)
    _seen: float = field(default_factory=time.monotonic)
    _stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _counted: tuple[object, Holdings] | None = None

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

    @property
    def holdings(self) -> Holdings:
        """What its result holds in memory; counted once, after the end."""
        result = self.result
        if self.is_live or self._counted is None or self._counted[0] is not result:
            self._counted = result, holdings(result)
        return self._counted[1]

    def watch(self, visitor: str) -> Snapshot:
        """Return what to show and note that `visitor` is looking."""
        with self._lock:
            self._watchers.add(visitor)
            self._seen = time.monotonic()
            error = str(self.error) if isinstance(self.error, BertFlowError) else None
            return Snapshot(
                self._state, self._done, self._total, self._stage[0], self._seconds_left(), error
            )

    def leave(self, visitor: str) -> bool:
        """Take `visitor` off; stop the work, and return True, where nobody else waits for it."""
        with self._lock:
            self._watchers.discard(visitor)
            if self._watchers:
                return False
        self.stop()
        return True

    def forget(self, visitor: str) -> None:
        """Note that `visitor` is gone, perhaps to come back by a reload: the work goes on."""
        with self._lock:
            self._watchers.discard(visitor)

    def stop(self) -> None:
        """Stop the work whoever waits for it; a job still in the queue ends at once."""
        with self._lock:
            self._stop.set()
            if self._state is State.QUEUED:
                self._state = State.CANCELLED

    def report(self, done: int, total: int, unit: str) -> None:
        """Note progress; this is where a stopped or abandoned job ends."""
        if self._stop.is_set() or time.monotonic() - self._seen > ABANDONED_AFTER:
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
            self.report(0, 1, "")
            self.result = self.work(self.report)
            self._state = State.DONE
        except Cancelled:
            self._state = State.CANCELLED
        except Exception as error:  # every failure belongs to the page that shows it
            self.error = error
            self._state = State.FAILED
        finally:
            self.work = _finished  # and with it the data it held
        _ = self.holdings  # counted here, where no page waits for it

    def _seconds_left(self) -> float | None:
        elapsed = time.monotonic() - self._stage[1]
        if self._state is not State.RUNNING or not self._done or elapsed < 1:
            return None
        return elapsed * (self._total - self._done) / self._done


def _finished(progress: Progress) -> None:
    """Do nothing: the work was done."""


class Registry:
    """The jobs of a process.

    Args:
        workers: Jobs that run at once.
        max_live: Jobs that may wait or run; one more is refused.
        max_kept: Finished jobs that are kept, the latest.
        max_bytes: Memory that the results of finished jobs may hold together; what two of them
            share counts once, and the latest is kept whatever it holds.
        prepare: Called by the worker before each job's work.
    """

    def __init__(
        self,
        *,
        workers: int = 1,
        max_live: int = 8,
        max_kept: int = 16,
        max_bytes: int = 3 << 30,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self._max_live, self._max_kept, self._max_bytes = max_live, max_kept, max_bytes
        self._prepare = prepare
        self._jobs: dict[str, Job] = {}
        self._queue: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._serve, name=f"job-{i}", daemon=True)
            for i in range(workers)
        ]
        for thread in self._threads:
            thread.start()
        atexit.register(self.shutdown)

    def get(self, key: str) -> Job | None:
        """Return the latest job of that name, if it is still kept; it was used just now."""
        with self._lock:
            job = self._jobs.pop(key, None)
            if job is not None:
                self._jobs[key] = job  # the least recently used of the finished ones goes first
            return job

    def submit(self, key: str, work: Callable[[Progress], Any]) -> Job:
        """Return the job of that name: the live or finished one, or a new one in the queue.

        Raises:
            Busy: Too many jobs are waiting.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and (job.is_wanted or job.state is State.DONE):
                return job
            if sum(other.is_live for other in self._jobs.values()) >= self._max_live:
                raise Busy("Too many computations are waiting: try again in a minute.")
            self._jobs.pop(key, None)
            job = self._jobs[key] = Job(key, partial(self._prepared, work))
            self._forget_old()
        self._queue.put(job)
        return job

    def _forget_old(self) -> None:
        """Let go of the least recently used finished jobs that are too many or hold too much."""
        finished = [key for key, job in self._jobs.items() if not job.is_live]
        while len(finished) > 1 and (
            len(finished) > self._max_kept or self.nbytes > self._max_bytes
        ):
            del self._jobs[finished.pop(0)]

    @property
    def nbytes(self) -> int:
        """Memory that the results of finished jobs hold together."""
        return bytes_together(job.holdings for job in self._jobs.values() if not job.is_live)

    def _prepared(self, work: Callable[[Progress], Any], progress: Progress) -> object:
        self._prepare()
        return work(progress)

    def forget(self, visitor: str) -> None:
        """Take a visitor whose page was closed or reloaded off every job."""
        for job in list(self._jobs.values()):
            job.forget(visitor)

    def shutdown(self) -> None:
        """Stop every job and wait a moment for the one that runs."""
        for job in list(self._jobs.values()):
            job.stop()

    def _serve(self) -> None:
        while True:
            job = self._queue.get()
            job.run()
            self._settle(job)

    def _settle(self, job: Job) -> None:
        """Keep what just ended as the latest, and let go of what no longer fits beside it."""
        with self._lock:
            if self._jobs.get(job.key) is job:
                self._jobs[job.key] = self._jobs.pop(job.key)
            self._forget_old()
