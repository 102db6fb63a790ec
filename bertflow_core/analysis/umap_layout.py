"""UMAP of exact neighbours, in a process of its own that can be stopped at any moment.

UMAP's compiled loops hold Python's lock for long and cannot be interrupted. In another process they
neither slow nor outlive the one that asked.
"""

import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.neighbours import Metric, Neighbours
from bertflow_core.analysis.projection import Method, Projection, check_dims
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import read_saved, write_saved
from bertflow_core.linalg import FloatArray

__all__ = ["UmapSettings", "check_umap", "umap_layout"]

_WORKER = "bertflow_core.analysis.umap_worker"
_START = "start of UMAP (its first use compiles, up to half a minute)"
_UNITS = {"graph": "graph of neighbours", "epochs": "epochs"}
_POLL_SECONDS, _GRACE_SECONDS = 0.2, 2.0
_START_SECONDS = 300.0
"""Until its first word: a library that finds no memory may wait for it for ever."""

_MOST_NEIGHBOURS = 200


@dataclass(frozen=True, kw_only=True)
class UmapSettings:
    """The choices that decide a layout.

    Attributes:
        n_neighbors: Points whose distances are kept about each point, itself counted as one.
        min_dist: How close two points may come in the picture, from 0 to 1.
        seed: Random seed, of the noise on the start and of the points that repel.

    Raises:
        InputError: A value out of its range.
    """

    n_neighbors: int = 15
    min_dist: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        if not 2 <= self.n_neighbors <= _MOST_NEIGHBOURS:
            raise InputError(
                f"n_neighbors must be from 2 to {_MOST_NEIGHBOURS}, got {self.n_neighbors}"
            )
        if not 0 <= self.min_dist <= 1:
            raise InputError(f"min_dist must be from 0 to 1, got {self.min_dist}")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed must be from 0 to 4294967295, got {self.seed}")


def check_umap() -> None:
    """Refuse to begin where UMAP is not installed.

    Raises:
        InputError: The sentence says how to install it.
    """
    if find_spec("umap") is None:
        raise InputError(
            'UMAP needs the package umap-learn: pip install "bertflow-lab[app]", or choose pca or '
            "svd"
        )


def umap_layout(
    neighbours: Neighbours,
    start: FloatArray,
    settings: UmapSettings | None = None,
) -> Projection:
    """Lay points out so that near ones stay near; equal inputs give equal layouts.

    The layout starts from given coordinates, best the cloud's principal ones: they are fast, the
    same every time, defined for a graph in several parts too, and keep its large shape better than
    a random start does.

    Args:
        neighbours: L2 distances to each point's nearest, itself left out, rising, shape
            (N, at least n_neighbors - 1).
        start: Where the points start, shape (N, 2) or (N, 3), not all at one place.
        settings: None takes the defaults.

    Raises:
        InputError: Shapes that do not fit, too few points for n_neighbors, one place for all, or
            UMAP is not installed.
        ResourceError: The process ended early or never began, as without enough memory.

    References:
        Initialization is critical for preserving global data structure in both t-SNE and UMAP
        (Kobak and Linderman, 2021). https://www.nature.com/articles/s41587-020-00809-z
    """
    settings = settings or UmapSettings()
    check_umap()
    _check(neighbours, start, settings)
    with tempfile.TemporaryDirectory(prefix="bertflow-umap-") as name:
        home = Path(name)
        write_saved(
            home / "input",
            {"min_dist": settings.min_dist, "seed": settings.seed},
            _graph(neighbours, settings.n_neighbors) | {"start": np.asarray(start, np.float64)},
        )
        _run(home)
        coordinates = _layout(home, start.shape)
    return Projection(Method.UMAP, coordinates, None)


def _check(neighbours: Neighbours, start: FloatArray, settings: UmapSettings) -> None:
    n, k = neighbours.values.shape
    if start.ndim != 2 or len(start) != n or not np.isfinite(start).all():
        raise InputError(f"expected finite coordinates of {n} points, got shape {start.shape}")
    check_dims(start.shape[1])
    if neighbours.metric != Metric.L2:
        raise InputError(f"UMAP needs distances of neighbours, got metric {neighbours.metric!r}")
    if settings.n_neighbors > min(n - 1, k + 1):
        raise InputError(
            f"UMAP of {n} points with {k} neighbours of each takes n_neighbors of at most "
            f"{min(n - 1, k + 1)}, got {settings.n_neighbors}: lower it"
        )
    if neighbours.rows.min() < 0 or neighbours.rows.max() >= n:
        raise InputError(
            f"neighbours must name rows from 0 to {n - 1}"
        )  # compiled code trusts them
    if not np.any(start):
        raise InputError("UMAP cannot lay out points that are all at one place")


def _graph(neighbours: Neighbours, n_neighbors: int) -> dict[str, np.ndarray]:
    """Return rows and distances as UMAP reads them: each point first itself, at distance 0."""
    rows, values = neighbours.rows[:, : n_neighbors - 1], neighbours.values[:, : n_neighbors - 1]
    return {
        "rows": np.column_stack([np.arange(len(rows)), rows]).astype(np.int32),
        "distances": np.column_stack([np.zeros(len(rows)), values]).astype(np.float32),
    }


def _run(home: Path) -> None:
    """Run the worker on a folder and pass its reports on; it is gone when this returns."""
    context.report(0, 1, _START)
    stage, begun = (0, 1, _START), time.monotonic()
    with (home / "errors").open("wb") as errors, _worker(home, errors) as process:
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_forward, args=(process, lines), daemon=True).start()
        while True:
            with suppress(queue.Empty):
                line = lines.get(timeout=_POLL_SECONDS)
                if line is None:
                    break
                stage = _stage(line) or stage
            if stage[2] == _START and time.monotonic() - begun > _START_SECONDS:
                raise ResourceError(
                    f"UMAP's process did not begin within {_START_SECONDS:g} s, as when memory "
                    "runs out: try again later, or take another projection"
                )
            context.report(*stage)  # also between two lines, so that a stop is heard soon
        code = process.wait()
    if code != 0:
        raise ResourceError(_early_end(code, home / "errors"))


@contextmanager
def _worker(home: Path, errors: IO[bytes]) -> Iterator["subprocess.Popen[str]"]:
    """Start the worker; end it on the way out if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", _WORKER, str(home)],  # -P: no module of the current folder
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=os.environ | {"NUMBA_NUM_THREADS": "1"},
        encoding="utf-8",
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_SECONDS)
        if process.poll() is None:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _forward(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
    """Put the worker's lines into a queue, then None: a pipe has no portable wait with a bound."""
    with suppress(ValueError):  # closed while it was read
        for line in process.stdout or ():
            lines.put(line)
    lines.put(None)


def _stage(line: str) -> tuple[int, int, str] | None:
    parts = line.split()
    if len(parts) != 3 or parts[2] not in _UNITS:
        return None
    return int(parts[0]), int(parts[1]), _UNITS[parts[2]]


def _early_end(code: int, errors: Path) -> str:
    lines = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines() or [""]
    why = f"code {code}, {lines[-1][:200]!r}"
    if code < 0:
        why = f"signal {-code}, as when memory runs out"
    return f"UMAP's process ended before it was done ({why}): take fewer rows or another projection"


def _layout(home: Path, shape: tuple[int, ...]) -> FloatArray:
    coordinates: FloatArray = read_saved(home / "output")[1]["coordinates"]
    if coordinates.shape != shape or not np.isfinite(coordinates).all():
        raise ResourceError("UMAP gave no finite layout: take other settings")
    return coordinates
