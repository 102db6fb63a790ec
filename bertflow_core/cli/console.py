"""What a terminal sees while work goes on: bars on standard error, results on standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.progress import Progress


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Yield a progress callback that draws a bar for each piece of work on standard error.

    Where standard error is no terminal, nothing is drawn.
    """
    bar: Any = None
    work, shown = (0, ""), 0

    def report(done: int, total: int, unit: str) -> None:
        nonlocal bar, work, shown
        # The next piece of work may look like the last: a second fit of as many steps.
        if bar is None or (total, unit) != work or done < shown or shown == total:
            close()
            bar = tqdm(total=total, unit=f" {unit}", file=sys.stderr, disable=None, leave=False)
            work, shown = (total, unit), 0
        bar.update(done - shown)
        shown = done

    def close() -> None:
        if bar is not None:
            bar.close()

    try:
        yield report
    finally:
        close()


def say(sentence: str) -> None:
    """Tell the user something on standard error, in one line that no terminal takes for orders."""
    line = " ".join(sentence.split())
    shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)
    print(shown, file=sys.stderr)  # noqa: T201 - this is the place that prints


def emit(text: str) -> None:
    """Write a result to standard output; a reader that has left ends the program in silence.

    Raises:
        InputError: The encoding of standard output lacks a character.
        ResourceError: The disk behind standard output refused.
    """
    try:
        print(text, flush=True)  # noqa: T201 - this is the place that prints
    except UnicodeEncodeError as error:
        raise InputError(
            f"standard output in {error.encoding} cannot hold {text[error.start]!a}: set "
            "PYTHONIOENCODING=utf-8"
        ) from error
    except OSError as error:
        _close_output()
        if isinstance(error, BrokenPipeError):
            sys.exit(0)
        raise ResourceError(
            f"cannot write to standard output: {error.strerror or error}"
        ) from error


def _close_output() -> None:
    """Leave nothing that Python would try to write again, and fail to, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
