"""A clock that stands still while something is loaded that later calls find loaded."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["loading", "seconds"]

_spent_loading: ContextVar[float] = ContextVar("_spent_loading", default=0.0)


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
        >>> from bertflow_core import clock
        >>> start = clock.seconds()
        >>> with clock.loading():
        ...     import json
        >>> 0 <= clock.seconds() - start < 1
        True
    """
    return time.perf_counter() - _spent_loading.get()
