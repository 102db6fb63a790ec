"""Delimited text: cells between commas, semicolons or tabs, under a header."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.errors import InputError, listed
from bertflow_core.text_table import without_guard
from bertflow_core.wording import quoted, reason

MAX_COLUMNS = 1_000

# Possessive quantifiers: each character is looked at once, whatever the text.
_QUOTED_CELLS = re.compile(r"""(?:(?:"(?:[^"]++|"")*+"|[^"\t\r\n]*+)(?:\t|\r\n|\n|\r|\Z))*+""")
_NEEDS_QUOTES = re.compile(r'["\t\r\n]')

_NumberedRow = tuple[int, list[str]]  # line number, and the cells


@dataclass(frozen=True)
class Record:
    """One row of a table.

    Attributes:
        row: Its number. In text it is the line, as an editor shows it: the header is row 1, and a
            row that runs over several lines has the number of the first. In parquet, which has no
            header line, rows count from 1.
        cells: The cells of the requested columns, text or number, None where empty.
        fault: Why the row cannot be cut into cells, if so.
    """

    row: int
    cells: tuple[object, ...]
    fault: str = ""


@dataclass(frozen=True)
class Table:
    """An open table: its file, its column names and number of rows, and a way to read columns."""

    raw: RawFile
    header: tuple[str, ...]
    n_rows: int
    records: Callable[[Sequence[str]], Iterator[Record]]


def read_csv(raw: RawFile) -> Table:
    """Read cells separated by commas or semicolons (what the header has more of), quoted by '"'.

    The apostrophe that keeps a spreadsheet from reading a cell as a formula is taken off.
    """
    text = raw.text()
    head = text.partition("\n")[0]
    delimiter = max(",;", key=head.count)
    if "\t" in head and delimiter not in head:
        raise InputError(f"{quoted(raw.name)} has tabs between its columns: name it .tsv")
    rows = _quoted_rows(raw.name, text, delimiter)
    return _table(raw, [(row, list(map(without_guard, cells))) for row, cells in rows])


def read_tsv(raw: RawFile) -> Table:
    """Read cells separated by tabs; a quotation mark is text, as in GLUE's and SentEval's files.

    Cells are taken to be quoted, as pandas and spreadsheets write them, if every cell of the header
    is, or if all quotation marks of the file quote cells, some of which need it.
    """
    rows = cut_at_tabs(raw)
    head = rows[0][1] if rows else []
    if len(head) == 1 and max(map(head[0].count, ",;")) > 0:
        raise InputError(f"{quoted(raw.name)} has commas or semicolons and no tabs: name it .csv")
    if head and all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in head):
        return _table(raw, _quoted_rows(raw.name, raw.text(), "\t"))
    return _table(raw, _unquoted(raw, rows))


def _unquoted(raw: RawFile, rows: list[_NumberedRow]) -> list[_NumberedRow]:
    """Take off the quotation marks of cells where a file uses them so; else return `rows`."""
    text = raw.text()
    if '"' not in text or not _QUOTED_CELLS.fullmatch(text):
        return rows
    try:
        quoted_rows = _quoted_rows(raw.name, text, "\t")
    except InputError:  # a cell that is too long for the reader
        return rows
    is_needed = any(_NEEDS_QUOTES.search(cell) for _, cells in quoted_rows for cell in cells)
    return quoted_rows if is_needed and _n_odd(quoted_rows) <= _n_odd(rows) else rows


def _n_odd(rows: list[_NumberedRow]) -> int:
    """Count the rows that are not as wide as the header."""
    width = len(rows[0][1])
    return sum(len(cells) != width for _, cells in rows if any(cells))


def cut_at_tabs(raw: RawFile) -> list[_NumberedRow]:
    """Cut each line at its tabs; return (line number, cells)."""
    return [(number, line.split("\t")) for number, line in enumerate(raw.lines(), start=1)]


def check_header(name: str, header: Sequence[str]) -> None:
    """Check the column names of the table `name`."""
    if len(header) > MAX_COLUMNS:
        raise InputError(
            f"{quoted(name)} has too many columns: expected at most {MAX_COLUMNS:,}, got "
            f"{len(header):,}"
        )
    named = [cell for cell in header if cell]
    twice = sorted({cell for cell in named if named.count(cell) > 1})
    if twice:
        raise InputError(
            f"{quoted(name)} has more than one column named {listed(twice)}: rename them"
        )


def _quoted_rows(name: str, text: str, delimiter: str) -> list[_NumberedRow]:
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


def _table(raw: RawFile, rows: list[_NumberedRow]) -> Table:
    """Split off the header; blank lines at the end are ignored."""
    while rows and not any(map(str.strip, rows[-1][1])):
        rows.pop()
    if not rows:
        raise InputError(f"{quoted(raw.name)} is empty: expected a header and rows")
    header = tuple(cell.strip() for cell in rows[0][1])
    check_header(raw.name, header)

    def records(columns: Sequence[str]) -> Iterator[Record]:
        places = [header.index(column) for column in columns]
        return (_record(row, cells, len(header), places) for row, cells in rows[1:])

    return Table(raw, header, len(rows) - 1, records)


def _record(row: int, cells: list[str], width: int, places: Sequence[int]) -> Record:
    if len(cells) != width:
        return Record(row, (), fault=f"cells: expected {width} as in the header, got {len(cells)}")
    return Record(row, tuple(cells[place] for place in places))
