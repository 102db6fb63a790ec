"""Tables in every form, opened by the ending of their names: CSV, TSV, JSON lines, parquet."""

import csv
import io
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any

from bertflow_core.datasets.parquet import read_parquet
from bertflow_core.datasets.rows import MAX_COLUMNS, Table
from bertflow_core.datasets.source import RawFile
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import PATHS
from bertflow_core.text_table import without_guard
from bertflow_core.wording import quoted, reason

LINE = "sentence"
"""What the column is called of which each line is a cell: in plain text, and of texts in JSON."""

# Possessive quantifiers: each character is looked at once, whatever the text.
_QUOTED_CELLS = re.compile(r"""(?:(?:"(?:[^"]++|"")*+"|[^"\t\r\n]*+)(?:\t|\r\n|\n|\r|\Z))*+""")
_NEEDS_QUOTES = re.compile(r'["\t\r\n]')
_EXPECTED = "expected a JSON object or a JSON text"

NumberedRow = tuple[int, list[str]]
"""Line number, and the cells."""


def open_table(source: str | Path | RawFile) -> Table:
    """Open a table, a path (at most 500 MB) or bytes, by the ending of its name."""
    check_type(source, (*PATHS, RawFile), "a table", "a path or a RawFile")
    source = source if isinstance(source, RawFile) else Path(source)
    name = source.name
    if not is_table(name):
        raise InputError(
            f"{quoted(name)} is not a table: expected a name that ends in {listed(TABLE_ENDINGS)}; "
            "save it as one of these"
        )
    raw = source if isinstance(source, RawFile) else RawFile.read(source)
    if not raw.content:
        raise InputError(f"{quoted(name)} is empty: expected a header and rows")
    table = _READERS[PurePath(name).suffix.lower()](raw)
    if not table.rows:
        raise InputError(f"{quoted(name)} has a header and no rows: add the pairs")
    return table


def is_table(name: str) -> bool:
    """Say whether a file of this name is a table, by its ending."""
    return PurePath(name).suffix.lower() in TABLE_ENDINGS


def table_header(source: Path | RawFile) -> tuple[str, ...]:
    r"""Return a table's column names.

    Raises:
        InputError: The file is no table.
        ResourceError: The disk refused.

    Example:
        >>> from bertflow_core.datasets import RawFile, table_header
        >>> table_header(RawFile("pairs.csv", b"id,question,answer\n1,Why?,Because.\n"))
        ('id', 'question', 'answer')
    """
    return open_table(source).header


def text_table(
    files: Sequence[RawFile], rows: list[NumberedRow], header: Sequence[str] = ()
) -> Table:
    """Return the table of rows that were cut into cells; blank lines at the end are ignored.

    The first row is the header where none is given; beyond a given one cells are ignored.
    """
    while rows and not any(map(str.strip, rows[-1][1])):
        rows.pop()
    if header:
        rows = [(row, cells[: len(header)]) for row, cells in rows]
    elif not rows:
        raise InputError(f"{quoted(files[0].name)} is empty: expected a header and rows")
    else:
        header, rows = [cell.strip() for cell in rows[0][1]], rows[1:]

    faults = {
        place: f"cells: expected {len(header)} as in the header, got {len(cells)}"
        for place, (_, cells) in enumerate(rows)
        if len(cells) != len(header)
    }

    def column(name: str) -> list[str | None]:
        at = header.index(name)
        return [None if i in faults else cells[at] for i, (_, cells) in enumerate(rows)]

    return Table(tuple(files), tuple(header), [row for row, _ in rows], column, faults)


def line_table(raw: RawFile, lines: list[tuple[int, str]]) -> Table:
    """Return the table of some numbered lines, each the one cell of a row."""
    return text_table([raw], [(number, [line]) for number, line in lines], [LINE])


def tab_rows(raw: RawFile) -> list[NumberedRow]:
    """Cut each line at its tabs; a quotation mark is text."""
    return [(number, line.split("\t")) for number, line in enumerate(raw.lines(), start=1)]


def _read_csv(raw: RawFile) -> Table:
    """Read cells separated by commas or semicolons (what the header has more of), quoted by '"'.

    The apostrophe that keeps a spreadsheet from reading a cell as a formula is taken off.
    """
    text = raw.text()
    head = text.partition("\n")[0]
    delimiter = max(",;", key=head.count)
    if "\t" in head and delimiter not in head:
        raise InputError(f"{quoted(raw.name)} has tabs between its columns: name it .tsv")
    rows = _quoted_rows(raw.name, text, delimiter)
    return text_table([raw], [(row, list(map(without_guard, cells))) for row, cells in rows])


def _read_tsv(raw: RawFile) -> Table:
    """Read cells separated by tabs; a quotation mark is text, as in GLUE's and SentEval's files.

    Cells are taken to be quoted, as pandas and spreadsheets write them, if every cell of the header
    is; or if all quotation marks of the file quote cells, some of which need it, and no more rows
    then differ from the header's width. Otherwise marks around cells are speech.
    """
    rows, text = tab_rows(raw), raw.text()
    head = rows[0][1]
    if len(head) == 1 and max(map(head[0].count, ",;")) > 0:
        raise InputError(f"{quoted(raw.name)} has commas or semicolons and no tabs: name it .csv")
    if all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in head):
        rows = _quoted_rows(raw.name, text, "\t")
    elif '"' in text and _QUOTED_CELLS.fullmatch(text):
        with suppress(InputError):  # a cell that is too long for the reader
            marked = _quoted_rows(raw.name, text, "\t")
            needed = any(_NEEDS_QUOTES.search(cell) for _, cells in marked for cell in cells)
            rows = marked if needed and _n_odd(marked) <= _n_odd(rows) else rows
    return text_table([raw], rows)


def _n_odd(rows: list[NumberedRow]) -> int:
    width = len(rows[0][1])
    return sum(len(cells) != width for _, cells in rows if any(cells))


def _quoted_rows(name: str, text: str, delimiter: str) -> list[NumberedRow]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows, start = [], 1
    try:
        for cells in reader:
            rows.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(name)} is not a valid table from row {start} on ({reason(error)}): "
            "check the quotation marks there"
        ) from None
    return rows


def _read_json_lines(raw: RawFile) -> Table:
    """Read a JSON object a line, whose keys are columns, or a JSON text a line.

    A key that a line lacks, and `null`, are an empty cell. Lines count from 1; blank lines at the
    end are ignored.
    """
    rows = [_json_cells(line) for line in raw.text().rstrip().split("\n")]
    faults = {place: cells for place, cells in enumerate(rows) if isinstance(cells, str)}
    header: dict[str, None] = {}
    for cells in rows:
        if isinstance(cells, dict) and len(header) <= MAX_COLUMNS:
            header |= dict.fromkeys(cells)
    if not header:
        raise InputError(f"{quoted(raw.name)} holds no rows: line 1: {rows[0] or 'no keys'}")

    def column(name: str) -> list[object]:
        return [cells.get(name) if isinstance(cells, dict) else None for cells in rows]

    return Table((raw,), tuple(header), range(1, len(rows) + 1), column, faults)


def _json_cells(line: str) -> dict[str, Any] | str:
    """Return the cells of a line by their columns, or why there are none."""
    if not line.strip():
        return f"the line is blank: {_EXPECTED}"
    try:
        value = json.loads(line)
        cells = {LINE: value} if isinstance(value, str) else value
        if not isinstance(cells, dict):
            return f"a JSON {type(value).__name__}: {_EXPECTED}"
        "".join(text for text in (*cells, *cells.values()) if isinstance(text, str)).encode()
    except UnicodeEncodeError:  # "\ud800" is no text, and cannot be written
        return "holds half a character (a lone surrogate)"
    except (ValueError, RecursionError) as error:
        return f"no JSON ({reason(error)}): {_EXPECTED}"
    return cells


_READERS = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".jsonl": _read_json_lines,
    ".parquet": read_parquet,
}
TABLE_ENDINGS = tuple(_READERS)
