"""Vectors as a parquet table that vector stores and `read_vectors` take: id, text, vector."""

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from bertflow_core.files import atomic_write, cannot_write
from bertflow_core.linalg import FloatArray

__all__ = ["write_vector_table"]

_NUMBERS_AT_ONCE = 1 << 22


def write_vector_table(
    path: Path, blocks: Iterable[FloatArray], sentences: Sequence[str] | None = None
) -> None:
    """Write vectors, float32, whole or not at all: a row a vector, numbered from 0 in `id`.

    Args:
        path: File to write.
        blocks: Vectors, shape (n, K) each, N rows in all and at least one block.
        sentences: Their N texts, for the column `text`; None writes no such column.

    Raises:
        ResourceError: The disk refused.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    remaining = iter(blocks)
    first = next(remaining)
    width = first.shape[1]
    fields = {"id": pa.int64(), "text": pa.string(), "vector": pa.list_(pa.float32(), width)}
    if sentences is None:
        del fields["text"]
    schema, rows, done = pa.schema(fields.items()), max(1, _NUMBERS_AT_ONCE // width), 0
    try:
        with atomic_write(path) as scratch, pq.ParquetWriter(scratch, schema) as writer:
            for block in chain([first], remaining):
                for start in range(0, len(block), rows):
                    part = np.ascontiguousarray(block[start : start + rows], np.float32)
                    ids = np.arange(done, done + len(part))
                    columns = {"id": ids, "text": (sentences or ())[done : done + len(part)]}
                    vectors = pa.FixedSizeListArray.from_arrays(pa.array(part.ravel()), width)
                    arrays = [
                        vectors if name == "vector" else pa.array(columns[name], kind)
                        for name, kind in fields.items()
                    ]
                    writer.write_table(pa.table(arrays, schema=schema))
                    done += len(part)
    except OSError as error:
        raise cannot_write(path, error) from error
