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
from bertflow_core.datasets.rows import Table
from bertflow_core.datasets.source import UTF8_MARK, RawFile
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import PATHS
from bertflow_core.text_table import without_guard
from bertflow_core.wording import quoted, reason

LINE = "sentence"
"""What the column is called of which each line of a plain text is a cell."""

# Possessive quantifiers: each character is looked at once, whatever the text.
_QUOTED_CELLS = re.compile(r"""(?:(?:"(?:[^"]++|"")*+"|[^"\t\r\n]*+)(?:\t|\r\n|\n|\r|\Z))*+""")
_NEEDS_QUOTES = re.compile(r'["\t\r\n]')

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
    if not raw.content.removeprefix(UTF8_MARK):
        raise InputError(f"{quoted(name)} is empty: expected a header and rows")
    table = _READERS[PurePath(name).suffix.lower()](raw)
    if not table.rows:
        raise InputError(f"{quoted(name)} has a header and no rows: add the pairs")
    return table


def is_table(name: str) -> bool:
    """Say whether a file of this name is a table, by its ending."""
    return PurePath(name).suffix.lower() in TABLE_ENDINGS


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
    elif rows:
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
    """Read a JSON object a line, whose keys are columns; lines count from 1.

    A key that a line lacks, and `null`, are an empty cell. Blank lines at the end are ignored.
    """
    rows: list[dict[str, Any]] = []
    faults: dict[int, str] = {}
    for place, line in enumerate(raw.text().rstrip().split("\n")):
        try:
            cells = json.loads(line)
            if not isinstance(cells, dict):
                raise ValueError(type(cells).__name__)
            # "\ud800" is half a character, and cannot be written
            "".join(text for text in (*cells, *cells.values()) if isinstance(text, str)).encode()
        except (ValueError, RecursionError) as error:
            faults[place], cells = f"no JSON object ({reason(error)})", {}
        rows.append(cells)
    header = tuple(dict.fromkeys(name for cells in rows for name in cells))
    if not header:
        raise InputError(f"{quoted(raw.name)} holds no rows: {faults.get(0, 'no keys')}")

    def column(name: str) -> list[object]:
        return [cells.get(name) for cells in rows]

    return Table((raw,), header, range(1, len(rows) + 1), column, faults)


_READERS = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".jsonl": _read_json_lines,
    ".parquet": read_parquet,
}
TABLE_ENDINGS = tuple(_READERS)
