"""Time, ratio and peak memory: interleaved repeats in one process, peaks in processes of their own.

A shared machine is slow for a minute and fast for the next. So the ways that are compared take
turns, each round gives one ratio, and the median of the rounds counts. A round before the first is
not timed: it warms up, and its results are the ones that are looked at. Those of the timed rounds
are dropped at once, since memory that a machine has not touched yet is slow to get.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Measured", "Run", "Way", "compare", "in_child", "run_command", "timed"]

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Run:
    """Something done once.

    Attributes:
        seconds: Wall-clock time.
        peak_mib: Peak resident memory of its process in MiB; None where the process was shared.
        output: What a command printed.
    """

    seconds: float
    peak_mib: float | None = None
    output: str = field(default="", repr=False)


@dataclass(frozen=True)
class Measured:
    """Something done several times.

    Attributes:
        name: The way it was done.
        seconds: Median over the rounds.
        ratio: Median over the rounds of the first way's seconds over this one's: above 1 is faster
            than the first.
        peak_mib: Largest peak resident memory in MiB, interpreter and libraries included.
        result: What the work returns; None of a command.
        ratios: The smallest and the largest ratio of a round.
    """

    name: str
    seconds: float
    ratio: float
    peak_mib: float | None = None
    result: Any = field(default=None, repr=False)
    ratios: tuple[float, float] | None = None

    def row(self, **details: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
        """Return the numbers, JSON-able, and `details` after them."""
        return {
            "name": self.name,
            "seconds": round(self.seconds, 5),
            "ratio": round(self.ratio, 3),
            "peak_mib": None if self.peak_mib is None else round(self.peak_mib, 1),
            **details,
        }


@dataclass(frozen=True)
class Way:
    """One way of doing the work that is compared.

    Attributes:
        name: As the table shows it.
        prepare: Function of a module that makes everything ready and returns the work.
        arguments: Keyword arguments of `prepare`, JSON-able.
        share: Part of the work that is done; its time is taken as many times as makes the whole.
    """

    name: str
    prepare: Callable[..., Callable[[], Any]]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    share: float = 1.0


def compare(runs: Mapping[str, Callable[[], Run]], *, repeats: int) -> list[Measured]:
    """Do everything in turns, `repeats` times; the first of `runs` is the reference."""
    rounds = [[run() for run in runs.values()] for _ in range(repeats)]
    seconds = np.array([[run.seconds for run in turn] for turn in rounds])
    ratios = seconds[:, :1] / seconds
    return [
        Measured(
            name,
            float(np.median(seconds[:, i])),
            float(np.median(ratios[:, i])),
            _largest_peak([turn[i] for turn in rounds]),
            ratios=(float(ratios[:, i].min()), float(ratios[:, i].max())),
        )
        for i, name in enumerate(runs)
    ]


def in_child(way: Way) -> Run:
    """Do the work once in a new process: the seconds of the work alone, the peak of all of it."""
    target = f"{way.prepare.__module__}:{way.prepare.__name__}"
    arguments = json.dumps(dict(way.arguments))
    run = run_command([sys.executable, "-m", f"{__package__}.child", target, arguments])
    return replace(run, seconds=float(run.output.split()[-1]), output="")


def run_command(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Run:
    """Run a command from the repository's root; its seconds include the start of its process.

    Raises:
        RuntimeError: It failed; the text is the end of its standard error.
    """
    run = subprocess.run(
        [sys.executable, "-I", str(_HERE / "launcher.py"), *command],
        cwd=_HERE.parent,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=True,
    )
    output, _, report = run.stdout.rstrip("\n").rpartition("\n")
    found = json.loads(report)
    if found["code"] != 0:
        raise RuntimeError(f"{command[0]} left with {found['code']}: {run.stderr[-2000:]}")
    return Run(found["seconds"], found["peak_mib"], output.rstrip("\n"))


def timed(work: Callable[[], Any], *, share: float = 1.0) -> Callable[[], Run]:
    """Return the work as a run; a share of it takes as long as all of it would."""

    def run() -> Run:
        start = time.perf_counter()
        result = work()
        seconds = time.perf_counter() - start
        del result  # freeing it is not part of the work
        return Run(seconds / share)

    return run


def _largest_peak(runs: Sequence[Run]) -> float | None:
    return max((run.peak_mib for run in runs if run.peak_mib is not None), default=None)
