"""Vectors in parquet tables, decoded batch by batch; what they declare is checked before."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.datasets.parquet import MAX_ROWS, parquet_damage
from bertflow_core.datasets.raw_file import PARQUET_MAGIC, RawFile
from bertflow_core.datasets.vector_columns import choose_vector_columns
from bertflow_core.datasets.vector_csv import MAX_DIMENSIONS
from bertflow_core.errors import InputError
from bertflow_core.files import MAX_VECTOR_BYTES, disk_errors, too_large
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

__all__ = ["read_parquet_vectors"]

_NUMBERS_AT_ONCE = 1 << 22


def read_parquet_vectors(
    source: Path | RawFile, key: str | None = None
) -> tuple[tuple[FloatArray, ...], tuple[str, ...] | None]:
    """Read the vectors of a parquet table, float32, and the names of its rows if it has any.

    Args:
        source: A path, or the bytes of an upload.
        key: The column of the names; None finds one.

    Raises:
        InputError: Not such a table, or larger than 2 million rows, 16,384 dimensions or 16 GiB.
        ResourceError: The disk refused.
    """
    import pyarrow.parquet as pq

    name = source.name
    _check_mark(source)
    with parquet_damage(name), disk_errors(name):
        stream = io.BytesIO(source.content) if isinstance(source, RawFile) else str(source)
        with pq.ParquetFile(stream, memory_map=True) as file:
            schema, n = file.schema_arrow, file.metadata.num_rows
            if not 0 < n <= MAX_ROWS:
                raise InputError(f"{quoted(name)} must hold 1 to {MAX_ROWS:,} rows, got {n:,}")
            lists = [field.name for field in schema if _is_list(field.type)]
            numbers = [field.name for field in schema if _is_number(field.type)]
            columns = choose_vector_columns(name, schema.names, lists, numbers, key)
            width = len(columns.sides[0]) or 1
            if columns.are_lists:
                width = _list_width(name, file, columns.sides)
            _check_size(name, n, width, len(columns.sides))
            sides = [np.empty((n, width), np.float32) for _ in columns.sides]
            names: list[str] = []
            wanted = [column for side in columns.sides for column in side]
            wanted += [] if columns.key is None else [columns.key]
            rows = max(1, _NUMBERS_AT_ONCE // width)
            done = 0
            for batch in file.iter_batches(rows, columns=wanted):
                part = slice(done, done + batch.num_rows)
                for x, side in zip(sides, columns.sides, strict=True):
                    _fill(name, x[part], [batch.column(column) for column in side], done)
                if columns.key is not None:
                    names += map(str, batch.column(columns.key).to_pylist())
                done += batch.num_rows
    return tuple(sides), None if columns.key is None else tuple(names)


def _check_mark(source: Path | RawFile) -> None:
    if isinstance(source, RawFile):
        mark = source.content[:4]
    else:
        with disk_errors(source), source.open("rb") as stream:
            mark = stream.read(4)
    if mark != PARQUET_MAGIC:
        raise InputError(
            f"{quoted(source.name)} is not a parquet file by its content: check its name"
        )


def _is_list(kind: Any) -> bool:  # noqa: ANN401, pyarrow has no hints
    from pyarrow import types

    tests = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    return any(test(kind) for test in tests) and _is_number(kind.value_type)


def _is_number(kind: Any) -> bool:  # noqa: ANN401, pyarrow has no hints
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind))


def _list_width(name: str, file: Any, sides: Sequence[Sequence[str]]) -> int:  # noqa: ANN401, likewise
    """Return the numbers of each list, from what the file declares of its columns."""
    metadata, n = file.metadata, file.metadata.num_rows
    wanted = {side[0] for side in sides}
    counts = dict.fromkeys(wanted, 0)
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for place in range(row_group.num_columns):
            column = row_group.column(place)
            top = column.path_in_schema.partition(".")[0]
            if top in wanted:
                counts[top] += column.num_values
    widths = {count / n for count in counts.values()}
    width = widths.pop()
    if widths or width != int(width) or not 0 < width <= MAX_DIMENSIONS:
        raise InputError(
            f"{quoted(name)}: lists of different lengths in {', '.join(sorted(wanted))}: expected "
            f"one width of at most {MAX_DIMENSIONS:,} numbers in all rows"
        )
    return int(width)


def _check_size(name: str, n: int, width: int, n_sides: int) -> None:
    if width > MAX_DIMENSIONS:
        raise InputError(
            f"{quoted(name)} has {width:,} dimensions: expected at most {MAX_DIMENSIONS:,}"
        )
    size = 4 * n * width * n_sides
    if size > MAX_VECTOR_BYTES:
        raise InputError(too_large(f"{name} when unpacked", size, MAX_VECTOR_BYTES))


def _fill(name: str, x: FloatArray, columns: Sequence[Any], done: int) -> None:
    """Write the numbers of some rows into `x`; an empty cell becomes NaN, which is refused."""
    if len(columns) > 1 or not _is_list(columns[0].type):
        for i, column in enumerate(columns):
            x[:, i] = _floats(column)
        return
    values = columns[0].flatten()  # without the lists that are empty cells
    lengths = columns[0].value_lengths().to_numpy(zero_copy_only=False)
    bad = np.flatnonzero(lengths != x.shape[1])  # NaN where a cell is empty
    if len(bad):
        raise InputError(
            f"{quoted(name)}: row {done + bad[0] + 1:,} has no list of {x.shape[1]:,} numbers as "
            "the others do: correct it or leave it out"
        )
    x[:] = _floats(values).reshape(x.shape)


def _floats(column: Any) -> np.ndarray:  # noqa: ANN401, pyarrow has no hints
    with np.errstate(over="ignore"):
        numbers: np.ndarray = np.asarray(column.to_numpy(zero_copy_only=False), np.float32)
    return numbers
