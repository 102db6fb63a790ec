"""A room full of visitors: raw sessions on warm results, coming and going, beside one long job.

Not one of the benchmarks that `python -m benchmarks` runs, since it takes as long as it is told to:
`make load`. All traffic goes to a server of its own on 127.0.0.1.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.recipe import Recipe

from .app import lab_server
from .raw_visitor import Click, RawVisitor
from .record import Outcome, describe_machine, write_record

__all__ = ["main"]

PAGES = (
    *("start", "tour", "calibrate", "data", "compare", "significance", "ledger", "knobs"),
    *("layers", "advice", "words", "sentences", "wall", "lexical", "playground", "inside"),
)
# Torch takes its steps, for minutes; each result that is kept holds 3 MB.
_LONG_JOB = {"calibrators": "flow:epochs=1000,permutation=linear", "dataset": "teaching"}
_CLICKS_A_STAY = 12
_THINKING_SECONDS = (2.0, 6.0)
_WARM_WITHIN = 300.0


@dataclass
class _Seen:
    """What the visitors met: clicks in order, errors, and the server's memory by second."""

    clicks: list[Click] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    mib: list[tuple[float, float]] = field(default_factory=list)
    sessions: int = 0
    long_jobs: int = 0


def main() -> int:
    """Run the load, print what was seen, record it if it was the whole; 1 where an error was."""
    options = _parser().parse_args()
    machine = describe_machine()
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder)) as server:
        seen = asyncio.run(_load(server, options.visitors, options.seconds, options.seed))
    outcome = _outcome(seen, options)
    record = outcome.record("load", machine)
    for row in outcome.rows:
        print(row)
    for error in sorted(set(seen.errors)):
        print(f"error, {seen.errors.count(error)} times: {error}")
    if options.output is not None:
        write_record(options.output, record)
    return 1 if seen.errors else 0


async def _load(server: Any, n_visitors: int, seconds: float, seed: int) -> _Seen:  # noqa: ANN401
    port = int(server.url.rpartition(":")[2])
    async with RawVisitor(port) as first:
        for page in PAGES:
            await _warm(first, page)
    seen, end = _Seen(), time.monotonic() + seconds
    jobs = [_stay(port, random.Random(seed + i), end, seen) for i in range(n_visitors)]
    await asyncio.gather(*jobs, _keep_busy(port, end, seen), _watch(server, end, seen))
    return seen


async def _warm(visitor: RawVisitor, page: str) -> None:
    """Press the page's main button and wait until its result is there."""
    click, end = await visitor.visit(page), time.monotonic() + _WARM_WITHIN
    if click.primary is not None:
        click = await visitor.visit(page, press=click.buttons[click.primary])
    while click.is_waiting and time.monotonic() < end:
        await asyncio.sleep(1)
        click = await visitor.visit(page)


async def _stay(port: int, chance: random.Random, end: float, seen: _Seen) -> None:
    """Come, look at pages for a while, leave, and come again."""
    await asyncio.sleep(chance.uniform(0, _THINKING_SECONDS[1]))
    while time.monotonic() < end:
        seen.sessions += 1
        try:
            async with RawVisitor(port) as visitor:
                for _ in range(chance.randint(1, _CLICKS_A_STAY)):
                    if time.monotonic() >= end:
                        break
                    click = await visitor.visit(chance.choice(PAGES))
                    seen.clicks.append(click)
                    seen.errors += click.errors
                    await asyncio.sleep(chance.uniform(*_THINKING_SECONDS))
        except Exception as error:  # a refused or cut connection is what is looked for
            seen.errors.append(f"{type(error).__name__}: {error}")


async def _keep_busy(port: int, end: float, seen: _Seen) -> None:
    """Keep one long job running: when it ends, another begins under the next seed."""
    seed = 1000
    while time.monotonic() < end:
        async with RawVisitor(port, **_LONG_JOB, seed=str(seed)) as visitor:
            click = await visitor.visit("calibrate")
            if click.primary is not None:
                click = await visitor.visit("calibrate", press=click.buttons[click.primary])
            while click.is_waiting and time.monotonic() < end:
                await asyncio.sleep(1)
                click = await visitor.visit("calibrate")
            seen.errors += click.errors
        seed, seen.long_jobs = seed + 1, seen.long_jobs + 1


async def _watch(server: Any, end: float, seen: _Seen) -> None:  # noqa: ANN401
    start = time.monotonic()
    while time.monotonic() < end:
        seen.mib.append((time.monotonic() - start, server.mib))
        await asyncio.sleep(1)


def _outcome(seen: _Seen, options: argparse.Namespace) -> Outcome:
    by_page: dict[str, list[Click]] = defaultdict(list)
    for click in seen.clicks:
        by_page[click.page].append(click)
    rows = [_row("every page", seen.clicks)]
    rows += [_row(page, by_page[page]) for page in PAGES if page in by_page]
    rows.append(
        {
            "name": "server's memory, median of each minute and the most after the first",
            "mib": _by_minute(seen.mib),
            "most_mib": max((mib for second, mib in seen.mib if second >= 60), default=None),
        }
    )
    recipe = {
        "streamlit": version("streamlit"),
        "visitors": options.visitors,
        "seconds": options.seconds,
        "seed": options.seed,
        "sessions": seen.sessions,
        "long_jobs": seen.long_jobs,
        "clicks": len(seen.clicks),
        "errors": len(seen.errors),
        "dataset": Recipe.dataset,
    }
    return Outcome(recipe, rows)


def _by_minute(samples: Sequence[tuple[float, float]]) -> list[float]:
    minutes: dict[int, list[float]] = defaultdict(list)
    for second, mib in samples:
        minutes[int(second // 60)].append(mib)
    return [round(float(np.median(of)), 1) for of in minutes.values()]


def _row(name: str, clicks: Sequence[Click]) -> dict[str, Any]:
    seconds = [click.seconds for click in clicks]
    return {
        "name": name,
        "clicks": len(clicks),
        "median_seconds": round(float(np.median(seconds)), 3),
        "p95_seconds": round(float(np.quantile(seconds, 0.95)), 3),
        "kib": round(float(np.mean([click.n_bytes for click in clicks])) / 1024, 1),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="folder for load.json; not written by default")
    return parser


if __name__ == "__main__":
    sys.exit(main())
