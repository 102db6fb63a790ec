"""What long work reports, whether it must stop, and a clock that leaves loading out.

All three are kept in context variables: whoever starts long work says once who listens, and the
functions below it report without passing anything on. A thread starts with nobody listening; run
its work in `contextvars.copy_context()`.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

__all__ = [
    "Progress",
    "check_cancelled",
    "loading",
    "renamed",
    "repeating",
    "report",
    "reporting",
    "seconds",
]


class Progress(Protocol):
    """Receives how much of a piece of long work is done.

    It is called often (many times a second at most), from one thread. To stop the work it raises
    `bertflow_core.errors.Cancelled`; the work leaves nothing half written then.
    """

    def __call__(self, done: int, total: int, unit: str) -> None:
        """Learn that `done` of `total` units ("sentences", "steps") are finished."""
        ...


def _nobody(done: int, total: int, unit: str) -> None:
    pass


_listener: ContextVar[Progress] = ContextVar("_listener", default=_nobody)
_reported: ContextVar[tuple[int, int, str]] = ContextVar("_reported", default=(0, 1, ""))
_spent_loading: ContextVar[float] = ContextVar("_spent_loading", default=0.0)


@contextmanager
def reporting(progress: Progress | None) -> Iterator[None]:
    """Let `progress` hear what is reported within; None leaves the present listener.

    Example:
        >>> from bertflow_core import context
        >>> with context.reporting(print):
        ...     context.report(1, 2, "sentences")
        1 2 sentences
    """
    token = _listener.set(_listener.get() if progress is None else progress)
    try:
        yield
    finally:
        _listener.reset(token)


def report(done: int, total: int, unit: str) -> None:
    """Report that `done` of `total` units are finished; raises `Cancelled` where work must stop."""
    _reported.set((done, total, unit))
    _listener.get()(done, total, unit)


def check_cancelled() -> None:
    """Raise `Cancelled` where work must stop: the last report is repeated."""
    report(*_reported.get())


@contextmanager
def repeating(done: int, total: int, unit: str) -> Iterator[None]:
    """Report this, and again whenever something is reported within: only the outer work counts."""
    listener = _listener.get()
    listener(done, total, unit)
    with reporting(lambda *_: listener(done, total, unit)):
        yield


@contextmanager
def renamed(pattern: str) -> Iterator[None]:
    """Pass on what is reported within under another unit; "{}" in it stands for the first one."""
    listener = _listener.get()
    with reporting(lambda done, total, unit: listener(done, total, pattern.format(unit))):
        yield


@contextmanager
def loading() -> Iterator[None]:
    """Stop this thread's clock: what is within is imported or compiled once for all calls."""
    start = seconds()
    try:
        yield
    finally:
        _spent_loading.set(_spent_loading.get() + seconds() - start)


def seconds() -> float:
    """Return the time in seconds without this thread's `loading`; only differences mean something.

    Example:
        >>> from bertflow_core import context
        >>> start = context.seconds()
        >>> with context.loading():
        ...     import json
        >>> 0 <= context.seconds() - start < 1
        True
    """
    return time.perf_counter() - _spent_loading.get()
