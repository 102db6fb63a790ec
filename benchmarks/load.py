"""Simulate many visitors without browsers: they come and go while one long job runs.

The results that they look at are already computed. There are 20 visitors for ten minutes, or 3 for
20 seconds with `--quick`. All traffic goes to a new server on 127.0.0.1. The exit code is 1 if a
page or a connection failed.
"""

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

import numpy as np

from .measure import Row, Run
from .raw_visitor import RawVisitor
from .server import Server, served

PAGES = ("start", "tour", "check", "compare", "space", "take", "how", "paper")
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
    """Run the load; return 1 after an error."""
    run, seen = Run.asked("load", __doc__), _Seen()
    n_visitors, seconds = (3, 20.0) if run.quick else (20, 600.0)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "lab") as server:
        warm = RawVisitor(server)
        for page in PAGES:
            warm.visit(page)
            _finish(warm)
        end = time.monotonic() + seconds
        works = [partial(_stay, server, random.Random(i)) for i in range(n_visitors)]
        with ThreadPoolExecutor(len(works) + 2) as pool:
            for work in (*works, partial(_keep_busy, server), partial(_watch, server)):
                pool.submit(work, end, seen)
    rows = [_row("every page", seen.clicks)]
    rows += [_row(page, [each for each in seen.clicks if each[0] == page]) for page in PAGES]
    rows.append({"name": "server's memory, each minute", "mib": seen.mib})
    recipe = {"visitors": n_visitors, "seconds": seconds, "streamlit": version("streamlit")}
    counts = {"sessions": seen.sessions, "long_jobs": seen.long_jobs, "clicks": len(seen.clicks)}
    run.finish([row for row in rows if row], **recipe, **counts, errors=len(seen.errors))
    for error in sorted(set(seen.errors)):
        print(f"error, {seen.errors.count(error)} times: {error}")
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


def _row(name: str, clicks: Sequence[tuple[str, float, int]]) -> Row:
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
