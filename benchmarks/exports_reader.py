"""Use exported folders as anybody would, in an interpreter that need not know this package.

`python exports_reader.py QUESTION OUT` reads a JSON object from QUESTION: `folders`, what was
exported, `sentences` and `repeats`. It writes the vectors of the first folder to OUT/0.npy and so
on, and prints one JSON object: the library's version, and of each folder the median seconds of all
sentences, after a round that is not timed; null where `repeats` is 0.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer


def main(question: str, out: str) -> None:
    """Answer a question."""
    asked = json.loads(Path(question).read_text(encoding="utf-8"))
    seconds = []
    for number, folder in enumerate(asked["folders"]):
        model = SentenceTransformer(folder, device="cpu", local_files_only=True)
        encode = partial(model.encode, asked["sentences"], show_progress_bar=False)
        np.save(Path(out) / f"{number}.npy", np.asarray(encode(), np.float32))
        seconds.append(median_seconds(encode, asked["repeats"]))
    read_by = f"sentence-transformers {version('sentence-transformers')}"
    print(json.dumps({"read_by": read_by, "seconds": seconds}))


def median_seconds(work: Callable[[], object], repeats: int) -> float | None:
    """Return the time of work that was done once before; None of no repeats."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return float(np.median(taken)) if taken else None


if __name__ == "__main__":
    main(*sys.argv[1:])
