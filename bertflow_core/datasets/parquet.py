"""Parquet tables, read without trust: what they declare is checked before memory is spent."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.datasets.rows import Table
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

    with (
        disk_errors(source.name),
        parquet_damage(source.name),
        (
            pa.BufferReader(source.content)
            if isinstance(source, RawFile)
            else pa.OSFile(str(source))
        ) as stream,
    ):
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


def chunks(file: "ParquetFile", column: str = "") -> list[Any]:
    """Return what a file declares of the chunks of a column, by the beginning of its path."""
    groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
    every = (group.column(i) for group in groups for i in range(group.num_columns))
    return [chunk for chunk in every if f"{chunk.path_in_schema}.".startswith(column)]


def read_parquet(raw: RawFile) -> Table:
    """Read a parquet table of text and numbers; only the columns asked for are decoded."""
    with open_parquet(raw) as file:
        schema, n_rows = file.schema_arrow, file.metadata.num_rows
        _check_bytes(raw.name, _unpacked(file), MAX_FILE_BYTES)

    def column(name: str) -> list[object]:
        _check_type(raw.name, name, schema.field(name).type)
        return text_column(raw, name)

    return Table((raw,), tuple(schema.names), range(1, n_rows + 1), column)


def text_column(source: Path | RawFile, name: str) -> list[object]:
    """Decode batch by batch, texts as dictionaries, so that a small file cannot fill the memory."""
    cells: list[object] = []
    size = 0
    with open_parquet(source, read_dictionary=[name]) as file:
        most = (file.metadata.num_rows + 1) * MAX_CELL_BYTES
        _check_bytes(source.name, _unpacked(file, f"{name}."), most)
        for batch in file.iter_batches(BATCH_ROWS, columns=[name]):
            size += _text_bytes(source.name, batch.column(0))
            _check_bytes(source.name, size, MAX_FILE_BYTES)
            cells += batch.column(0).to_pylist()
    return cells


def _unpacked(file: "ParquetFile", column: str = "") -> int:
    return sum(chunk.total_uncompressed_size for chunk in chunks(file, column))


def _check_bytes(name: str, size: int, most: int) -> None:
    if size > most:
        raise InputError(too_large(f"{name} when unpacked", size, most))


def _text_bytes(name: str, array: Any) -> int:  # noqa: ANN401, pyarrow has no hints
    """Count the bytes that the texts of `array` take once each row has its own copy."""
    from pyarrow import compute, types

    is_dictionary = types.is_dictionary(array.type)
    if not _is_text(array.type.value_type if is_dictionary else array.type):
        return 0
    lengths = compute.binary_length(array.dictionary if is_dictionary else array)
    if is_dictionary:
        lengths = lengths.take(array.indices)
    longest = compute.max(lengths).as_py() or 0
    if longest > MAX_CELL_BYTES:
        raise InputError(too_large(f"a cell of {name}", longest, MAX_CELL_BYTES))
    return compute.sum(lengths).as_py() or 0


def _check_type(name: str, column: str, kind: Any) -> None:  # noqa: ANN401, likewise
    from pyarrow import types

    value = kind.value_type if types.is_dictionary(kind) else kind
    tests = (_is_text, types.is_integer, types.is_floating, types.is_decimal, types.is_null)
    if not any(test(value) for test in tests):
        raise InputError(
            f"column {quoted(column)} of {quoted(name)} holds {kind}: expected text or numbers; "
            "choose another column or convert it"
        )


def _is_text(kind: Any) -> bool:  # noqa: ANN401, likewise
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))
