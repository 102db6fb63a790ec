"""Open tables (CSV, TSV, JSON lines, parquet, Excel), each by the ending of its name.

Rows are read one by one, and each is converted or refused with a reason.
"""

import csv
import json
import math
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import NamedTuple, TypeVar

from bertflow_core.datasets.parquet import (
    MAX_ROWS,
    check_unpacked,
    is_vectors,
    open_parquet,
    text_column,
)
from bertflow_core.datasets.source import RawFile
from bertflow_core.datasets.workbook import sheet_rows
from bertflow_core.errors import InputError, listed
from bertflow_core.runtime.files import MAX_SENTENCE
from bertflow_core.text_table import without_guard
from bertflow_core.wording import quoted, reason

LINE = "sentence"
"""The name of the only column of a plain text, whose cells are its lines."""

# Possessive quantifiers read each character once, whatever the text.
_QUOTED_CELLS = re.compile(r"""(?:(?:"(?:[^"]++|"")*+"|[^"\t\r\n]*+)(?:\t|\r\n|\n|\r|\Z))*+""")
_NEEDS_QUOTES = re.compile(r'["\t\r\n]')
_DECIMAL_COMMA = re.compile(r"\A(\s*[+-]?\d*),(\d+\s*)\Z")
_NO_THOUSANDS = re.compile(  # a decimal comma that cannot separate thousands, as in 3,5 or 0,125
    r"\A(\s*[+-]?\d*),((?:(?<=\b0,)\d{3}|(?!\d{3}\s*\Z)\d+)\s*)\Z"
)

NumberedRow = tuple[int, list[str]]
"""Line number, and the cells."""

MAX_COLUMNS = 1_000
_MAX_CELLS, _MAX_ROW = 10_000_000, 1 << 20  # cells of a text table, characters of a row
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|[\r\n])|[^\r\n]++")
_SHOWN_ROWS, _SHOWN_CHARACTERS = 3, 40

Good = TypeVar("Good")
Cells = TypeVar("Cells", bound=Sized)


class Refusal(NamedTuple):
    """An unusable row: its number and the reason."""

    row: int
    reason: str


@dataclass(frozen=True)
class Table:
    """An open table; repeated names of columns and too many columns are refused.

    Rows are numbered. In a text file the number is that of the line, so the header is row 1. A row
    of several lines has the number of its first line. In parquet, rows count from 1. A workbook's
    rows have the numbers that a spreadsheet program shows.
    """

    files: tuple[RawFile, ...]
    header: tuple[str, ...]
    rows: Sequence[int]  # numbers of the rows
    column: Callable[[str], Sequence[object]]  # the cells, text or number, None if empty
    faults: Mapping[int, str] = field(default_factory=dict)  # by position: why cells are missing
    remarks: tuple[str, ...] = ()  # sentences on assumptions made in reading

    def __post_init__(self) -> None:
        if len(self.header) > MAX_COLUMNS:
            raise InputError(
                f"{quoted(self.name)} has too many columns: expected at most {MAX_COLUMNS:,}, got "
                f"{len(self.header):,}"
            )
        twice = sorted({cell for cell in self.header if cell and self.header.count(cell) > 1})
        if twice:
            raise InputError(
                f"{quoted(self.name)} has more than one column named {listed(twice)}: rename them"
            )

    @property
    def name(self) -> str:
        """The name of its first file."""
        return self.files[0].name

    def sift(
        self, columns: Sequence[str | None], convert: Callable[..., Good], *, strict: bool = False
    ) -> tuple[list[Good], list[Refusal]]:
        """Call `convert` with the number and the chosen cells of each row; collect refused rows.

        A column of None gives empty cells. If `convert` raises a `ValueError`, its text is the
        reason for refusing the row. If `strict`, one refused row is enough to refuse the table.
        """
        good: list[Good] = []
        refused: list[Refusal] = []
        empty = [None] * len(self.rows)
        cells = [empty if name is None else self.column(name) for name in columns]
        for place, (number, *found) in enumerate(zip(self.rows, *cells, strict=True)):
            if place in self.faults:
                refused.append(Refusal(number, self.faults[place]))
                continue
            try:
                good.append(convert(number, *found))
            except ValueError as reason:
                refused.append(Refusal(number, str(reason)))
        if strict and refused:
            raise self.refuse(refused)
        return good, refused

    def sentences(self, column: str) -> tuple[str, ...]:
        """Return the sentence of each row; refuse rows without one."""
        good, _ = self.sift([column], lambda _, cell: sentence_cell(cell, column), strict=True)
        return tuple(good)

    def refuse(self, refused: Sequence[Refusal]) -> InputError:
        """Return the error for unusable rows."""
        return InputError(f"{unusable(self.name, len(self.rows), refused)}: correct or remove them")


def unusable(name: str, n_rows: int, refused: Sequence[Refusal]) -> str:
    """Return a clause that counts the unusable rows of `name` and shows the first three."""
    shown = "; ".join(f"row {each.row}: {each.reason}" for each in refused[:_SHOWN_ROWS])
    more = "; ..." if len(refused) > _SHOWN_ROWS else ""
    return f"{quoted(name)}: {len(refused):,} of {n_rows:,} rows cannot be used ({shown}{more})"


def sentence_cell(cell: object, column: str) -> str:
    """Return the sentence in `cell` unchanged."""
    if is_blank(cell):
        raise ValueError(f"{column} is blank")
    text = text_cell(cell, column)
    if "\0" in text:
        raise ValueError(f"{column} holds a NUL character")
    return text


def text_cell(cell: object, column: str) -> str:
    """Return the text in `cell`, which may be blank."""
    if not isinstance(cell, str):
        raise ValueError(f"{column} is not text: {shown(cell)}")
    return _bounded(cell, column)


def score_cell(cell: object, column: str) -> float:
    """Return the score in `cell`."""
    text = name_cell(cell, column)
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{column} is not a number: {shown(cell)}") from None
    if not math.isfinite(value):
        raise ValueError(f"{column} is not finite: {shown(cell)}")
    return value


def name_cell(cell: object, column: str) -> str:
    """Return the name in `cell`, a text or a number."""
    if is_blank(cell):
        raise ValueError(f"{column} is blank")
    if isinstance(cell, list):
        raise ValueError(f"{column} is neither text nor a number: {shown(cell)}")
    return _bounded(str(cell), column)


def _bounded(text: str, column: str) -> str:
    if len(text) > MAX_SENTENCE:
        raise ValueError(f"{column} has more than {MAX_SENTENCE:,} characters")
    return text


def is_blank(cell: object) -> bool:
    """Tell whether a cell is empty or holds only white space."""
    return cell is None or not str(cell).strip()


def shown(cell: object) -> str:
    """Return the beginning of a cell, in quotes, for an error message."""
    text = cell[0] if isinstance(cell, list) else cell  # of `_json_cells`
    return repr(str(text)[:_SHOWN_CHARACTERS])


def open_table(source: str | Path | RawFile) -> Table:
    """Open a table from a path (at most 500 MB) or bytes; its ending tells the format."""
    raw = RawFile.of(source)
    name = raw.name
    if not is_table(name):
        raise InputError(
            f"{quoted(name)} is not a table: expected a name that ends in "
            f"{listed(TABLE_ENDINGS)}, or in .txt for one sentence per line"
        )
    if not raw.content.removeprefix(BOM_UTF8):
        raise InputError(f"{quoted(name)} is empty: expected a header and rows")
    ending = PurePath(name).suffix.lower()
    read, assumed = raw.in_utf8() if ending in (".csv", ".tsv") else (raw, ())  # JSON is UTF-8
    table = _READERS[ending](read)
    if not table.rows:
        raise InputError(f"{quoted(name)} has a header but no rows: add the pairs")
    remarks = tuple(f"{quoted(name)}: {each}." for each in (*assumed, *table.remarks))
    return replace(table, files=(raw,), remarks=remarks)


def is_table(name: str) -> bool:
    """Tell whether a file is a table, by the ending of its name."""
    return PurePath(name).suffix.lower() in TABLE_ENDINGS


def text_table(
    files: Sequence[RawFile], rows: list[NumberedRow], header: Sequence[str] = ()
) -> Table:
    """Return the table of rows split into cells; blank lines at the end are ignored.

    Without a given header the first row is the header; cells beyond a given header are ignored.
    """
    while rows and not any(map(str.strip, rows[-1][1])):
        rows.pop()
    if header:
        rows = [(row, cells[: len(header)]) for row, cells in rows]
    elif rows:
        header, rows = [cell.strip() for cell in rows[0][1]], rows[1:]

    widths = {len(cells) for _, cells in rows} - {len(header)}
    reasons = {n: f"expected {len(header)} cells as in the header, got {n}" for n in widths}
    faults = {
        place: reasons[len(cells)] for place, (_, cells) in enumerate(rows) if len(cells) in reasons
    }

    def column(name: str) -> list[str | None]:
        at = header.index(name)
        return [None if i in faults else cells[at] for i, (_, cells) in enumerate(rows)]

    return Table(tuple(files), tuple(header), [row for row, _ in rows], column, faults)


def line_table(raw: RawFile, lines: list[tuple[int, str]]) -> Table:
    """Return the table of numbered lines, with one cell per row."""
    return text_table([raw], [(number, [line]) for number, line in lines], [LINE])


def tab_rows(raw: RawFile) -> list[NumberedRow]:
    """Split each line at its tabs; quotation marks have no special meaning."""
    return _bounded_rows(raw, ((number, line.split("\t")) for number, line in _lines(raw)))


def _lines(raw: RawFile) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(raw.lines(), start=1):
        if len(line) > _MAX_ROW:
            raise InputError(
                f"{quoted(raw.name)}, row {number:,}: more than {_MAX_ROW:,} characters; split the "
                "row or remove it"
            )
        yield number, line


def _bounded_rows(raw: RawFile, rows: Iterable[tuple[int, Cells]]) -> list[tuple[int, Cells]]:
    """Collect rows as they are read, unless there are too many rows or cells."""
    kept: list[tuple[int, Cells]] = []
    n_cells = 0
    for row in rows:
        kept.append(row)
        n_cells += len(row[1])
        if len(kept) > MAX_ROWS or n_cells > _MAX_CELLS:
            raise InputError(
                f"{quoted(raw.name)} is too large: expected at most {MAX_ROWS:,} lines and "
                f"{_MAX_CELLS:,} cells; take a part of it"
            )
    return kept


def _read_csv(raw: RawFile) -> Table:
    """Read cells separated by commas or semicolons, whichever the header has more of.

    Cells may be quoted by '"'. An apostrophe before a formula is removed. `3,5` is read as 3.5; in
    a comma-separated table, `1,234` stays as it is, since its comma may separate thousands.
    """
    text = raw.text()
    cut = max(",;", key=text.partition("\n")[0].count)
    rows = _quoted_rows(raw, text, cut)
    for _, cells in rows:
        cells[:] = map(without_guard, cells)
    comma = _NO_THOUSANDS if cut == "," else _DECIMAL_COMMA
    read = [(n, [comma.sub(r"\1.\2", cell) for cell in cells]) for n, cells in rows]
    said = ("numbers with a decimal comma, such as 3,5, are read as 3.5",) * (read != rows)
    return replace(text_table([raw], read), remarks=said)


def _read_tsv(raw: RawFile) -> Table:
    """Read cells separated by tabs; quotation marks are text, as in GLUE's and SentEval's files.

    In two cases they quote cells instead, as in files from pandas and spreadsheets. The first is
    that every cell of the header is quoted. The second is that all quotation marks can be read as
    enclosing cells, at least one cell needs them, and reading them so does not increase the number
    of rows that have more or fewer cells than the header.
    """
    rows, text = tab_rows(raw), raw.text()
    if all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in rows[0][1]):
        rows = _quoted_rows(raw, text, "\t")
    elif '"' in text and _QUOTED_CELLS.fullmatch(text):
        with suppress(InputError):  # a cell too long for the reader
            marked = _quoted_rows(raw, text, "\t")
            needed = any(_NEEDS_QUOTES.search(cell) for _, cells in marked for cell in cells)
            rows = marked if needed and _n_odd(marked) <= _n_odd(rows) else rows
    return text_table([raw], rows)


def _n_odd(rows: list[NumberedRow]) -> int:
    width = len(rows[0][1])
    return sum(len(cells) != width for _, cells in rows if any(cells))


def _quoted_rows(raw: RawFile, text: str, delimiter: str) -> list[NumberedRow]:
    return _bounded_rows(raw, _split(raw.name, text, delimiter))


def _split(name: str, text: str, delimiter: str) -> Iterator[NumberedRow]:
    begin = end = 0  # of the row

    def lines() -> Iterator[str]:
        nonlocal end
        for line in _LINE.finditer(text):
            end = line.end()
            if end - begin > _MAX_ROW:
                raise csv.Error(f"more than {_MAX_ROW:,} characters")
            yield line[0]

    reader, number = csv.reader(lines(), delimiter=delimiter, strict=True), 1
    try:
        for cells in reader:
            yield number, cells
            begin, number = end, reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(name)} is not a valid table from row {number} on ({reason(error)}): "
            "check the quotation marks there"
        ) from None


def _read_json_lines(raw: RawFile) -> Table:
    """Read one JSON object per line, whose keys are columns; lines count from 1.

    Missing keys and `null` are empty cells. Blank lines at the end are ignored.
    """
    faults: dict[int, str] = {}

    def read() -> Iterator[tuple[int, dict[str, object]]]:
        for number, line in _lines(replace(raw, content=raw.content.rstrip())):
            try:
                yield number, _json_cells(line)
            except (ValueError, RecursionError) as error:
                faults[number - 1] = f"not a JSON object ({reason(error)})"
                yield number, {}

    rows = [cells for _, cells in _bounded_rows(raw, read())]
    header = tuple(dict.fromkeys(name for cells in rows for name in cells))
    if not header:
        raise InputError(f"{quoted(raw.name)} holds no rows: {faults.get(0, 'no keys')}")

    def column(name: str) -> list[object]:
        return [cells.get(name) for cells in rows]

    return Table((raw,), header, range(1, len(rows) + 1), column, faults)


def _json_cells(line: str) -> dict[str, object]:
    cells = json.loads(line)
    if not isinstance(cells, dict):
        raise ValueError(type(cells).__name__)
    # "\ud800" is half a character and cannot be encoded
    "".join(text for text in (*cells, *cells.values()) if isinstance(text, str)).encode()
    # A list takes twenty times the memory of its text, and no cell may be one: show its start.
    return {
        sys.intern(name): [str(cell)[:_SHOWN_CHARACTERS]] if isinstance(cell, list | dict) else cell
        for name, cell in cells.items()
    }


def read_parquet(raw: RawFile) -> Table:
    """Read a parquet table of text and numbers; only the requested columns are decoded."""
    from pyarrow import types

    with open_parquet(raw) as file:
        schema, n_rows = file.schema_arrow, file.metadata.num_rows
        check_unpacked(raw, file)

    def column(name: str) -> list[object]:
        kind = schema.field(name).type
        if types.is_nested(kind) or "binary" in str(kind):
            raise InputError(
                f"column {quoted(name)} of {quoted(raw.name)} holds {kind}: expected text or "
                "numbers; choose another column or convert it"
            )
        return text_column(raw, name)

    lists = ", ".join(each.name for each in schema if is_vectors(each.type))
    said = (f"to use its vectors ({lists}), save them as .npy files for vectors:FILE,FILE",)
    return Table((raw,), (*schema.names,), range(1, n_rows + 1), column, remarks=said * bool(lists))


def _read_workbook(raw: RawFile) -> Table:
    rows, remarks = sheet_rows(raw)
    return replace(text_table([raw], rows), remarks=remarks)


_READERS = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".jsonl": _read_json_lines,
    ".parquet": read_parquet,
    ".xlsx": _read_workbook,
}
TABLE_ENDINGS = tuple(_READERS)
