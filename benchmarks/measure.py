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
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Checks", "Comparison", "Measured", "Way", "compare", "peak_mib", "rows_of", "timed"]

Checks = Mapping[str, Mapping[str, float]]
"""By the name of a row, what was found when results were compared."""

_ROOT = Path(__file__).parent.parent

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
class Measured:
    """Something done several times.

    Attributes:
        name: The way it was done.
        seconds: Median over the rounds.
        ratio: Median over the rounds of the first way's seconds over this one's: above 1 is faster
            than the first.
        spread: The smallest and the largest ratio of a round.
        result: What the work returns.
    """

    name: str
    seconds: float
    ratio: float
    spread: tuple[float, float]
    result: Any = field(default=None, repr=False)


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
        checks: Compares results: what was measured by name, the peer's under its own.
        package: What the peer needs to be installed; without it the rows have no ratio.
        module: What of the package is imported; by default the package's name.
    """

    peer: Way
    ways: Sequence[Way]
    checks: Callable[[Mapping[str, Measured]], Checks]
    package: str | None = None
    module: str | None = None

    @property
    def missing(self) -> str | None:
        """Say that the peer is not installed; None where it is."""
        if self.package is None or find_spec(self.module or self.package.replace("-", "_")):
            return None
        return f"{self.package} is not installed (pip install {self.package})"


def rows_of(
    comparisons: Iterable[Comparison], *, repeats: int, with_peaks: bool
) -> list[dict[str, Any]]:
    """Measure comparisons one after the other and return a record for each way of ours.

    Args:
        comparisons: What to measure.
        repeats: Timed rounds of each.
        with_peaks: Whether each way is done once more in a process of its own, for its peak memory.
    """
    return [row for each in comparisons for row in _rows(each, repeats, with_peaks)]


def compare(runs: Mapping[str, Callable[[], float]], *, repeats: int) -> list[Measured]:
    """Do everything in turns, `repeats` times; the first of the runs is the reference."""
    seconds = np.array([[run() for run in runs.values()] for _ in range(repeats)])
    ratios = seconds[:, :1] / seconds
    return [
        Measured(name, float(np.median(own)), float(np.median(ratio)), (ratio.min(), ratio.max()))
        for name, own, ratio in zip(runs, seconds.T, ratios.T, strict=True)
    ]


def timed(work: Callable[[], Any], *, share: float = 1.0) -> Callable[[], float]:
    """Return what does the work and gives its seconds; a share of it takes as long as all would."""

    def run() -> float:
        start = time.perf_counter()
        result = work()
        seconds = time.perf_counter() - start
        del result  # freeing it is not part of the work
        return seconds / share

    return run


def peak_mib(command: Sequence[str]) -> float:
    """Run a command from the repository's root and return its peak resident memory in MiB.

    Raises:
        RuntimeError: It failed; the text is the end of its standard error.
    """
    run = subprocess.run(
        [sys.executable, "-I", "-c", _LAUNCHER, *command],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    code, peak = json.loads(run.stdout.splitlines()[-1])
    if code != 0:
        raise RuntimeError(f"{command[0]} left with {code}: {run.stderr[-2000:]}")
    return float(peak)


def _rows(comparison: Comparison, repeats: int, with_peaks: bool) -> Iterator[dict[str, Any]]:
    peer, missing = comparison.peer, comparison.missing
    ways = [*([] if missing else [peer]), *comparison.ways]
    works = {way.name: way.prepare(**way.arguments) for way in ways}
    results = {name: work() for name, work in works.items()}
    runs = {way.name: timed(works[way.name], share=way.share) for way in ways}
    found = {m.name: replace(m, result=results[m.name]) for m in compare(runs, repeats=repeats)}
    checks = comparison.checks(found)
    for way in comparison.ways:
        ours = found[way.name]
        row = {"name": way.name, "seconds": round(ours.seconds, 5), "peer": peer.name}
        if missing:
            row |= {"peer_seconds": None, "ratio": None, "spread": None, "missing": missing}
        else:
            row["peer_seconds"] = round(found[peer.name].seconds, 5)
            row["ratio"] = round(ours.ratio, 3)
            row["spread"] = [round(float(ratio), 3) for ratio in ours.spread]
        row["checks"] = dict(checks.get(way.name, {}))
        if with_peaks:
            row["peak_mib"] = round(peak_mib(_alone(way)), 1)
        yield row


def _alone(way: Way) -> list[str]:
    """Return the command that does the work once in a new process."""
    name = way.prepare.__name__
    code = f"import json, sys; from {way.prepare.__module__} import {name}"
    arguments = json.dumps(dict(way.arguments))
    return [sys.executable, "-c", f"{code}; {name}(**json.loads(sys.argv[1]))()", arguments]
