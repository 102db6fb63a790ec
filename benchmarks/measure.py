"""Time some work of the package and the same work of a peer, and record it.

The speed of a shared machine varies from minute to minute, so the package and the peer take turns
in one process. Each round gives one ratio, and the table has the median over rounds. An untimed
round comes first to warm up and to load the data; its results are the ones that are checked.
Results of timed rounds are freed at once, because new memory is slow to allocate. Peak memory is
measured in a separate process.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from .record import describe_machine, record_of, table, write_record

Row = dict[str, Any]
Work = partial[Any]
"""A call of a module's function with JSON-able arguments, so that a new process can repeat it."""

# The peak of a new process starts at its parent's memory, so the command is started from an
# interpreter that has imported nothing large.
_LAUNCHER = """
import json, resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
unit = 1 if sys.platform == "darwin" else 1024  # bytes in one of ru_maxrss
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
print("\\n" + json.dumps([code, peak / (1 << 20)]))
"""


class Run:
    """A run of one benchmark: how it is asked for, the machine before it, and its record."""

    def __init__(self, name: str, *, quick: bool, out: Path | None = None) -> None:
        self.name, self.quick, self.out = name, quick, out
        self.repeats = 3 if quick else 5
        self.machine = describe_machine()

    @classmethod
    def asked(cls, name: str, description: str | None) -> "Run":
        """Return the run that the command line asks for."""
        parser = argparse.ArgumentParser(
            prog=f"python -m benchmarks.{name}",
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.add_argument("--quick", action="store_true", help="small sizes, no peak memory")
        parser.add_argument("--out", type=Path, help=f"folder for {name}.json")
        # The built-in model needs no network, and progress bars of peers would hide the table.
        os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        return cls(name, **vars(parser.parse_args()))

    def compare(
        self,
        ours: Mapping[str, Work],
        peer: tuple[str, Work],
        check: Callable[[Any, Any], dict[str, float]],
        *,
        share: float = 1.0,
        needs: str = "",
    ) -> list[Row]:
        """Time our ways of doing the peer's work, and return a row for each.

        The peer does only a `share` of the work; its time is divided by the share. `check` compares
        the result of one of ours with the peer's, or with None if the package that the peer
        `needs`, whose module is the name's first word, is not installed.
        """
        has_peer = not needs or find_spec(needs.partition("-")[0]) is not None
        works = [*ours.values(), *([peer[1]] if has_peer else [])]
        results = [work() for work in works]
        seconds = np.array([[*map(_timed, works)] for _ in range(self.repeats)]).T
        rows = []
        for (name, work), own, result in zip(ours.items(), seconds, results, strict=False):
            row: Row = {"name": name, "seconds": round(float(np.median(own)), 5), "peer": peer[0]}
            if has_peer:
                of_peer = seconds[-1] / share
                ratios = of_peer / own
                row["peer_seconds"] = round(float(np.median(of_peer)), 5)
                row["ratio"] = round(float(np.median(ratios)), 3)
                row["spread"] = [round(float(end), 3) for end in (ratios.min(), ratios.max())]
            else:
                row |= dict.fromkeys(("peer_seconds", "ratio", "spread"))
                row["missing"] = f"{needs} is not installed (pip install {needs})"
            row["checks"] = check(result, results[-1] if has_peer else None)
            if not self.quick:
                row["peak_mib"] = round(peak_mib(_alone(work)), 1)
            rows.append(row)
        return rows

    def finish(self, rows: Sequence[Row], /, **recipe: object) -> None:
        """Print the rows and, if there is a folder, write them with all that decides them."""
        record = record_of(self.name, self.machine, recipe, rows)
        print(table(record).write("table"))
        if self.out is not None:
            write_record(self.out, record)


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


def _alone(work: Work) -> list[str]:
    """Return the command that does the work once in a new process."""
    module = sys.modules[work.func.__module__].__spec__  # the name of `__main__`, too
    code = (
        f"import json, sys; from {module and module.name} import {work.func.__name__} as f; "
        "args, options = json.loads(sys.argv[1]); f(*args, **options)"
    )
    return [sys.executable, "-c", code, json.dumps([work.args, work.keywords])]
