"""The rows of a table: each is converted, or refused with a reason."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.errors import InputError, listed
from bertflow_core.files import MAX_SENTENCE
from bertflow_core.wording import quoted

MAX_COLUMNS = 1_000
SHOWN_ROWS = 3
SHOWN_CHARACTERS = 40

Good = TypeVar("Good")


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


@dataclass(frozen=True)
class Refusal:
    """A row that cannot be used: its number as in `Record`, and why.

    Example:
        >>> from bertflow_core.datasets import Refusal
        >>> Refusal(3, "score is missing").reason
        'score is missing'
    """

    row: int
    reason: str


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


def sift(
    records: Iterable[Record], convert: Callable[[Record], Good]
) -> tuple[list[Good], list[Refusal]]:
    """Convert each record; where `convert` raises a `ValueError`, its text is the reason."""
    good: list[Good] = []
    refused: list[Refusal] = []
    for record in records:
        try:
            if record.fault:
                raise ValueError(record.fault)
            good.append(convert(record))
        except ValueError as reason:
            refused.append(Refusal(record.row, str(reason)))
    return good, refused


def refuse(name: str, n_rows: int, refused: Sequence[Refusal]) -> InputError:
    """Return the error about rows of `name`: their number, and the first three with reasons."""
    return InputError(f"{unusable(name, n_rows, refused)}: correct them or take them out")


def unusable(name: str, n_rows: int, refused: Sequence[Refusal]) -> str:
    """Return the clause that rows of `name` cannot be used: their number, and the first three."""
    shown = "; ".join(f"row {each.row}: {each.reason}" for each in refused[:SHOWN_ROWS])
    more = "; ..." if len(refused) > SHOWN_ROWS else ""
    return f"{quoted(name)}: {len(refused):,} of {n_rows:,} rows cannot be used ({shown}{more})"


def sentence_cell(cell: object, column: str) -> str:
    """Return the sentence in `cell` as it is."""
    if is_blank(cell):
        raise ValueError(f"{column} is blank")
    if not isinstance(cell, str):
        raise ValueError(f"{column} is not text: {_shown(cell)}")
    if len(cell) > MAX_SENTENCE:
        raise ValueError(
            f"{column} has {len(cell):,} characters, more than the {MAX_SENTENCE:,} of a sentence"
        )
    if "\0" in cell:
        raise ValueError(f"{column} holds a NUL character")
    return cell


def score_cell(cell: object, column: str) -> float:
    """Return the score in `cell`."""
    if is_blank(cell):
        raise ValueError(f"{column} is missing")
    try:
        value = float(str(cell))
    except ValueError:
        raise ValueError(f"{column} is not a number: {_shown(cell)}") from None
    if not math.isfinite(value):
        raise ValueError(f"{column} is not finite: {_shown(cell)}")
    return value


def name_cell(cell: object, column: str) -> str:
    """Return the name in `cell`, a text or a number."""
    if is_blank(cell):
        raise ValueError(f"{column} is blank")
    return str(cell)


def is_blank(cell: object) -> bool:
    """Tell whether a cell holds nothing but spaces."""
    return cell is None or not str(cell).strip()


def _shown(cell: object) -> str:
    return repr(str(cell)[:SHOWN_CHARACTERS])
