"""Simulate many visitors without browsers: they come and go while one long job runs.

The results that they look at are already computed. `make load` runs it; it is not a suite of
`bench`, since whoever runs it chooses how long it takes. All traffic goes to a new server on
127.0.0.1.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from .measure import Outcome
from .raw_visitor import RawVisitor
from .record import describe_machine, record_of, write_record
from .server import Server, served

PAGES = ("start", "tour", "data", "advice", "compare", "tune", "space", "how")
# A flow this wide is fitted by torch, and its 1000 epochs take minutes.
_LONG_JOB = "compare?calibrators=flow%3Acoupling_width%3D512%2Cepochs%3D1000&dataset=teaching&seed="
_CLICKS_A_STAY = 12
_THINKING_SECONDS = (2.0, 6.0)


@dataclass
class _Seen:
    """What was observed: page, seconds and bytes of each click, errors, memory by minute."""

    clicks: list[tuple[str, float, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    mib: list[float] = field(default_factory=list)
    sessions: int = 0
    long_jobs: int = 0


def main() -> int:
    """Run the load, print the results and, if requested, record them; return 1 after an error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--output", type=Path, help="folder for load.json; not written by default")
    options = parser.parse_args()
    machine, seen = describe_machine(), _Seen()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "lab") as server:
        warm = RawVisitor(server)
        for page in PAGES:
            warm.visit(page)
            _finish(warm)
        end = time.monotonic() + options.seconds
        works = [partial(_stay, server, random.Random(i)) for i in range(options.visitors)]
        with ThreadPoolExecutor(len(works) + 2) as pool:
            for work in (*works, partial(_keep_busy, server), partial(_watch, server)):
                pool.submit(work, end, seen)
    outcome = _outcome(seen, {"visitors": options.visitors, "seconds": options.seconds})
    for row in outcome[1]:
        print(row)
    for error in sorted(set(seen.errors)):
        print(f"error, {seen.errors.count(error)} times: {error}")
    if options.output is not None:
        write_record(options.output, record_of("load", machine, outcome))
    return 1 if seen.errors else 0


def _finish(visitor: RawVisitor, end: float = float("inf")) -> None:
    """Press the page's main button and wait until its work is done."""
    if "primary" in visitor.buttons:
        visitor.run("primary")
    while "Stop" in visitor.buttons and time.monotonic() < end:
        time.sleep(1)
        visitor.run()


def _stay(server: Server, chance: random.Random, end: float, seen: _Seen) -> None:
    """Come, look at pages for a while, leave, and come again."""
    time.sleep(chance.uniform(0, _THINKING_SECONDS[1]))
    while time.monotonic() < end:
        seen.sessions += 1
        try:
            visitor = RawVisitor(server)
            for _ in range(chance.randint(1, _CLICKS_A_STAY)):
                page = chance.choice(PAGES)
                visitor.visit(page)
                seen.clicks.append((page, visitor.seconds, visitor.n_bytes))
                seen.errors += visitor.errors
                time.sleep(chance.uniform(*_THINKING_SECONDS))
                if time.monotonic() >= end:
                    break
            visitor.leave()
        except Exception as error:  # such as a refused or cut connection, which is counted
            seen.errors.append(f"{type(error).__name__}: {error}")


def _keep_busy(server: Server, end: float, seen: _Seen) -> None:
    """Keep one long job running: when it ends, start the next one with a new seed."""
    while time.monotonic() < end:
        visitor = RawVisitor(server, f"{_LONG_JOB}{1000 + seen.long_jobs}")
        begun = time.monotonic()
        _finish(visitor, end)
        seen.errors += visitor.errors
        if time.monotonic() - begun < 1 and time.monotonic() < end:
            seen.errors.append("the long job ended at once")
            time.sleep(10)
        seen.long_jobs += 1
        visitor.leave()


def _watch(server: Server, end: float, seen: _Seen) -> None:
    while time.monotonic() < end:
        seen.mib.append(round(server.mib, 1))
        time.sleep(60)


def _outcome(seen: _Seen, recipe: dict[str, Any]) -> Outcome:
    rows = [_row("every page", seen.clicks)]
    rows += [_row(page, [each for each in seen.clicks if each[0] == page]) for page in PAGES]
    rows.append({"name": "server's memory, each minute", "mib": seen.mib})
    counts = {"sessions": seen.sessions, "long_jobs": seen.long_jobs, "clicks": len(seen.clicks)}
    recipe |= {"streamlit": version("streamlit"), **counts, "errors": len(seen.errors)}
    return recipe, [row for row in rows if row]


def _row(name: str, clicks: Sequence[tuple[str, float, int]]) -> dict[str, Any]:
    if not clicks:
        return {}
    _, seconds, n_bytes = zip(*clicks, strict=True)
    return {
        "name": name,
        "clicks": len(clicks),
        "median_seconds": round(float(np.median(seconds)), 3),
        "p95_seconds": round(float(np.quantile(seconds, 0.95)), 3),
        "kib": round(float(np.mean(n_bytes)) / 1024, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
