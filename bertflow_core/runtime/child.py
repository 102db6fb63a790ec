"""A Python process for one piece of work: Stop ends it, and it ends with its parent."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO

from bertflow_core.runtime import context

_POLL_SECONDS = 0.2


def run_child(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    output: IO[bytes] | None = None,
    report: Callable[[], None] = context.check_cancelled,
    seconds: float = float("inf"),
) -> tuple[int, str]:
    """Run Python with arguments and further environment variables until it ends.

    Standard output goes to `output`. `report` is called meanwhile, and ends the process if it
    raises. Returns the exit code (negative for a signal) and the last line on standard error.

    Raises:
        TimeoutError: The process took longer than `seconds`.
    """
    end = time.monotonic() + seconds
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-P", *arguments],  # -P: no module of the current folder
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL if output is None else output,
            stderr=errors,
            env={**os.environ, **env},
        )
        try:
            while process.poll() is None:
                report()
                if time.monotonic() > end:
                    raise TimeoutError
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_SECONDS)
        finally:
            process.kill()
            process.communicate()
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip()
    return process.returncode, said.rpartition("\n")[2]


def follow_parent() -> None:
    """End this process, which `run_child` has started, when its parent has ended."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    while os.read(0, 1):  # not through `sys.stdin`, whose lock would be held at exit
        pass
    os._exit(1)
