"""Long work in the background: one run for all who ask for it, with progress and a stop.

A job is named by what it computes (a recipe's fingerprint), so a reload, another page or another
visitor finds the same job. Workers are daemon threads and never call Streamlit; pages only read.
Executor pools would not do: their threads are joined at exit, so the server could not stop.
"""

import atexit
import queue
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bertflow_app.folders import explained
from bertflow_app.work.kept import Kept

from bertflow_core.errors import BertFlowError, Cancelled
from bertflow_core.runtime import context

WORKERS, MAX_LIVE, MAX_LOST = 2, 8, 4
PATIENCE = 5.0
"""Seconds after which a worker whose work does not stop is replaced, at most `MAX_LOST` times."""


class State(StrEnum):
    """State of a job."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Busy(BertFlowError):
    """Raised when too many jobs are waiting."""


@dataclass(eq=False)
class Job:
    """A piece of long work; `Registry.submit` makes it."""

    key: str  # the same for equal jobs
    work: Callable[[], Any]  # computes the result; released at the end
    is_connected: Callable[[str], bool] = lambda visitor: True  # whether a visitor is connected
    replace_worker: Callable[[], bool] = lambda: False  # called if the work does not stop
    result: Any = None  # until the end: what the work fills
    error: Exception | None = None  # why it failed
    state: State = State.QUEUED
    done: int = 0  # finished units of the present stage
    total: int = 1  # all units of the present stage
    unit: str = ""
    has_left_worker: bool = False  # whether another worker serves instead of the one it keeps
    _began: float = 0.0
    _watchers: set[str] = field(default_factory=set)
    _stop: threading.Event = field(default_factory=threading.Event)
    _over: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_live(self) -> bool:
        """Whether it is queued or running."""
        return self.state in (State.QUEUED, State.RUNNING)

    @property
    def is_wanted(self) -> bool:
        """Whether it is queued or running, and was not told to stop."""
        return self.is_live and not self._stop.is_set()

    @property
    def gives_result(self) -> bool:
        """Whether there is a result, or one is still to come."""
        return self.is_wanted or self.state is State.DONE

    @property
    def seconds_left(self) -> float | None:
        """Estimated time left in the present stage; None before 3 seconds and 5 % have passed."""
        elapsed = time.monotonic() - self._began
        if self.state is not State.RUNNING or elapsed < 3 or self.done < self.total / 20:
            return None
        return elapsed * (self.total - self.done) / self.done

    def watch(self, visitor: str) -> None:
        """Record that `visitor` waits for this job."""
        with self._lock:
            if self.is_live:
                self._watchers.add(visitor)

    def wait(self, seconds: float) -> None:
        """Wait until the job has ended, at most so many seconds."""
        self._over.wait(seconds)

    def leave(self, visitor: str) -> bool:
        """Record that `visitor` no longer waits. If nobody does, stop the work and return True.

        A visitor who has closed the page, or reloaded it as a new visitor, no longer waits.
        """
        with self._lock:
            self._watchers = {who for who in self._watchers - {visitor} if self.is_connected(who)}
            if not self._watchers:
                self._end()
            return not self._watchers

    def stop(self) -> None:
        """Stop the work, even if visitors wait for it. A queued job ends at once."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self.state is State.RUNNING and not self._stop.is_set():
            timer = threading.Timer(PATIENCE, self._lose)
            timer.daemon = True
            with suppress(RuntimeError):  # no thread starts while the server ends
                timer.start()
        self._stop.set()
        if self.state is State.QUEUED:
            self.state = State.CANCELLED
            self.work = list
            self._over.set()

    def _lose(self) -> None:
        """Give up work that did not stop, such as a long call into a library."""
        with self._lock:
            if self.state is not State.RUNNING:
                return
            self.state = State.CANCELLED
            self.has_left_worker = self.replace_worker()
            self._over.set()

    def report(self, done: int, total: int, unit: str) -> None:
        """Note progress; end the work if the job was told to stop."""
        if self._stop.is_set():
            raise Cancelled("stopped")
        if unit != self.unit or done < self.done:
            self._began = time.monotonic()
        self.done, self.total, self.unit = done, max(1, total), unit

    def run(self, prepare: Callable[[], None]) -> None:
        """Prepare and run the work; a worker calls this."""
        with self._lock:
            if self.state is not State.QUEUED:
                return
            self.state = State.RUNNING
        result, error, state = self.result, self.error, State.FAILED
        try:
            with context.reporting(self.report):
                prepare()
                context.check_cancelled()
                result = self.work()
            state = State.DONE
        except Cancelled:
            state = State.CANCELLED
        except Exception as raised:  # the page shows every failure
            error = explained(raised) or raised
            traceback.clear_frames(raised.__traceback__)  # releases the data they hold
        finally:
            with self._lock:
                self.work = list  # releases the data it holds
                if self.state is State.RUNNING:  # else it was given up
                    self.result, self.error, self.state = result, error, state
                self._over.set()


class Registry:
    """The jobs of a process: `workers` run at once, and at most `max_live` are queued or running.

    Finished jobs are in `kept`. A worker calls `prepare` before each job.
    """

    def __init__(
        self,
        kept: Kept,
        *,
        workers: int = WORKERS,
        max_live: int = MAX_LIVE,
        is_connected: Callable[[str], bool] = lambda visitor: True,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self.kept, self._max_live = kept, max_live
        self._is_connected, self._prepare = is_connected, prepare
        self._live: dict[str, Job] = {}
        self._spare = threading.Semaphore(MAX_LOST)
        self._queue: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        for _ in range(workers):
            self._add_worker()
        atexit.register(self.shutdown)

    def get(self, key: str) -> Job | None:
        """Return the latest job of that name, if it is still kept, and mark it as just used."""
        found: Job | None = self._live.get(key) or self.kept.get(key)
        return found

    def submit(
        self,
        key: str,
        work: Callable[[], Any],
        visitor: str,
        *,
        live: Any = None,  # noqa: ANN401 - what the work fills
    ) -> Job:
        """Return the job of that name, live or finished, or put a new one in the queue."""
        with self._lock:
            job = self.get(key)
            if job is None or not job.gives_result:
                if len(self._wanted()) >= self._max_live:
                    raise Busy("Too many computations are waiting: try again in a minute.")
                job = Job(key, work, self._is_connected, self._replace_worker, result=live)
                self._live[key] = job
                self._queue.put(job)
            job.watch(visitor)
            return job

    @property
    def is_idle(self) -> bool:
        """Whether no visitor is waiting for a job."""
        with self._lock:
            return not self._wanted()

    def shutdown(self) -> None:
        """Stop every job."""
        for job in list(self._live.values()):
            job.stop()

    def _wanted(self) -> list[Job]:
        return [job for job in self._live.values() if job.is_wanted]

    def _add_worker(self) -> None:
        threading.Thread(target=self._serve, name="job", daemon=True).start()

    def _replace_worker(self) -> bool:
        may = self._spare.acquire(blocking=False)
        if may:
            self._add_worker()
        return may

    def _serve(self) -> None:
        while True:
            job = self._queue.get()
            job.run(self._prepare)
            if self._live.get(job.key) is job:  # else it was started again meanwhile
                self.kept.put(job.key, job)  # first, so that pages find it at any time
            with self._lock:
                if self._live.get(job.key) is job:
                    del self._live[job.key]
            if job.has_left_worker:
                self._spare.release()
                return
