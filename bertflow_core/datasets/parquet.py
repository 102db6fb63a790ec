"""Parquet tables, read without trust: what they declare is checked before memory is spent."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.datasets.rows import Record, Table
from bertflow_core.datasets.source import MAX_FILE_BYTES, PARQUET_MAGIC, RawFile
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.files import disk_errors, too_large
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

MAX_ROWS = 2_000_000
MAX_CELL_BYTES = 1_000_000
BATCH_ROWS = 8_192
_BUFFER_BYTES = 1 << 20  # else whole columns of a group of rows are read at once


@contextmanager
def open_parquet(source: Path | RawFile, **options: Any) -> "Iterator[ParquetFile]":  # noqa: ANN401
    """Open a parquet file of at most 2 million rows; what is read meanwhile may be damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with disk_errors(source.name), parquet_damage(source.name):
        stream = (
            pa.BufferReader(source.content)
            if isinstance(source, RawFile)
            else pa.OSFile(str(source))
        )
        with stream:
            if stream.read(len(PARQUET_MAGIC)) != PARQUET_MAGIC:
                raise InputError(
                    f"{quoted(source.name)} is not a parquet file by its content: check its name"
                )
            file = pq.ParquetFile(stream, buffer_size=_BUFFER_BYTES, pre_buffer=False, **options)
            if file.metadata.num_rows > MAX_ROWS:
                raise InputError(
                    f"{quoted(source.name)} has too many rows: expected at most {MAX_ROWS:,}, got "
                    f"{file.metadata.num_rows:,}"
                )
            yield file


def read_parquet(raw: RawFile) -> Table:
    """Read a parquet table of text and numbers; only the columns asked for are decoded."""
    with open_parquet(raw) as file:
        schema, n_rows = file.schema_arrow, file.metadata.num_rows
        _check_bytes(raw.name, _declared_bytes(file), MAX_FILE_BYTES)

    def records(columns: Sequence[str]) -> Iterator[Record]:
        for column in columns:
            _check_type(raw.name, column, schema.field(column).type)
        cells = list(text_cells(raw, columns))
        return (Record(row, values) for row, values in enumerate(cells, start=1))

    return Table((raw,), tuple(schema.names), n_rows, records)


def text_cells(source: Path | RawFile, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """Decode batch by batch, texts as dictionaries, so that a small file cannot fill the memory."""
    size = 0
    with open_parquet(source, read_dictionary=list(columns)) as file:
        most = (file.metadata.num_rows + 1) * MAX_CELL_BYTES
        _check_bytes(source.name, _declared_bytes(file, columns), most)
        for batch in file.iter_batches(BATCH_ROWS, columns=list(columns)):
            arrays = [batch.column(column) for column in columns]
            size += sum(_text_bytes(source.name, array) for array in arrays)
            _check_bytes(source.name, size, MAX_FILE_BYTES)
            yield from zip(*(array.to_pylist() for array in arrays), strict=True)


def _declared_bytes(file: "ParquetFile", columns: Sequence[str] = ()) -> int:
    """Return what a file says that some columns, or all, take when unpacked."""
    groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
    chunks = (group.column(i) for group in groups for i in range(group.num_columns))
    return sum(
        chunk.total_uncompressed_size
        for chunk in chunks
        if not columns or chunk.path_in_schema in columns
    )


def _check_bytes(name: str, size: int, most: int) -> None:
    if size > most:
        raise InputError(too_large(f"{name} when unpacked", size, most))


def _text_bytes(name: str, array: Any) -> int:  # noqa: ANN401, pyarrow has no hints
    """Count the bytes that the texts of `array` take once each row has its own copy."""
    from pyarrow import compute, types

    if types.is_dictionary(array.type) and _is_text(array.type.value_type):
        lengths = compute.binary_length(array.dictionary).take(array.indices)
    elif _is_text(array.type):
        lengths = compute.binary_length(array)
    else:
        return 0
    longest = compute.max(lengths).as_py() or 0
    if longest > MAX_CELL_BYTES:
        raise InputError(too_large(f"a cell of {name}", longest, MAX_CELL_BYTES))
    return compute.sum(lengths).as_py() or 0


def _check_type(name: str, column: str, kind: Any) -> None:  # noqa: ANN401, likewise
    from pyarrow import types

    value = kind.value_type if types.is_dictionary(kind) else kind
    numeric = types.is_integer(value) or types.is_floating(value) or types.is_decimal(value)
    if not (_is_text(value) or numeric or types.is_null(value)):
        raise InputError(
            f"column {quoted(column)} of {quoted(name)} holds {kind}: expected text or numbers; "
            "choose another column or convert it"
        )


def _is_text(kind: Any) -> bool:  # noqa: ANN401, likewise
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


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
