"""Use exported folders as anybody would, in an interpreter that need not know this package.

`python exports_reader.py QUESTION OUT` reads a JSON object from QUESTION: `reader`, one of READERS;
`folders`, what was exported; `inputs`, of each folder a JSON list of sentences or, for FAISS, a
`.npy` file of vectors; `repeats`. It writes the vectors of the first folder to OUT/0.npy and so on,
and prints one JSON object: the library's version, and of each folder the median seconds of all its
inputs, after a round that is not timed; null where `repeats` is 0.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

Use = Callable[[Any], Any]


def sentence_transformers(folder: str) -> Use:
    """Return sentences to vectors by plain sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(folder, device="cpu", local_files_only=True)
    return lambda sentences: model.encode(sentences, show_progress_bar=False)


def onnx(folder: str) -> Use:
    """Return sentences to vectors by ONNX Runtime, 32 a batch, sorted by length as others do."""
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    choices = SessionOptions()
    choices.intra_op_num_threads = 1  # OMP_NUM_THREADS, which the others follow, is not read here
    session = InferenceSession(f"{folder}/model.onnx", choices, providers=["CPUExecutionProvider"])

    def encode(sentences: list[str]) -> np.ndarray:
        order = sorted(range(len(sentences)), key=lambda row: len(sentences[row]))
        parts = []
        for start in range(0, len(order), 32):
            batch = tokenizer.encode_batch([sentences[row] for row in order[start : start + 32]])
            ids = np.array([each.ids for each in batch], np.int64)
            mask = np.array([each.attention_mask for each in batch], np.int64)
            parts += session.run(None, {"input_ids": ids, "attention_mask": mask})
        vectors = np.concatenate(parts)
        return vectors[np.argsort(order)]

    return encode


def faiss(folder: str) -> Use:
    """Return the encoder's vectors to calibrated ones by the map in front of an index."""
    import faiss as library

    transform = library.read_VectorTransform(f"{folder}/calibrator.vt")
    return lambda x: transform.apply(x)


READERS = {
    "sentence-transformers": (sentence_transformers, "sentence-transformers"),
    "onnx": (onnx, "onnxruntime"),
    "faiss": (faiss, "faiss-cpu"),
}


def main(question: str, out: str) -> None:
    """Answer a question."""
    asked = json.loads(Path(question).read_text(encoding="utf-8"))
    load, package = READERS[asked["reader"]]
    seconds = []
    for number, (folder, file) in enumerate(zip(asked["folders"], asked["inputs"], strict=True)):
        inputs = np.load(file) if file.endswith(".npy") else json.loads(Path(file).read_bytes())
        use = load(folder)
        np.save(Path(out) / f"{number}.npy", np.asarray(use(inputs), np.float32))
        seconds.append(median_seconds(partial(use, inputs), asked["repeats"]))
    print(json.dumps({"read_by": f"{package} {version(package)}", "seconds": seconds}))


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
