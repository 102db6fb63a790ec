"""Progress reports, progress bars, cancellation, and a clock that excludes loading.

The listener is held in a context variable. The caller sets it once, and every function called below
can report without an extra argument. A new thread has no listener: run its work in
`contextvars.copy_context()`.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


class Progress(Protocol):
    """A callback that receives the progress of long work.

    It may be called many times a second, always from one thread. To stop the work, raise
    `bertflow_core.errors.Cancelled`; no file is left half-written.
    """

    def __call__(self, done: int, total: int, unit: str) -> None:
        """Receive a report: `done` of `total` units ("sentences", "steps") are finished."""


_NOTHING = 0, 1, ""


def _nobody(done: int, total: int, unit: str) -> None:
    pass


_listener: ContextVar[Progress] = ContextVar("_listener", default=_nobody)
_reported: ContextVar[tuple[int, int, str]] = ContextVar("_reported", default=_NOTHING)
_spent_loading: ContextVar[float] = ContextVar("_spent_loading", default=0.0)


@contextmanager
def reporting(progress: Progress | None) -> Iterator[None]:
    """Send reports made in this block to `progress`; None keeps the current listener.

    Example:
        >>> from bertflow_core.runtime import context
        >>> with context.reporting(print):
        ...     context.report(1, 2, "sentences")
        1 2 sentences
    """
    token = _listener.set(listener() if progress is None else progress)
    last = _reported.set(_reported.get() if progress is None else _NOTHING)
    try:
        yield
    finally:
        _listener.reset(token)
        _reported.reset(last)


def listener() -> Progress:
    """Return the current listener, so that a new one can pass reports on to it."""
    return _listener.get()


def reports(work: Callable[P, T]) -> Callable[P, T]:
    """Decorate a public function so that its reports go to its argument `progress`."""

    @wraps(work)
    def heard(*args: P.args, **kwargs: P.kwargs) -> T:
        with reporting(cast("Progress | None", kwargs.get("progress"))):
            return work(*args, **kwargs)

    return heard


def report(done: int, total: int, unit: str) -> None:
    """Report that `done` of `total` units are finished; raise `Cancelled` if work must stop."""
    _reported.set((done, total, unit))
    listener()(done, total, unit)


def check_cancelled() -> None:
    """Repeat the last report, which raises `Cancelled` if the work must stop."""
    report(*_reported.get())


@contextmanager
def repeating(done: int, total: int, unit: str) -> Iterator[None]:
    """Report these values now, and again in place of each report made in this block.

    The listener thus sees the progress of the outer work only.
    """
    outer = listener()
    report(done, total, unit)
    with reporting(lambda *_: outer(done, total, unit)):
        yield


@contextmanager
def renamed(pattern: str) -> Iterator[None]:
    """Replace the unit of reports in this block by `pattern`; "{}" is the original unit."""
    outer = listener()
    with reporting(lambda done, total, unit: outer(done, total, pattern.format(unit))):
        yield


def in_space(place: int, n_spaces: int) -> AbstractContextManager[None]:
    """Append "space K of N" to the unit of reports in this block; `place` is K - 1."""
    return renamed(f"{{}}, space {place + 1} of {n_spaces}" if n_spaces > 1 else "{}")


@contextmanager
def loading() -> Iterator[None]:
    """Exclude this block from `seconds`, since it imports or compiles something only once."""
    start = seconds()
    try:
        yield
    finally:
        _spent_loading.set(_spent_loading.get() + seconds() - start)


def seconds() -> float:
    """Return a clock in seconds that excludes this thread's `loading`; only differences matter.

    Example:
        >>> from bertflow_core.runtime import context
        >>> start = context.seconds()
        >>> with context.loading():
        ...     import json
        >>> 0 <= context.seconds() - start < 1
        True
    """
    return time.perf_counter() - _spent_loading.get()


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Draw a bar for each piece of work that reports in this block; yield the callback.

    A terminal shows the bars on standard error, a notebook as widgets of the cell. Elsewhere
    nothing is drawn.

    Example:
        >>> from bertflow_core import progress_bars
        >>> with progress_bars() as progress:
        ...     progress(1, 2, "sentences")
    """
    bar: Any = None
    work, shown = (0, ""), 0

    def report(done: int, total: int, unit: str) -> None:
        nonlocal bar, work, shown
        # The next piece of work may have the same unit and total, such as a second fit.
        if bar is None or (total, unit) != work or done < shown or shown == total:
            close()
            bar, work, shown = _bar(total, f" {unit}"), (total, unit), 0
        bar.update(done - shown)
        shown = done

    def close() -> None:
        if bar is not None:
            bar.close()
        if hasattr(bar, "container"):  # a notebook would keep showing an unfinished bar
            bar.container.close()

    try:
        with reporting(report):
            yield report
    finally:
        close()


def _bar(total: int, unit: str) -> Any:  # noqa: ANN401 - the bar of a terminal or a notebook
    from tqdm.auto import tqdm  # late: the import looks for a notebook

    return tqdm(total=total, unit=unit, file=sys.stderr, disable=None, leave=False)
