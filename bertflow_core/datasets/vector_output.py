"""Vectors as `.npy`, or as the table that vector stores and `read_vectors` take."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core.datasets.parquet_writer import parquet_writer
from bertflow_core.files import atomic_write, cannot_write, write_npy_blocks
from bertflow_core.linalg import FloatArray

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["write_vector_table", "write_vectors"]

_NUMBERS_AT_ONCE = 1 << 22


def write_vectors(
    path: Path,
    blocks: Iterable[FloatArray],
    n_rows: int,
    sentences: Sequence[str] | None = None,
) -> None:
    """Write vectors that come block by block, `n_rows` in all: as a table, else as `.npy`.

    Raises:
        ResourceError: The disk refused.
    """
    if path.suffix == ".parquet":
        write_vector_table(path, blocks, sentences)
    else:
        write_npy_blocks(path, blocks, n_rows)


def write_vector_table(
    path: Path, blocks: Iterable[FloatArray], sentences: Sequence[str] | None = None
) -> None:
    """Write vectors as parquet, float32, whole or not at all, numbered from 0 in `id`.

    Args:
        path: File to write.
        blocks: Vectors, shape (n, K) each, N rows in all and at least one block.
        sentences: Their N texts, for the column `text`; None writes no such column.

    Raises:
        ResourceError: The disk refused.
    """
    try:
        with atomic_write(path) as scratch, parquet_writer(scratch) as write:
            for table in _tables(blocks, sentences):
                write(table)
    except OSError as error:
        raise cannot_write(path, error) from error


def _tables(blocks: Iterable[FloatArray], sentences: Sequence[str] | None) -> "Iterator[pa.Table]":
    """Yield vectors with their numbers and texts, some rows at a time; one table at least."""
    import pyarrow as pa

    done, schema = 0, None
    for block in blocks:
        width = block.shape[1]
        if schema is None:
            fields = {
                "id": pa.int64(),
                "text": pa.string(),
                "vector": pa.list_(pa.float32(), width),
            }
            if sentences is None:
                del fields["text"]
            schema = pa.schema(fields.items())
        rows = max(1, _NUMBERS_AT_ONCE // width)
        for start in range(0, len(block) or 1, rows):
            part = np.ascontiguousarray(block[start : start + rows], np.float32)
            columns = {
                "id": pa.array(np.arange(done, done + len(part))),
                "text": pa.array((sentences or ())[done : done + len(part)], pa.string()),
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(part.ravel()), width),
            }
            yield pa.table([columns[name] for name in schema.names], schema=schema)
            done += len(part)
