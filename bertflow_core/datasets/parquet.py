"""Parquet tables, read without trust: what they declare is checked before memory is spent."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bertflow_core.datasets.delimited import Record, Table, check_header
from bertflow_core.datasets.raw_file import MAX_FILE_BYTES, PARQUET_MAGIC, RawFile
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.files import too_large
from bertflow_core.wording import quoted, reason

__all__ = ["MAX_ROWS", "parquet_damage", "read_parquet"]

MAX_ROWS = 2_000_000
BATCH_ROWS = 8_192


def read_parquet(raw: RawFile) -> Table:
    """Read a parquet table of text and numbers; only the columns asked for are decoded.

    Raises:
        InputError: Not parquet, damaged, or larger than 1,000 columns, 2 million rows or 500 MB.
    """
    import pyarrow.parquet as pq

    if not raw.content.startswith(PARQUET_MAGIC):
        raise InputError(f"{quoted(raw.name)} is not a parquet file by its content: check its name")
    with parquet_damage(raw.name):
        file = pq.ParquetFile(io.BytesIO(raw.content))
        schema, metadata = file.schema_arrow, file.metadata
    check_header(raw.name, schema.names)
    _check_size(raw.name, metadata)

    def records(columns: Sequence[str]) -> Iterator[Record]:
        for column in columns:
            _check_type(raw.name, column, schema.field(column).type)
        with parquet_damage(raw.name):
            cells = list(_cells(raw, columns))
        return (Record(row, values) for row, values in enumerate(cells, start=1))

    return Table(raw, tuple(schema.names), metadata.num_rows, records)


def _check_size(name: str, metadata: Any) -> None:  # noqa: ANN401, pyarrow has no hints
    if metadata.num_rows > MAX_ROWS:
        raise InputError(
            f"{quoted(name)} has too many rows: expected at most {MAX_ROWS:,}, got "
            f"{metadata.num_rows:,}"
        )
    groups = range(metadata.num_row_groups)
    _check_bytes(name, sum(metadata.row_group(group).total_byte_size for group in groups))


def _check_bytes(name: str, size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise InputError(too_large(f"{name} when unpacked", size, MAX_FILE_BYTES))


def _check_type(name: str, column: str, kind: Any) -> None:  # noqa: ANN401, pyarrow has no hints
    from pyarrow import types

    value = kind.value_type if types.is_dictionary(kind) else kind
    numeric = types.is_integer(value) or types.is_floating(value) or types.is_decimal(value)
    if not (_is_text(value) or numeric or types.is_null(value)):
        raise InputError(
            f"column {quoted(column)} of {quoted(name)} holds {kind}: expected text or numbers; "
            "choose another column or convert it"
        )


def _is_text(kind: Any) -> bool:  # noqa: ANN401, pyarrow has no hints
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _cells(raw: RawFile, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """Decode batch by batch, texts as dictionaries, so that a small file cannot fill the memory."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(io.BytesIO(raw.content), read_dictionary=list(columns))
    size = 0
    for batch in file.iter_batches(BATCH_ROWS, columns=list(columns)):
        arrays = [batch.column(column) for column in columns]
        size += sum(map(_text_bytes, arrays))
        _check_bytes(raw.name, size)
        yield from zip(*(array.to_pylist() for array in arrays), strict=True)


def _text_bytes(array: Any) -> int:  # noqa: ANN401, pyarrow has no hints
    """Count the bytes that the texts of `array` take once each row has its own copy."""
    from pyarrow import compute, types

    if types.is_dictionary(array.type) and _is_text(array.type.value_type):
        lengths = compute.binary_length(array.dictionary).take(array.indices)
    elif _is_text(array.type):
        lengths = compute.binary_length(array)
    else:
        return 0
    return compute.sum(lengths).as_py() or 0


@contextmanager
def parquet_damage(name: str) -> Iterator[None]:
    """Turn what the reader of parquet raises into an error about the file `name`."""
    from pyarrow import ArrowException

    try:
        yield
    except BertFlowError:
        raise
    except (ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{quoted(name)} is damaged or not a parquet file ({reason(error)}): write it again"
        ) from None
