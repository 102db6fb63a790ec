"""Output to a terminal: messages on standard error, results on standard output."""

import os
import sys

from bertflow_core.errors import ResourceError


def say(sentence: str) -> None:
    """Print one line on standard error, with control characters escaped."""
    line = " ".join(sentence.split())
    shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)
    print(shown, file=sys.stderr)  # noqa: T201 - this is the place that prints


def emit(text: str) -> None:
    """Write a result to standard output; end the program silently if the pipe is closed."""
    try:
        print(text, flush=True)  # noqa: T201 - this is the place that prints
    except OSError as error:
        # Output now goes nowhere: Python flushes it at exit, and would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(0)
        raise ResourceError(
            f"cannot write to standard output: {error.strerror or error}"
        ) from error
