"""Delimited text: CSV and TSV with a header, and the benchmarks' lines between raw tabs."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bertflow_core.datasets.files import RawFile
from bertflow_core.errors import InputError, listed

__all__ = [
    "MAX_COLUMNS",
    "Grid",
    "Record",
    "check_header",
    "named_cells",
    "numbers",
    "read_csv",
    "read_tsv",
    "tab_cells",
]

MAX_COLUMNS = 1_000


@dataclass(frozen=True)
class Record:
    """One row of a table.

    Attributes:
        row: Its number. In text it is the line, as an editor shows it: the header is row 1, and a
            row that runs over several lines has the number of the first. In parquet, which has no
            header line, rows count from 1.
        cells: The cells of the columns asked for, text or number, None where empty.
        fault: Why the row cannot be cut into cells, if so.
    """

    row: int
    cells: tuple[object, ...]
    fault: str = ""


@dataclass(frozen=True)
class Grid:
    """An open table: its column names, its number of rows, and a way to read some columns."""

    header: tuple[str, ...]
    n_rows: int
    records: Callable[[Sequence[str]], Iterator[Record]]


def read_csv(raw: RawFile) -> Grid:
    """Read cells between commas or semicolons, whichever the header has more of, quoted by '"'.

    Raises:
        InputError: Not such text, or not a table.
    """
    text = raw.text()
    head = text.partition("\n")[0]
    delimiter = max(",;", key=head.count)
    if "\t" in head and delimiter not in head:
        raise InputError(f"{raw.name!r} has tabs between its columns: name it .tsv")
    return _grid(raw.name, _quoted_rows(raw.name, text, delimiter))


def read_tsv(raw: RawFile) -> Grid:
    """Read cells between tabs, raw: a quotation mark is text, as in GLUE's and SentEval's files.

    Only where each cell of the header is quoted are the cells taken to be quoted throughout.

    Raises:
        InputError: Not such text, or not a table.
    """
    lines = raw.lines()
    head = lines[0].split("\t") if lines else []
    if len(head) == 1 and max(map(head[0].count, ",;")) > 0:
        raise InputError(f"{raw.name!r} has commas or semicolons and no tabs: name it .csv")
    if head and all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in head):
        return _grid(raw.name, _quoted_rows(raw.name, raw.text(), "\t"))
    return _grid(raw.name, [(i, line.split("\t")) for i, line in enumerate(lines, start=1)])


def check_header(name: str, header: Sequence[str]) -> None:
    """Check the column names of the table `name`.

    Raises:
        InputError: More columns than 1,000, or two of one name.
    """
    if len(header) > MAX_COLUMNS:
        raise InputError(
            f"{name!r} has too many columns: expected at most {MAX_COLUMNS:,}, got {len(header):,}"
        )
    named = [cell for cell in header if cell]
    twice = sorted({cell for cell in named if named.count(cell) > 1})
    if twice:
        raise InputError(f"{name!r} has more than one column named {listed(twice)}: rename them")


def _quoted_rows(name: str, text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows, start = [], 1
    try:
        for cells in reader:
            rows.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{name!r} is not a valid table from row {start} on ({error}): "
            "check the quotation marks there"
        ) from None
    return rows


def _grid(name: str, rows: list[tuple[int, list[str]]]) -> Grid:
    """Split off the header; blank lines at the end are no rows."""
    while rows and not any(map(str.strip, rows[-1][1])):
        rows.pop()
    if not rows:
        raise InputError(f"{name!r} is empty: expected a header and rows")
    header = tuple(cell.strip() for cell in rows[0][1])
    check_header(name, header)

    def records(columns: Sequence[str]) -> Iterator[Record]:
        places = [header.index(column) for column in columns]
        return (_record(row, cells, len(header), places) for row, cells in rows[1:])

    return Grid(header, len(rows) - 1, records)


def _record(row: int, cells: list[str], width: int, places: Sequence[int]) -> Record:
    if len(cells) != width:
        return Record(row, (), fault=f"cells: expected {width} as in the header, got {len(cells)}")
    return Record(row, tuple(cells[place] for place in places))


def tab_cells(raw: RawFile, cells: int) -> list[list[str]]:
    """Cut each line at its tabs; cells beyond the first `cells` are extra and allowed.

    Raises:
        InputError: A line has fewer cells.
    """
    rows = [line.split("\t") for line in raw.lines()]
    for number, row in enumerate(rows, start=1):
        if len(row) < cells:
            raise InputError(
                f"{raw.name!r}, line {number}: expected {cells} cells between tabs, "
                f"got {len(row)}; is this the original file?"
            )
    return rows


def named_cells(raw: RawFile, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Cut each line after the header at its tabs and pick the cells of the columns `names`.

    Raises:
        InputError: The header lacks a name, or a line has another number of cells than the header.
    """
    header, *rows = [line.split("\t") for line in raw.lines()] or [[]]
    missing = [name for name in names if name not in header]
    if missing:
        raise InputError(
            f"{raw.name!r}: expected a header line with {listed(names)} between tabs, "
            f"got {listed(header)}; is this the original file?"
        )
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(
                f"{raw.name!r}, line {number}: expected {len(header)} cells between tabs like "
                f"the header, got {len(row)}; is this the original file?"
            )
    places = [header.index(name) for name in names]
    return [tuple(row[place] for place in places) for row in rows]


def numbers(raw: RawFile, lines: Iterable[tuple[int, str]]) -> list[float]:
    """Read the scores of `raw` from (line number, text).

    Raises:
        InputError: A text is not a number; the sentence names its line.
    """
    values = []
    for number, text in lines:
        try:
            values.append(float(text))
        except ValueError:
            raise InputError(
                f"{raw.name!r}, line {number}: expected a score, got {text[:40]!r}; "
                "is this the original file?"
            ) from None
    return values
