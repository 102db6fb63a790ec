"""Work of ours beside the same work by a named peer: the rows that `bertflow-lab bench` prints.

A shared machine is slow for a minute and fast for the next. So the ways that are compared take
turns in one process, each round gives one ratio, and the median of the rounds counts. A round
before the first is not timed: it warms up, and its results are the ones that are compared. Those of
the timed rounds are dropped at once, since memory that a machine has not touched yet is slow to
get. Peak memory is that of a process of its own.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Checks", "Comparison", "Outcome", "Results", "Way", "outcome_of", "peak_mib", "rows_of"]

REPEATS = 5
"""Timed rounds."""

Results = Mapping[str, Any]
"""What each way returned, by its name."""

Checks = Mapping[str, Mapping[str, float]]
"""By the name of a row, what was found when results were compared."""

# A new process starts with its parent's peak on its account, so the command is started from an
# interpreter that has imported nothing large.
_LAUNCHER = """
import json, resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
unit = 1 if sys.platform == "darwin" else 1024  # bytes in one of ru_maxrss
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
print("\\n" + json.dumps([code, peak / (1 << 20)]))
"""


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


@dataclass(frozen=True)
class Comparison:
    """Ways of ours, and the peer's way of the same work.

    Attributes:
        peer: Its name is that of the peer.
        ways: Of ours, and others beyond --quick; their names are those of the rows.
        checks: Compares results: those of ours by name, the peer's under its own.
        package: What the peer needs to be installed; without it the rows have no ratio.
        module: What of the package is imported.
    """

    peer: Way
    ways: Sequence[Way]
    checks: Callable[[Results], Checks]
    package: str = "numpy"
    module: str = "numpy"


@dataclass(frozen=True)
class Outcome:
    """What a benchmark gives back.

    Attributes:
        recipe: The sizes and choices that decide its numbers, JSON-able.
        rows: What was measured of each way, JSON-able.
    """

    recipe: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]


def outcome_of(comparisons: Iterable[Comparison], *, quick: bool, **recipe: object) -> Outcome:
    """Measure comparisons one after the other; beyond `quick` with peak memory."""
    rows = [row for each in comparisons for row in rows_of(each, with_peaks=not quick)]
    return Outcome({**recipe, "repeats": REPEATS}, rows)


def rows_of(
    comparison: Comparison, *, repeats: int = REPEATS, with_peaks: bool
) -> Iterator[dict[str, Any]]:
    """Yield a record for each way of ours; with its peak memory in a process of its own."""
    peer, is_there = comparison.peer, find_spec(comparison.module) is not None
    ways = [*([peer] if is_there else []), *comparison.ways]
    works = [way.prepare(**way.arguments) for way in ways]
    results = {way.name: work() for way, work in zip(ways, works, strict=True)}
    seconds = np.array([[*map(_timed, works)] for _ in range(repeats)])
    seconds /= [way.share for way in ways]
    checks = comparison.checks(results)
    for way, own in zip(ways, seconds.T, strict=True):
        if way is peer:
            continue
        row = {"name": way.name, "seconds": round(float(np.median(own)), 5), "peer": peer.name}
        if is_there:
            ratios = seconds[:, 0] / own
            row["peer_seconds"] = round(float(np.median(seconds[:, 0])), 5)
            row["ratio"] = round(float(np.median(ratios)), 3)
            row["spread"] = [round(float(end), 3) for end in (ratios.min(), ratios.max())]
        else:
            row |= dict.fromkeys(("peer_seconds", "ratio", "spread"))
            package = comparison.package
            row["missing"] = f"{package} is not installed (pip install {package})"
        row["checks"] = dict(checks.get(way.name, {}))
        if with_peaks:
            row["peak_mib"] = round(peak_mib(_alone(way)), 1)
        yield row


def _timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - start
    del result  # freeing it is not part of the work
    return seconds


def peak_mib(command: Sequence[str]) -> float:
    """Run a command from the repository's root and return its peak resident memory in MiB."""
    run = subprocess.run(
        [sys.executable, "-I", "-c", _LAUNCHER, *command],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    code, peak = json.loads(run.stdout.splitlines()[-1])
    if code != 0:
        raise RuntimeError(f"{command[0]} left with {code}: {run.stderr[-2000:]}")
    return float(peak)


def _alone(way: Way) -> list[str]:
    """Return the command that does the work once in a new process."""
    name = way.prepare.__name__
    code = f"import json, sys; from {way.prepare.__module__} import {name}"
    arguments = json.dumps(dict(way.arguments))
    return [sys.executable, "-c", f"{code}; {name}(**json.loads(sys.argv[1]))()", arguments]
