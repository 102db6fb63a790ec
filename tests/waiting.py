"""Wait for a condition, with a bound that only a condition that never comes will reach."""

import time
from collections.abc import Callable
from inspect import getsource
from typing import TypeVar

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
