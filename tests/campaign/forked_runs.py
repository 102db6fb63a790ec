"""Many runs of a function, each in a fork of one warm process, with limits of time and memory.

A fork costs a tenth of a second, a new process with all its imports three; and no run sees what
another left in memory.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["LONGEST", "MOST_BYTES", "Run", "Runner", "runner"]

LONGEST = 60
"""Seconds after which a run hangs."""
MOST_BYTES = 3 << 29
"""Memory that a run may hold, the imports of the warm process among it."""

_SERVER = """
import json, os, resource, select, signal, sys, time

{prepare}

def address_space():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[0]) * resource.getpagesize()

def begin(folder):
    os.setsid()
    os.chdir(folder)
    for name, target in (("out", 1), ("err", 2)):
        os.dup2(os.open(name + ".txt", os.O_WRONLY | os.O_CREAT, 0o600), target)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    most = address_space() + 2 * {most_bytes}
    resource.setrlimit(resource.RLIMIT_AS, (most, most))

def attend(child):
    end = os.pidfd_open(child)
    ended, *_ = select.select([end], [], [], {longest})
    os.close(end)
    if not ended:
        os.killpg(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return {{"hangs": not ended, "code": code, "nbytes": usage.ru_maxrss << 10}}

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    folder, question = json.loads(line)
    child = os.fork()
    if not child:
        begin(folder)
        code = 70
        try:
            code = run(question)
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)
    answers.write(json.dumps(attend(child)) + chr(10))
    answers.flush()
"""


@dataclass(frozen=True)
class Run:
    """How a run ended.

    Attributes:
        code: Exit code; negative where a signal ended it.
        hangs: Whether it had to be killed after `LONGEST` seconds.
        nbytes: Memory that it held, at most.
        out: What it wrote to standard output.
        err: And to standard error.
    """

    code: int
    hangs: bool
    nbytes: int
    out: str
    err: str


class Runner:
    """The warm process; made by `runner`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, question: Any, folder: Path) -> Run:
        """Run once with `question` in `folder`."""
        self._process.stdin.write(json.dumps([str(folder), question]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the warm process ended: see its standard error"
        out, err = ((folder / f"{name}.txt").read_bytes() for name in ("out", "err"))
        return Run(**json.loads(answer), out=out.decode(), err=err.decode())


@contextmanager
def runner(prepare: str, environment: dict[str, str]) -> Iterator[Runner]:
    """Start a process that runs `prepare`, which defines `run(question) -> exit code`."""
    code = _SERVER.format(prepare=prepare, longest=LONGEST, most_bytes=MOST_BYTES)
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Runner(process)
        finally:
            process.kill()
