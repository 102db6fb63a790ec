"""Progress of long work, bars that show it, cancelling, and a clock that leaves out loading.

They are kept in context variables: the caller names a listener once, and the functions below it
report without passing anything on. A new thread has no listener; run its work in
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
    """Receives how much of a piece of long work is done.

    It is called often (many times a second at most) from one thread. To stop the work, raise
    `bertflow_core.errors.Cancelled`; nothing is left half written.
    """

    def __call__(self, done: int, total: int, unit: str) -> None:
        """Take note that `done` of `total` units ("sentences", "steps") are finished."""
        ...


_NOTHING = 0, 1, ""


def _nobody(done: int, total: int, unit: str) -> None:
    pass


_listener: ContextVar[Progress] = ContextVar("_listener", default=_nobody)
_reported: ContextVar[tuple[int, int, str]] = ContextVar("_reported", default=_NOTHING)
_spent_loading: ContextVar[float] = ContextVar("_spent_loading", default=0.0)


@contextmanager
def reporting(progress: Progress | None) -> Iterator[None]:
    """Send reports in this block to `progress`; None leaves the present listener.

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
    """Return the present listener, for one that hears reports first and passes them on."""
    return _listener.get()


def reports(work: Callable[P, T]) -> Callable[P, T]:
    """Send reports in a public function to its argument `progress`."""

    @wraps(work)
    def heard(*args: P.args, **kwargs: P.kwargs) -> T:
        with reporting(cast("Progress | None", kwargs.get("progress"))):
            return work(*args, **kwargs)

    return heard


def report(done: int, total: int, unit: str) -> None:
    """Report that `done` of `total` units are finished; raise `Cancelled` where work must stop."""
    _reported.set((done, total, unit))
    listener()(done, total, unit)


def check_cancelled() -> None:
    """Raise `Cancelled` where work must stop, by repeating the last report."""
    report(*_reported.get())


@contextmanager
def repeating(done: int, total: int, unit: str) -> Iterator[None]:
    """Report this, and again on each report in this block, so that only the outer work counts."""
    outer = listener()
    report(done, total, unit)
    with reporting(lambda *_: outer(done, total, unit)):
        yield


@contextmanager
def renamed(pattern: str) -> Iterator[None]:
    """Pass on reports in this block under another unit, in which "{}" is the original unit."""
    outer = listener()
    with reporting(lambda done, total, unit: outer(done, total, pattern.format(unit))):
        yield


def in_space(place: int, n_spaces: int) -> AbstractContextManager[None]:
    """Add a space, by its index from 0, to the unit of reports in this block."""
    return renamed(f"{{}}, space {place + 1} of {n_spaces}" if n_spaces > 1 else "{}")


@contextmanager
def loading() -> Iterator[None]:
    """Leave this block out of `seconds`: it imports or compiles something once for all calls."""
    start = seconds()
    try:
        yield
    finally:
        _spent_loading.set(_spent_loading.get() + seconds() - start)


def seconds() -> float:
    """Return the time in seconds without this thread's `loading`; only differences mean something.

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

    In a terminal the bars are on standard error, in a notebook they are widgets of the cell.
    Elsewhere nothing is drawn.

    Example:
        >>> from bertflow_core import progress_bars
        >>> with progress_bars() as progress:
        ...     progress(1, 2, "sentences")
    """
    bar: Any = None
    work, shown = (0, ""), 0

    def report(done: int, total: int, unit: str) -> None:
        nonlocal bar, work, shown
        # The next piece of work may look like the last: a second fit of as many steps.
        if bar is None or (total, unit) != work or done < shown or shown == total:
            close()
            bar, work, shown = _bar(total, f" {unit}"), (total, unit), 0
        bar.update(done - shown)
        shown = done

    def close() -> None:
        if bar is None:
            return
        bar.close()
        # A notebook leaves a bar that did not reach its end, as when work reports only its start.
        if hasattr(bar, "container"):
            bar.container.close()

    try:
        with reporting(report):
            yield report
    finally:
        close()


def _bar(total: int, unit: str) -> Any:  # noqa: ANN401 - a terminal's or a notebook's
    from tqdm.auto import tqdm  # late: it looks for a notebook

    return tqdm(total=total, unit=unit, file=sys.stderr, disable=None, leave=False)
