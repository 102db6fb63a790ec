"""Sentences in parquet files embedded by the workers of a Ray cluster against one process.

`python -m benchmarks.engines --folder DIR` embeds 20,000 sentences with `minilm` three times by
each engine, in turns, and writes `results/engines.json`: wall time, the start of command and
cluster included, and CPU time of all processes of the command. It needs the
extra `scale`, takes three minutes on two idle cores, and `make bench` leaves it out.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bertflow_core.datasets import load_corpus

from .record import Outcome, describe_machine, write_record

__all__ = ["CpuSeconds", "main"]

_HERE = Path(__file__).parent
_COMMAND = (sys.executable, "-c", "from bertflow_core.cli import main; main()")
_ENGINES = {"process": "one process", "ray": "workers of a Ray cluster"}
_KINDS = ("seconds", "cpu_seconds")
_INTERVAL = 0.5
_TICK = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Make the files, embed them in turns, write the record."""
    asked = _asked()
    machine = describe_machine()
    source = asked.folder / "sentences"
    origin = _make_sentences(source, asked)
    rounds = [
        [_embed(source, asked.folder / each, each) for each in _ENGINES]
        for _ in range(asked.rounds)
    ]
    difference = _difference(*(asked.folder / each for each in _ENGINES))
    for each in (source, *(asked.folder / name for name in _ENGINES)):
        shutil.rmtree(each)
    recipe = {
        "sentences": f"{asked.sentences:,} of {origin}, in {asked.files} files",
        "model": "minilm, layers model",
        "ray": version("ray"),
        "rounds": asked.rounds,
    }
    rows = _rows(rounds, asked.sentences, difference)
    write_record(_HERE / "results", Outcome(recipe, rows).record("engines", machine))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where to write; emptied after")
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument(
        "--corpus", default="snli", help="snli needs BERTFLOW_DATA; captions does not"
    )
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def _make_sentences(folder: Path, asked: argparse.Namespace) -> str:
    """Write the first distinct sentences of a corpus, of too few again with a number."""
    corpus = load_corpus("captions", asked.corpus, data_dir=os.environ.get("BERTFLOW_DATA"))
    known = list(dict.fromkeys(corpus.sentences))
    n = len(known)
    texts = [known[i % n] + (f" {i}" if i >= n else "") for i in range(asked.sentences)]
    folder.mkdir(parents=True)
    for number, rows in enumerate(np.array_split(np.arange(len(texts)), asked.files)):
        table = pa.table({"id": rows, "text": [texts[row] for row in rows]})
        pq.write_table(table, folder / f"{number:04}.parquet")
    again = "" if n >= asked.sentences else f" ({n:,} distinct, repeated with a number)"
    return f"{asked.corpus}{again}"


def _embed(source: Path, out: Path, engine: str) -> dict[str, float]:
    """Embed all files once, and return what it took."""
    shutil.rmtree(out, ignore_errors=True)
    command = [*_COMMAND, "embed", str(source), "--out", str(out), "--engine", engine]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    used = CpuSeconds(process.pid)
    while process.poll() is None:
        used.look()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_INTERVAL)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"{engine} left with {process.returncode}")
    took = dict(zip(_KINDS, (seconds, used.total), strict=True))
    print(engine, {name: round(value, 1) for name, value in took.items()}, flush=True)
    return took


@dataclass
class CpuSeconds:
    """CPU time of all processes of a session, those that ended too, up to the last look.

    Attributes:
        session: The number of the session, which is that of its first process.
        seen: CPU seconds of each process by its number and start.
    """

    session: int
    seen: dict[tuple[str, str], float] = field(default_factory=dict)

    def look(self) -> None:
        """Read what the processes have used until now."""
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with suppress(OSError):
                    self._read(entry.name, Path(entry.path, "stat").read_text())

    def _read(self, process: str, line: str) -> None:
        fields = line.rpartition(")")[2].split()
        if int(fields[3]) == self.session:
            used = (int(fields[11]) + int(fields[12])) / _TICK
            self.seen[process, fields[19]] = used

    @property
    def total(self) -> float:
        """CPU seconds, user and system."""
        return sum(self.seen.values())


def _difference(one: Path, other: Path) -> float:
    """Return the largest difference of a number between the vectors of two engines."""
    x, y = (
        np.array(pq.read_table(folder).sort_by("id").column("vector").to_pylist(), np.float32)
        for folder in (one, other)
    )
    return float(np.abs(x - y).max())


def _rows(
    rounds: Sequence[Sequence[dict[str, float]]], n: int, difference: float
) -> list[dict[str, Any]]:
    """Return a row an engine: medians of the rounds, and of the ratios to the first engine."""
    taken = {kind: np.array([[each[kind] for each in turn] for turn in rounds]) for kind in _KINDS}
    ratios = {kind: seconds[:, :1] / seconds for kind, seconds in taken.items()}
    return [
        {
            "name": name,
            "seconds": round(float(np.median(taken["seconds"][:, i])), 2),
            "ratio": round(float(np.median(ratios["seconds"][:, i])), 3),
            "spread": [round(float(edge(ratios["seconds"][:, i])), 3) for edge in (np.min, np.max)],
            "sentences_per_second": round(n / float(np.median(taken["seconds"][:, i]))),
            **{
                key: value
                for kind in _KINDS[1:]
                for key, value in (
                    (kind, round(float(np.median(taken[kind][:, i])), 2)),
                    (
                        kind.replace("seconds", "ratio"),
                        round(float(np.median(ratios[kind][:, i])), 3),
                    ),
                )
            },
            "value_difference": difference if i else 0.0,
        }
        for i, name in enumerate(_ENGINES.values())
    ]


if __name__ == "__main__":
    main()
