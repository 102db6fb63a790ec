"""What a terminal sees while work goes on: bars on standard error, results on standard output."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from bertflow_core.progress import Progress

__all__ = ["emit", "progress_bars", "say"]


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Yield a progress callback that draws a bar for each piece of work on standard error.

    Where standard error is no terminal, nothing is drawn.
    """
    bar: Any = None
    shown = ("", 0)

    def report(done: int, total: int, unit: str) -> None:
        nonlocal bar, shown
        if bar is None or unit != shown[0] or done < shown[1]:
            close()
            bar = tqdm(total=total, unit=f" {unit}", file=sys.stderr, disable=None, leave=False)
            shown = (unit, 0)
        bar.update(done - shown[1])
        shown = (unit, done)

    def close() -> None:
        if bar is not None:
            bar.close()

    try:
        yield report
    finally:
        close()


def say(sentence: str) -> None:
    """Tell the user something on standard error."""
    print(sentence, file=sys.stderr)  # noqa: T201 - this is the place that prints


def emit(text: str) -> None:
    """Write a result to standard output."""
    print(text)  # noqa: T201 - this is the place that prints
