"""Tables as JSON lines: one object a line, its keys the columns; or one text a line."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bertflow_core.datasets.delimited import MAX_COLUMNS, Record, Table, check_header
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted, reason

TEXT_COLUMN = "sentence"
"""What the column is called where each line is a text and no object."""

_EXPECTED = "expected a JSON object or a JSON text"


def read_json_lines(raw: RawFile) -> Table:
    """Read a JSON object a line, whose keys are columns, or a JSON text a line.

    A key that a line lacks, and `null`, are an empty cell. Lines count from 1; blank lines at the
    end are ignored.
    """
    lines = raw.lines()
    while lines and not lines[-1].strip():
        lines.pop()
    header: dict[str, None] = {}
    fault = ""
    for line in lines:
        try:
            header.update(dict.fromkeys(_cells(line)))
        except ValueError as error:
            fault = fault or str(error)
        if len(header) > MAX_COLUMNS:
            break
    if lines and not header:
        raise InputError(f"{quoted(raw.name)} holds no rows: line 1: {fault or 'no keys'}")
    check_header(raw.name, tuple(header))

    def records(columns: Sequence[str]) -> Iterator[Record]:
        return (_record(row, line, columns) for row, line in enumerate(lines, start=1))

    return Table(raw, tuple(header), len(lines), records)


def _record(row: int, line: str, columns: Sequence[str]) -> Record:
    try:
        cells = _cells(line)
    except ValueError as error:
        return Record(row, (), fault=str(error))
    return Record(row, tuple(cells.get(column) for column in columns))


def _cells(line: str) -> dict[str, Any]:
    """Return the cells of a line by their columns."""
    if not line.strip():
        raise ValueError(f"the line is blank: {_EXPECTED}")
    try:
        value = json.loads(line)
    except RecursionError:
        raise ValueError(f"nested too deeply: {_EXPECTED}") from None
    except ValueError as error:
        raise ValueError(f"no JSON ({reason(error)}): {_EXPECTED}") from None
    cells = {TEXT_COLUMN: value} if isinstance(value, str) else value
    if not isinstance(cells, dict):
        raise ValueError(f"a JSON {type(value).__name__}: {_EXPECTED}")
    if "\\u" in line:
        _check_characters(cells)
    return cells


def _check_characters(cells: dict[str, Any]) -> None:
    r"""Refuse halves of characters, such as "\ud800", which are no text and cannot be written."""
    for text in (*cells, *cells.values()):
        if isinstance(text, str):
            try:
                text.encode()
            except UnicodeEncodeError:
                raise ValueError("holds half a character (a lone surrogate)") from None
