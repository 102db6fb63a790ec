"""Many parquet files through the command line: made vectors, and sentences with and without Ray.

`python -m benchmarks.many_files --folder DIR` makes vectors under DIR (7.7 GB for 5,000,000 x 384),
takes their moments for whitening, a sample for a flow, and calibrates them by each; then it embeds
sentences in one process and by the workers of a Ray cluster. It writes `results/many_files.json`,
and takes about half an hour on two cores, so that `make bench` leaves it out.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bertflow_core.datasets import load_corpus

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
    rows = [*_vectors(asked), *_sentences(asked)]
    recipe = {
        "vectors": f"{asked.rows:,} x {asked.width}, made, in {asked.files} files",
        "sample": asked.sample,
        "sentences": f"{asked.sentences:,} of {asked.dataset}, repeated with a number appended, "
        f"in {asked.sentence_files} files",
        "model": "minilm, layers model",
    }
    write_record(_HERE / "results", Outcome(recipe, rows).record("many_files", machine))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where to write; emptied after")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--sample", type=int, default=100_000)
    parser.add_argument("--sentences", type=int, default=200_000)
    parser.add_argument("--sentence-files", type=int, default=8)
    parser.add_argument("--dataset", default="captions")
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


def _sentences(asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Embed sentences in one process, and by workers where Ray is installed."""
    source = asked.folder / "sentences"
    _make_sentences(source, asked)
    engines = ["process", "ray"] if find_spec("ray") else ["process"]
    seconds: list[float] = []
    for engine in engines:
        out = asked.folder / engine
        done = _run("embed", source, "--out", out, "--engine", engine)
        seconds.append(done.seconds)
        is_here = engine == "process"
        yield {
            **_row(f"embed, engine {engine}", done, asked.sentences),
            "ratio": round(seconds[0] / done.seconds, 3),
            "peak_mib": round(done.peak_mib or 0, 1) if is_here else None,
            "shard_seconds": round(_shard_seconds(out), 2),
        }
    for engine in engines:
        shutil.rmtree(asked.folder / engine)
    shutil.rmtree(source)


def _shard_seconds(out: Path) -> float:
    """Return what the shards took by their manifests, without the start of the command."""
    manifests = (out / "_manifest").glob("*.json")
    return sum(json.loads(each.read_text(encoding="utf-8"))["seconds"] for each in manifests)


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


def _make_sentences(folder: Path, asked: argparse.Namespace) -> None:
    folder.mkdir(parents=True)
    known = list(dict.fromkeys(load_corpus(asked.dataset, "target").sentences))
    texts = [f"{known[i % len(known)]} {i}" for i in range(asked.sentences)]
    for number, rows in enumerate(np.array_split(np.arange(len(texts)), asked.sentence_files)):
        table = pa.table({"id": rows, "text": [texts[row] for row in rows]})
        pq.write_table(table, folder / f"{number:04}.parquet")


if __name__ == "__main__":
    main()
