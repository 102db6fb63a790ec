"""Vectors in CSV and TSV tables, read line by line."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.vector_columns import VectorColumns, choose_vector_columns
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted, reason, shortened

__all__ = ["MAX_DIMENSIONS", "read_csv_vectors"]

MAX_DIMENSIONS = 16_384


def read_csv_vectors(
    source: Path | RawFile, delimiter: str | None = None, key: str | None = None
) -> tuple[tuple[FloatArray, ...], tuple[str, ...] | None]:
    """Read the vectors of a table of text, float32, and the names of its rows if it has any.

    Args:
        source: A path (at most 500 MB), or the bytes of an upload.
        delimiter: Between cells; None takes a comma or a semicolon, what the header has more of.
        key: The column of the names; None finds one.

    Raises:
        InputError: Not such a table, or a row without its numbers.
        ResourceError: The disk refused.
    """
    raw = source if isinstance(source, RawFile) else RawFile.read(source)
    text = raw.text()
    head = text.partition("\n")[0]
    rows = _rows(raw.name, text, delimiter or max(",;", key=head.count))
    header = [cell.strip() for cell in next(rows, (1, []))[1]]
    first = next(rows, None)
    if first is None:
        raise InputError(f"{quoted(raw.name)} holds no vectors: expected a header and rows")
    columns = _columns(raw.name, header, first[1], key)
    places = [[header.index(column) for column in side] for side in columns.sides]
    place_of_name = None if columns.key is None else header.index(columns.key)
    sides: list[list[np.ndarray]] = [[] for _ in places]
    names: list[str] = []
    for number, cells in _all(first, rows):
        if len(cells) != len(header):
            raise InputError(
                f"{quoted(raw.name)}: row {number} has {len(cells):,} cells, expected "
                f"{len(header):,} as in the header"
            )
        for side, place in zip(sides, places, strict=True):
            chosen = [cells[i] for i in place]
            side.append(_vector(raw.name, number, chosen, columns.are_lists))
        if place_of_name is not None:
            names.append(cells[place_of_name])
    joined = tuple(_joined(raw.name, side) for side in sides)
    return joined, None if columns.key is None else tuple(names)


def _rows(name: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each row that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield number, cells
            number = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(name)} is not a valid table from row {number} on ({reason(error)})"
        ) from None


def _all(
    first: tuple[int, list[str]], rows: Iterator[tuple[int, list[str]]]
) -> Iterator[tuple[int, list[str]]]:
    yield first
    yield from rows


def _columns(
    name: str, header: Sequence[str], cells: Sequence[str], key: str | None
) -> VectorColumns:
    """Choose the columns by the header and the first row."""
    known = list(zip(header, cells, strict=False))
    lists = [column for column, cell in known if cell.lstrip().startswith("[")]
    numbers = [column for column, cell in known if _is_number(cell)]
    columns = choose_vector_columns(name, header, lists, numbers, key)
    if len(columns.sides[0]) > MAX_DIMENSIONS or len(set(header)) < len(header):
        raise InputError(
            f"{quoted(name)} must have at most {MAX_DIMENSIONS:,} dimensions, in columns of "
            "different names"
        )
    return columns


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _vector(name: str, number: int, cells: Sequence[str], is_list: bool) -> np.ndarray:
    try:
        values = json.loads(cells[0]) if is_list else cells
        vector = np.array(values, np.float64)
    except (ValueError, TypeError, RecursionError):
        vector = np.empty(())
    if vector.ndim != 1 or len(vector) > MAX_DIMENSIONS:
        shown = shortened(" ".join(cells), 40)
        raise InputError(f"{quoted(name)}: row {number} is no vector of numbers: {quoted(shown)}")
    with np.errstate(over="ignore"):
        single: np.ndarray = vector.astype(np.float32)
    return single


def _joined(name: str, rows: Sequence[np.ndarray]) -> FloatArray:
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise InputError(
            f"{quoted(name)}: vectors of {min(widths):,} to {max(widths):,} features: expected one "
            "width"
        )
    return np.stack(rows)
