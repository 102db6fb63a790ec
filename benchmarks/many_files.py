"""Many parquet files of made vectors through the command line, in one process.

`python -m benchmarks.many_files --folder DIR` makes vectors under DIR (7.7 GB for 5,000,000 x 384),
takes their moments for whitening, a sample for a flow, and calibrates them by each. It writes
`results/many_files.json`, and takes five minutes on two idle cores; for what it takes of the disk,
`make bench` leaves it out.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .measure import Run, run_command
from .record import Outcome, describe_machine, write_record

__all__ = ["main"]

_HERE = Path(__file__).parent
_COMMAND = (sys.executable, "-c", "from bertflow_core.cli import main; main()")
_WRITE_ROWS = 10_000


def main() -> None:
    """Make the files, run the commands, write the record."""
    asked = _asked()
    machine = describe_machine()
    rows = list(_vectors(asked))
    recipe = {
        "vectors": f"{asked.rows:,} x {asked.width}, made, in {asked.files} files",
        "sample": asked.sample,
    }
    write_record(_HERE / "results", Outcome(recipe, rows).record("many_files", machine))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where to write; emptied after")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--sample", type=int, default=100_000)
    return parser.parse_args()


def _vectors(asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Fit and calibrate made vectors in one process."""
    source, out = asked.folder / "vectors", asked.folder / "calibrated"
    _make_vectors(source, asked)
    size = sum(path.stat().st_size for path in source.glob("*.parquet")) / asked.rows
    for spec in ("whiten", "flow"):
        saved = asked.folder / spec
        words = ("fit", source, "--calibrator", spec, "--sample", asked.sample, "--out", saved)
        yield _row(f"fit {spec}", _run(*words), asked.rows, bytes_per_row=round(size, 1))
        done = _run("calibrate", source, "--calibrator", saved, "--out", out)
        written = sum(path.stat().st_size for path in out.glob("*.parquet")) / asked.rows
        yield _row(f"calibrate by {spec}", done, asked.rows, bytes_per_row=round(written, 1))
        shutil.rmtree(out)
    shutil.rmtree(source)


def _row(name: str, done: Run, n: int, **more: float) -> dict[str, Any]:
    return {
        "name": name,
        "seconds": round(done.seconds, 2),
        "ratio": 1.0,
        "peak_mib": round(done.peak_mib or 0, 1),
        "rows_per_second": round(n / done.seconds),
        **more,
    }


def _run(*words: object) -> Run:
    done = run_command([*_COMMAND, *map(str, words)], environment={"HF_HUB_OFFLINE": "1"})
    print(f"{' '.join(map(str, words))}: {done.seconds:.1f} s, {done.peak_mib:.0f} MiB", flush=True)
    return done


def _make_vectors(folder: Path, asked: argparse.Namespace) -> None:
    """Write correlated normal vectors, a few rows at a time."""
    folder.mkdir(parents=True)
    generator = np.random.default_rng(0)
    scales = np.geomspace(1, 0.05, asked.width).astype(np.float32)
    mixing = np.linalg.qr(generator.normal(size=(asked.width, asked.width)))[0].astype(np.float32)
    for number, rows in enumerate(np.array_split(np.arange(asked.rows), asked.files)):
        writer = None
        for part in np.array_split(rows, max(1, len(rows) // _WRITE_ROWS)):
            x = generator.standard_normal((len(part), asked.width), np.float32) * scales
            flat = pa.array((x @ mixing + 0.1).reshape(-1))
            column = pa.FixedSizeListArray.from_arrays(flat, asked.width)
            table = pa.table({"id": part, "vector": column})
            writer = writer or pq.ParquetWriter(
                folder / f"{number:04}.parquet", table.schema, compression="none",
                use_dictionary=False,
            )  # fmt: skip
            writer.write_table(table)
        if writer is not None:
            writer.close()


if __name__ == "__main__":
    main()
