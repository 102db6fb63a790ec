"""Read workbooks (.xlsx) of limited size; defusedxml makes openpyxl refuse XML bombs."""

import warnings
from collections.abc import Iterable
from io import BytesIO

from bertflow_core.datasets.source import RawFile, open_zip
from bertflow_core.errors import InputError
from bertflow_core.runtime.lazy import of_extra
from bertflow_core.wording import quoted, reason

MAX_ROWS, _MAX_BYTES = 500_000, 64 << 20
_MAX_MARKS = 4_000_000  # of "<" in the XML: each may take openpyxl 300 bytes and 10 microseconds
_CSV = "save the sheet as CSV in UTF-8"


def sheet_rows(raw: RawFile) -> tuple[list[tuple[int, list[str]]], tuple[str, ...]]:
    """Return the rows of the first sheet as text, by number, and a note on other sheets."""
    openpyxl = of_extra("app", "openpyxl", "a workbook needs openpyxl", otherwise=f", or {_CSV}")
    warnings.filterwarnings("ignore", module="openpyxl")  # unsupported styles and forms
    try:
        with open_zip(raw) as archive:  # reads no more than the declared size
            parts = archive.infolist()
            size = sum(part.file_size for part in parts)
            texts = (archive.read(part).replace(b"\0", b"") for part in parts)  # UTF-16 has NULs
            marks = (text.count(b"<") + 40_000 * text.count(b"sheetId") for text in texts)
            if size > _MAX_BYTES or sum(marks) > _MAX_MARKS:  # one part may list many sheets
                raise ValueError("too large when unpacked")
        book = openpyxl.load_workbook(BytesIO(raw.content), read_only=True, data_only=True)
        first, *others = book.worksheets
        first.reset_dimensions()  # the declared size may be wrong
        rows = _text_rows(first.iter_rows(values_only=True))
    except Exception as error:  # openpyxl raises errors of many kinds
        why = reason(error.__cause__ or error)
        raise InputError(f"{quoted(raw.name)} cannot be read as .xlsx ({why}): {_CSV}") from None
    return rows, (f"only the first sheet, {quoted(first.title)}, is read",) * bool(others)


def _text_rows(rows: Iterable[Iterable[object]]) -> list[tuple[int, list[str]]]:
    """Pad rows to the width of the first; padding to the widest could fill the memory."""
    filled: list[tuple[int, list[str]]] = []
    size = 0
    for number, values in enumerate(rows, start=1):
        cells = ["" if value is None else str(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if filled or cells:  # blank rows may precede the header
            filled.append((number, cells))
            cells += [""] * (len(filled[0][1]) - len(cells))
        size += sum(len(cell) + 16 for cell in cells)
        if number > MAX_ROWS or size > _MAX_BYTES:
            raise ValueError(f"more than {MAX_ROWS:,} rows, or the same text in too many cells")
    return filled
