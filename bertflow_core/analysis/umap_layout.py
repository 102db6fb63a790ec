"""UMAP of exact neighbours, in a separate process that can be stopped at any moment.

UMAP's compiled loops hold Python's lock (GIL) for a long time and cannot be interrupted. A separate
process, which runs this file on a folder with the input, neither slows nor outlives its caller.
"""

import sys
import tempfile
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from bertflow_core.analysis.layout import Method, Projection
from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.runtime import context
from bertflow_core.runtime.child import follow_parent, run_child
from bertflow_core.runtime.lazy import how_to_install

WORKER = "bertflow_core.analysis.umap_layout"
_POLL_SECONDS = 0.2
_LARGEST, _NOISE = 10.0, 1e-4  # scale and noise of UMAP's own start from principal components
_UNITS = {
    "start": "start of UMAP (its first use compiles, up to a minute)",
    "graph": "graph of neighbours",
    "epochs": "epochs",
}
_KNOWN = [[unit] for unit in _UNITS]


def check_umap() -> None:
    """Refuse to start if UMAP is not installed."""
    if find_spec("umap") is None:
        raise InputError(
            f"UMAP needs the package umap-learn: {how_to_install('app')}, or choose pca or svd"
        )


def umap_layout(
    neighbours: Neighbours,
    start: FloatArray,
    *,
    n_neighbors: int = 15,
    min_dist: float = 0.1,
    seed: int = 0,
) -> Projection:
    """Lay points out so that near ones stay near; equal inputs give equal layouts.

    The layout starts from given coordinates, shape (N, 2), preferably the principal ones. They are
    fast, reproducible, and keep the global shape better than a random start (Kobak and Linderman,
    2021, https://www.nature.com/articles/s41587-020-00809-z). `neighbours` are the other points
    nearest to each point by L2, (N, n_neighbors - 1) or more; `n_neighbors` counts the point too.
    """
    n, k = neighbours.values.shape
    if n_neighbors > min(n - 1, k + 1):
        raise InputError(
            f"UMAP of {n} points, {k} neighbours given for each, needs n_neighbors of at most "
            f"{min(n - 1, k + 1)}, got {n_neighbors}: lower it"
        )
    if not np.any(start):
        raise InputError("UMAP cannot lay out points with equal positions")
    near = n_neighbors - 1  # UMAP counts each point first, at distance 0
    with tempfile.TemporaryDirectory(prefix="bertflow-umap-") as name:
        np.savez(
            Path(name, "input.npz"),
            rows=np.column_stack([np.arange(n), neighbours.rows[:, :near]]).astype(np.int32),
            distances=np.pad(neighbours.values[:, :near], ((0, 0), (1, 0))).astype(np.float32),
            start=np.asarray(start, np.float64),
            min_dist=min_dist,
            seed=seed,
        )
        _run(Path(name))
        coordinates = np.load(Path(name, "output.npy"))
    if not np.isfinite(coordinates).all():
        raise ResourceError("UMAP gave no finite layout: choose other settings")
    return Projection(Method.UMAP, coordinates, None)


def _run(home: Path) -> None:
    """Run the worker on a folder until it ends, and pass on its reports of progress."""
    told = home / "told"
    with told.open("wb") as output:
        code, said = run_child(
            ["-m", WORKER, str(home)],
            env={"NUMBA_NUM_THREADS": "1"},
            output=output,
            report=lambda: context.report(*_stage(told)),
        )
    context.report(*_stage(told))
    if code:
        why = f"code {code}, {said[:200]!r}"
        if code < 0:
            why = f"signal {-code}, as when memory runs out"
        raise ResourceError(
            f"UMAP's process ended early ({why}): choose fewer rows or another projection"
        )


def _stage(told: Path) -> tuple[int, int, str]:
    whole = told.read_text(encoding="utf-8").rpartition("\n")[0]  # without an unfinished line
    stages = [words for line in whole.splitlines() if (words := line.split())[2:] in _KNOWN]
    done, total, unit = stages[-1] if stages else ("0", "1", "start")
    return int(done), int(total), _UNITS[unit]


def _work(home: Path) -> None:
    """Lay out a folder's `input.npz` as `output.npy`; print done, total and stage by line."""
    follow_parent()
    from umap import umap_  # type: ignore[import-untyped]

    for slow_to_compile in (umap_.smooth_knn_dist, umap_.compute_membership_strengths):
        slow_to_compile.enable_caching()  # in numba's own cache, so that the next start is fast
    print("0 1 graph", flush=True)  # noqa: T201 -- the parent process reads this
    given = np.load(home / "input.npz")
    start, random = given["start"], np.random.RandomState(int(given["seed"]))
    spread = _LARGEST / np.abs(start).max() * start
    # The noise keeps two points from starting at the same place.
    spread += random.normal(scale=_NOISE, size=start.shape)
    layout = umap_.UMAP(
        n_neighbors=given["rows"].shape[1],
        n_components=start.shape[1],
        min_dist=float(given["min_dist"]),
        init=spread,
        precomputed_knn=(given["rows"], given["distances"]),
        random_state=random,
        tqdm_kwds={
            "disable": False,
            "file": sys.stdout,
            "bar_format": "{n_fmt} {total_fmt} epochs\n",
            "mininterval": _POLL_SECONDS,
        },
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they concern settings that the arguments make unnecessary
        coordinates = layout.fit_transform(start)
    np.save(home / "output.npy", np.asarray(coordinates, np.float32))


if __name__ == "__main__":
    _work(Path(sys.argv[1]))
