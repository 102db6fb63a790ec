"""Small corpora in parquet files."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SENTENCES = ["the cat sat", "a dog runs fast", "the red mat", "big blue dog", "a small green cat"]


def write_texts(folder: Path, files: dict[str, list[object]]) -> Path:
    """Write a file of ids and texts for each name; ids are the name and a number from 0."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, texts in files.items():
        ids = [f"{name}{number}" for number in range(len(texts))]
        pq.write_table(pa.table({"id": ids, "text": pa.array(texts)}), folder / f"{name}.parquet")
    return folder


def write_vectors(folder: Path, x: np.ndarray, n_files: int) -> Path:
    """Write rows as files of equal size; ids are the rows' numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, rows in enumerate(np.array_split(np.arange(len(x)), n_files)):
        column = pa.array(list(x[rows]), pa.list_(pa.float32()))
        pq.write_table(pa.table({"id": rows, "vector": column}), folder / f"v{number}.parquet")
    return folder


def read_rows(folder: Path) -> tuple[list[object], np.ndarray]:
    """Return the ids and the vectors of all usable rows, in the order of the files' names."""
    tables = [pq.read_table(path) for path in sorted(folder.glob("*.parquet"))]
    whole = pa.concat_tables(tables)
    whole = whole.filter(whole["vector"].is_valid())
    x = np.array(whole.column("vector").to_pylist(), np.float32)
    return whole.column("id").to_pylist(), x
