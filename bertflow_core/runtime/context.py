"""What long work reports, bars that show it, whether it must stop, a clock without loading.

All three are kept in context variables: whoever starts long work says once who listens, and the
functions below it report without passing anything on. A thread starts with nobody listening; run
its work in `contextvars.copy_context()`.
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

    It is called often (many times a second at most), from one thread. To stop the work it raises
    `bertflow_core.errors.Cancelled`; the work leaves nothing half written then.
    """

    def __call__(self, done: int, total: int, unit: str) -> None:
        """Learn that `done` of `total` units ("sentences", "steps") are finished."""
        ...


_NOTHING = 0, 1, ""


def _nobody(done: int, total: int, unit: str) -> None:
    pass


_listener: ContextVar[Progress] = ContextVar("_listener", default=_nobody)
_reported: ContextVar[tuple[int, int, str]] = ContextVar("_reported", default=_NOTHING)
_spent_loading: ContextVar[float] = ContextVar("_spent_loading", default=0.0)


@contextmanager
def reporting(progress: Progress | None) -> Iterator[None]:
    """Let `progress` hear what is reported within; None leaves the present listener.

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
    """Return who listens now, for one that hears it first and passes it on."""
    return _listener.get()


def reports(work: Callable[P, T]) -> Callable[P, T]:
    """Let the argument `progress` of a public function hear what is reported in it."""

    @wraps(work)
    def heard(*args: P.args, **kwargs: P.kwargs) -> T:
        with reporting(cast("Progress | None", kwargs.get("progress"))):
            return work(*args, **kwargs)

    return heard


def report(done: int, total: int, unit: str) -> None:
    """Report that `done` of `total` units are finished; raises `Cancelled` where work must stop."""
    _reported.set((done, total, unit))
    listener()(done, total, unit)


def check_cancelled() -> None:
    """Raise `Cancelled` where work must stop: the last report is repeated."""
    report(*_reported.get())


@contextmanager
def repeating(done: int, total: int, unit: str) -> Iterator[None]:
    """Report this, and again whenever something is reported within: only the outer work counts."""
    outer = listener()
    report(done, total, unit)
    with reporting(lambda *_: outer(done, total, unit)):
        yield


@contextmanager
def renamed(pattern: str) -> Iterator[None]:
    """Pass on what is reported within under another unit; "{}" in it stands for the first one."""
    outer = listener()
    with reporting(lambda done, total, unit: outer(done, total, pattern.format(unit))):
        yield


def in_space(place: int, n_spaces: int) -> AbstractContextManager[None]:
    """Name a space, by its index from 0, in the unit of what is reported within."""
    return renamed(f"{{}}, space {place + 1} of {n_spaces}" if n_spaces > 1 else "{}")


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
    """Draw a bar for each piece of work that reports within; yield the callback that does it.

    In a terminal they are on standard error; where that is no terminal, nothing is drawn. In a
    notebook they are widgets of the cell.

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
        # A notebook leaves a bar that did not reach its end, as where work tells only of its start.
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
