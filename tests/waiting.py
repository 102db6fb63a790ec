"""Wait for a condition, or stop reported work as soon as a condition is met."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from inspect import getsource
from typing import Any, TypeVar

from bertflow_core.errors import Cancelled
from bertflow_core.runtime import context

T = TypeVar("T")

PATIENCE = 300
"""Seconds until a wait has failed: far more than a slow and busy machine needs."""


def wait_for(
    condition: Callable[[], T], *, every: float = 0.01, within: float = PATIENCE, what: str = ""
) -> T:
    """Ask every so many seconds until the answer is true, and return it."""
    end = time.monotonic() + within
    while not (answer := condition()):
        assert time.monotonic() < end, f"waited {within} s for {what or getsource(condition)}"
        time.sleep(every)
    return answer


def stopping(when: Callable[..., Any] = lambda *report: True) -> AbstractContextManager[None]:
    """Stop, as a user does, what is done within at the first report of which `when` is true."""

    def stop(*report: object) -> None:
        if when(*report):
            raise Cancelled("stopped")

    return context.reporting(stop)
