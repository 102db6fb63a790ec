"""Time and memory against the number of rows: 1,000 to 1,000,000 x 768, mapped from the disk.

Each point is one process: `flow fit` with the default recipe, `flow transform` and `whitening` (fit
and transform) from one `.npy` file into another, and `sts`, cosines of as many pairs of rows and
Spearman's rho with made-up scores. The peak memory is above that of a process which loads the same
code and does the same with 1,000 rows first, as all of them do, so that code is loaded before the
clock starts. Mapped pages are counted while they are in the process's memory.

`seconds_exponent` and `memory_exponent` are slopes of a least-squares line through the logarithms
over all points; memory below 1 MiB counts as 1 MiB. Beyond 1, work grows faster than the rows.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.calibrators import build_calibrator
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.files import write_npy_blocks
from bertflow_core.flows.compiled_fit import fit_once, map_once

from .measure import Run, Way, in_child
from .record import Outcome

__all__ = ["prepare", "run", "write_rows"]

_D, _SMALLEST = 768, 1_000
_SIZES = (1_000, 10_000, 100_000, 1_000_000)
_ROWS_AT_ONCE = 16_384


def run(*, quick: bool) -> Outcome:
    """Measure every work at every size, and fit the exponents."""
    sizes = _SIZES[:2] if quick else _SIZES
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        files = {n: Path(folder) / f"{n}.npy" for n in sizes}
        for n, path in files.items():
            write_rows(path, n)
        for work in _DO:
            base = in_child(_way(work, files[_SMALLEST], None))
            runs = {n: in_child(_way(work, files[_SMALLEST], path)) for n, path in files.items()}
            rows += _rows(work, base, runs)
    return Outcome({"features": _D, "sizes": list(sizes), "repeats": 1}, rows)


def write_rows(path: Path, n: int) -> None:
    """Write random rows with the spectrum of a layer, some thousands at a time."""
    rng = np.random.default_rng(0)
    spread = np.sqrt(24 / np.arange(1, _D + 1)).astype(np.float32)
    turn = np.linalg.qr(rng.standard_normal((_D, _D)))[0].astype(np.float32) * spread[:, None]
    mean = rng.standard_normal(_D, np.float32)

    def blocks() -> Iterator[npt.NDArray[np.float32]]:
        for start in range(0, n, _ROWS_AT_ONCE):
            size = min(_ROWS_AT_ONCE, n - start)
            yield rng.standard_normal((size, _D), np.float32) @ turn + mean

    write_npy_blocks(path, blocks(), n)


def prepare(work: str, warm: str, path: str | None) -> Callable[[], object]:
    """Do the work on a few rows, and return it on the rows of a file; None does nothing.

    Args:
        work: One of the works.
        warm: File of a few rows.
        path: File of the rows.
    """
    do = _DO[work](warm)
    do(warm)
    return lambda: None if path is None else do(path)


def _way(work: str, warm: Path, path: Path | None) -> Way:
    arguments = {"work": work, "warm": str(warm), "path": None if path is None else str(path)}
    return Way(work, prepare, arguments)


def _rows(work: str, base: Run, runs: dict[int, Run]) -> list[dict[str, Any]]:
    """Return a row for each size, and the exponents in each."""
    above = {n: max((run.peak_mib or 0) - (base.peak_mib or 0), 0.0) for n, run in runs.items()}
    exponents = {
        "seconds_exponent": _slope({n: run.seconds for n, run in runs.items()}),
        "memory_exponent": _slope({n: max(mib, 1.0) for n, mib in above.items()}),
    }
    return [
        {
            "name": f"{work}, N = {n:,}",
            "work": work,
            "rows": n,
            "seconds": round(run.seconds, 4),
            "above_base_mib": round(above[n], 1),
            **{key: round(value, 3) for key, value in exponents.items()},
        }
        for n, run in runs.items()
    ]


def _slope(values: dict[int, float]) -> float:
    return float(np.polyfit(np.log(list(values)), np.log(list(values.values())), 1)[0])


def _mapped(path: str) -> npt.NDArray[np.float32]:
    mapped: npt.NDArray[np.float32] = np.load(path, mmap_mode="r")
    return mapped


def _fitting(warm: str) -> Callable[[str], None]:
    fit_once()  # compiled once on a machine; the fit of a few rows is left to torch

    def fit(path: str) -> None:
        build_calibrator("flow", device="cpu").fit(_mapped(path))

    return fit


def _transforming(warm: str) -> Callable[[str], None]:
    map_once()
    flow = build_calibrator("flow", device="cpu").fit(_mapped(warm))
    return lambda path: _write(flow, path)


def _whitening(warm: str) -> Callable[[str], None]:
    return lambda path: _write(build_calibrator("whiten").fit(_mapped(path)), path)


def _scoring(warm: str) -> Callable[[str], None]:
    def score(path: str) -> None:
        x = _mapped(path)
        cosines = pairwise_cosine(x[1:], x[:-1])
        gold = np.random.default_rng(0).integers(0, 26, len(cosines)) / 5
        score_pairs(cosines, gold, ["all"] * len(cosines))

    return score


def _write(fitted: Any, path: str) -> None:  # noqa: ANN401 - a calibrator
    x = _mapped(path)
    with tempfile.TemporaryDirectory(dir=Path(path).parent) as folder:
        write_npy_blocks(Path(folder) / "z.npy", fitted.transform_blocks(x), len(x))


_DO: dict[str, Callable[[str], Callable[[str], None]]] = {
    "flow fit": _fitting,
    "flow transform": _transforming,
    "whitening": _whitening,
    "sts": _scoring,
}
"""What makes each work ready, given the file of a few rows."""
