"""Read untrusted parquet tables: their declared sizes are checked before memory is allocated."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.source import MAX_FILE_BYTES, PARQUET_MAGIC, RawFile
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.runtime.files import MAX_SENTENCE, atomic_write, disk_errors, too_large
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

MAX_ROWS = 2_000_000
BATCH_ROWS = 4_096
_ROWS_IN_GROUP = 16_384  # the most rows that other programs must read at once
_BUFFER_BYTES = 1 << 20  # larger columns of a row group are read in parts
_SMALL, _MOST_GROWTH = 64 << 20, 50  # repetitive text compresses to a thirtieth


@contextmanager
def open_parquet(source: Path | RawFile, **options: Any) -> "Iterator[ParquetFile]":  # noqa: ANN401
    """Open a parquet file of at most 2 million rows; report errors inside `with` as damage."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    held = pa.py_buffer(source.content) if isinstance(source, RawFile) else str(source)
    with (
        disk_errors(source.name),
        parquet_damage(source.name),
        pa.input_stream(held, compression=None) as stream,
    ):
        if stream.read(len(PARQUET_MAGIC)) != PARQUET_MAGIC:
            raise InputError(f"{quoted(source.name)} is not a parquet file: check its name")
        file = pq.ParquetFile(stream, buffer_size=_BUFFER_BYTES, pre_buffer=False, **options)
        if file.metadata.num_rows > MAX_ROWS:
            raise InputError(
                f"{quoted(source.name)} has too many rows: expected at most {MAX_ROWS:,}, got "
                f"{file.metadata.num_rows:,}"
            )
        yield file


@contextmanager
def parquet_damage(name: str) -> Iterator[None]:
    """Turn errors of the parquet reader into an error about the file `name`."""
    from pyarrow import ArrowException

    try:
        yield
    except BertFlowError:
        raise
    except (ArrowException, OSError, OverflowError, ValueError) as error:
        raise InputError(
            f"{quoted(name)} is damaged or not a parquet file ({reason(error)}): write it again"
        ) from None


def chunks(file: "ParquetFile", column: str = "") -> list[Any]:
    """Return the declared chunks of the columns whose path begins with `column`."""
    groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
    every = (group.column(i) for group in groups for i in range(group.num_columns))
    return [chunk for chunk in every if f"{chunk.path_in_schema}.".startswith(column)]


def check_unpacked(raw: RawFile, file: "ParquetFile") -> None:
    """Refuse a file whose declared unpacked size is too large in itself or for the file's size."""
    size = sum(chunk.total_uncompressed_size for chunk in chunks(file))
    limit = min(MAX_FILE_BYTES, max(_SMALL, _MOST_GROWTH * len(raw.content)))
    if size > limit:
        raise InputError(too_large(f"{raw.name} when unpacked", size, limit))


def text_column(source: Path | RawFile, name: str) -> list[object]:
    """Decode a column of text or numbers; texts are cut to `MAX_SENTENCE` + 1 characters.

    A file can store a long text once and refer to it in every row, so its pages may be small and
    its texts large. Therefore equal texts share memory, rows are decoded in small batches, and the
    total length is limited.
    """
    from pyarrow import compute, types

    cells: list[object] = []
    known: dict[object, object] = {}
    size = 0
    with open_parquet(source, read_dictionary=[name]) as file:
        for batch in file.iter_batches(BATCH_ROWS, columns=[name]):
            found = batch.column(0)
            if types.is_dictionary(found.type):
                used, places = found.indices.unique(), found.indices.to_pylist()
                cut = compute.utf8_slice_codeunits(found.dictionary.take(used), 0, MAX_SENTENCE + 1)
                texts = (known.setdefault(text, text) for text in cut.to_pylist())
                text_at = dict(zip(used.to_pylist(), texts, strict=True))
                cells += [text_at[place] for place in places]
                size += sum(len(text_at[place] or "") for place in places)
            else:
                cells += found.to_pylist()
            if size > MAX_FILE_BYTES:
                raise InputError(too_large(f"{source.name} when unpacked", size, MAX_FILE_BYTES))
            if len(cells) > file.metadata.num_rows:
                break
        if len(cells) != file.metadata.num_rows:
            raise ValueError("its number of rows is not the declared one")
    return cells


def is_vectors(kind: Any) -> bool:  # noqa: ANN401, pyarrow has no hints
    """Tell whether a column's cells are lists of numbers."""
    from pyarrow import types

    inner = kind.value_type if types.is_nested(kind) and hasattr(kind, "value_type") else None
    return inner is not None and bool(types.is_integer(inner) or types.is_floating(inner))


def vectors_in(cells: Any, column: str, width: int = 0) -> tuple[FloatArray, np.ndarray]:  # noqa: ANN401
    """Return n vectors, shape (n, D), and for each row why it has no vector, or None.

    Rows without a vector are zeros. If `width` is 0, D is the most frequent length, so that a
    damaged row does not determine it.
    """
    import pyarrow as pa
    from pyarrow import compute

    reasons = np.full(len(cells), None, object)
    try:
        lists = cells.cast(pa.list_(pa.float32()), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        reasons[:] = f"{column} holds {cells.type}: expected lists of numbers"
        return np.zeros((len(cells), width or 1), np.float32), reasons
    lengths = compute.fill_null(compute.list_value_length(lists), -1).to_numpy()
    width = width or int(np.bincount(lengths[lengths > 0], minlength=2).argmax()) or 1
    for row in np.flatnonzero(lengths != width):
        has = f"has {lengths[row]:,} numbers: expected {width:,}"
        reasons[row] = f"{column} {'is blank' if lengths[row] < 0 else has}"
    x = np.zeros((len(cells), width), np.float32)
    flat = lists.filter(lengths == width).flatten().to_numpy(zero_copy_only=False)
    x[lengths == width] = flat.reshape(-1, width)
    damaged = ~np.isfinite(x).all(axis=1)
    reasons[damaged], x[damaged] = f"{column} holds values that are not finite", 0
    return x, reasons


def write_parquet(
    path: Path, tables: "Iterable[pa.Table]", says: Mapping[bytes, str] | None = None
) -> None:
    """Write one or more tables of the same schema to a file, completely or not at all."""
    import pyarrow.parquet as pq

    tables = iter(tables)
    first = next(tables)
    with disk_errors(path, does="write"), atomic_write(path) as scratch:
        how = {"compression": "none", "use_dictionary": False}
        with pq.ParquetWriter(scratch, first.schema, **how) as writer:
            writer.add_key_value_metadata(dict(says or {}))
            for table in chain((first,), tables):
                writer.write_table(table, row_group_size=_ROWS_IN_GROUP)
