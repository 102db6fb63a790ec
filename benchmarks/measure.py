"""Time some work of the package and the same work of a peer, for the rows of `bertflow-lab bench`.

The speed of a shared machine varies from minute to minute, so the package and the peer take turns
in one process. Each round gives one ratio, and the table has the median over rounds. An untimed
round comes first to warm up; its results are the ones that are checked. Results of timed rounds are
freed at once, because new memory is slow to allocate. Peak memory is measured in a separate
process.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

REPEATS, QUICK_REPEATS = 5, 3
"""Number of timed rounds."""

Outcome = tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]
"""The result of a benchmark: the choices that decide its numbers, and the rows; JSON-able."""

# The peak of a new process starts at its parent's memory, so the command is started from an
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
    """One way of doing the compared work.

    `prepare` is a module's function with JSON-able arguments. It prepares everything and returns
    the work as a function. Only a `share` of the work is done; its time is divided by the share.
    """

    name: str
    prepare: partial[Callable[[], Any]]
    share: float = 1.0


@dataclass(frozen=True)
class Comparison:
    """Our implementations of one task, each a row of the table, and the peer's.

    `check` compares the result of one of ours with the peer's, or with None if the module that
    the peer `needs` is not installed. `needs` names this module and the package that provides it.
    """

    peer: Way
    ways: Sequence[Way]
    check: Callable[[Any, Any], dict[str, float]]
    needs: tuple[str, str] = ("numpy", "numpy")


def outcome_of(comparisons: Iterable[Comparison], *, quick: bool, **recipe: object) -> Outcome:
    """Measure comparisons in turn; unless `quick`, with more rounds and with peak memory."""
    repeats = QUICK_REPEATS if quick else REPEATS
    found = (rows_of(each, repeats=repeats, with_peaks=not quick) for each in comparisons)
    return {**recipe, "repeats": repeats}, [row for rows in found for row in rows]


def rows_of(comparison: Comparison, *, repeats: int, with_peaks: bool) -> Iterator[dict[str, Any]]:
    """Yield a row for each implementation of ours; peak memory is from a separate process."""
    peer, (module, package) = comparison.peer, comparison.needs
    is_there = find_spec(module) is not None
    ways = [*comparison.ways, *([peer] if is_there else [])]
    works = [way.prepare() for way in ways]
    results = [work() for work in works]
    seconds = np.array([[*map(_timed, works)] for _ in range(repeats)]).T
    seconds /= np.array([way.share for way in ways])[:, None]
    for way, own, result in zip(comparison.ways, seconds, results, strict=False):
        row = {"name": way.name, "seconds": round(float(np.median(own)), 5), "peer": peer.name}
        if is_there:
            ratios = seconds[-1] / own
            row["peer_seconds"] = round(float(np.median(seconds[-1])), 5)
            row["ratio"] = round(float(np.median(ratios)), 3)
            row["spread"] = [round(float(end), 3) for end in (ratios.min(), ratios.max())]
        else:
            row |= dict.fromkeys(("peer_seconds", "ratio", "spread"))
            row["missing"] = f"{package} is not installed (pip install {package})"
        row["checks"] = comparison.check(result, results[-1] if is_there else None)
        if with_peaks:
            row["peak_mib"] = round(peak_mib(_alone(way.prepare)), 1)
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
        raise RuntimeError(f"{command[0]} exited with code {code}: {run.stderr[-2000:]}")
    return float(peak)


def _alone(prepare: partial[Callable[[], Any]]) -> list[str]:
    """Return the command that does the work once in a new process."""
    code = (
        f"import json, sys; from {prepare.func.__module__} import {prepare.func.__name__} as f; "
        "args, options = json.loads(sys.argv[1]); f(*args, **options)()"
    )
    return [sys.executable, "-c", code, json.dumps([prepare.args, prepare.keywords])]
