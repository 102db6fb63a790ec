"""The rows of a table (CSV, TSV, JSONL, parquet): each is converted, or refused with a reason."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TypeVar

from bertflow_core.datasets.delimited import Record, Table, read_csv, read_tsv
from bertflow_core.datasets.json_lines import read_json_lines
from bertflow_core.datasets.parquet import read_parquet
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import MAX_SENTENCE, PATHS, too_large
from bertflow_core.wording import quoted

MAX_TABLE_BYTES = 20_000_000
FORMATS = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".jsonl": read_json_lines,
    ".parquet": read_parquet,
}
TABLE_ENDINGS = tuple(FORMATS)
SHOWN_ROWS = 3
SHOWN_CHARACTERS = 40

Good = TypeVar("Good")


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


def read_rows(source: str | Path | RawFile) -> Table:
    """Open a table by the ending of its name: its header, and its rows when they are asked for.

    Args:
        source: A path (at most 500 MB), or the bytes of an upload with its name (at most 20 MB).
    """
    check_type(source, (*PATHS, RawFile), "a table", "a path or a RawFile")
    source = source if isinstance(source, RawFile) else Path(source)
    name = source.name
    ending = PurePath(name).suffix.lower()
    if ending not in FORMATS:
        raise InputError(
            f"{quoted(name)} is not a table: expected a name that ends in {listed(TABLE_ENDINGS)}; "
            "save it as one of these"
        )
    if isinstance(source, RawFile):
        _check_upload(source)
    raw = source if isinstance(source, RawFile) else RawFile.read(source)
    if not raw.content:
        raise InputError(f"{quoted(name)} is empty: expected a header and rows")
    table = FORMATS[ending](raw)
    if not table.n_rows:
        raise InputError(f"{quoted(name)} has a header and no rows: add the pairs")
    return table


def _check_upload(raw: RawFile) -> None:
    if len(raw.content) > MAX_TABLE_BYTES:
        raise InputError(too_large(raw.name, len(raw.content), MAX_TABLE_BYTES))


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
