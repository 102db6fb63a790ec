"""Records of a table parted into what can be used and what is refused, each with its reason."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bertflow_core.datasets.csv_tsv import Record
from bertflow_core.errors import InputError

__all__ = ["Refusal", "name_cell", "refuse", "score_cell", "sentence_cell", "sift"]

SHOWN_ROWS = 3
SHOWN_CHARACTERS = 40

Good = TypeVar("Good")


@dataclass(frozen=True)
class Refusal:
    """A row that cannot be used: its number as in `Record`, and why."""

    row: int
    reason: str


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
    """Word the error about rows of `name`: their number, and the first three with reasons."""
    shown = "; ".join(f"row {each.row}: {each.reason}" for each in refused[:SHOWN_ROWS])
    more = "; ..." if len(refused) > SHOWN_ROWS else ""
    return InputError(
        f"{name!r}: {len(refused):,} of {n_rows:,} rows cannot be used ({shown}{more}): "
        "correct them or take them out"
    )


def sentence_cell(cell: object, column: str) -> str:
    """Return the sentence in `cell` as it is.

    Raises:
        ValueError: It is blank or no text.
    """
    if _is_blank(cell):
        raise ValueError(f"{column} is blank")
    if not isinstance(cell, str):
        raise ValueError(f"{column} is not text: {_shown(cell)}")
    if "\0" in cell:
        raise ValueError(f"{column} holds a NUL character")
    return cell


def score_cell(cell: object, column: str) -> float:
    """Return the score in `cell`.

    Raises:
        ValueError: It is missing, not a number, or not finite.
    """
    if _is_blank(cell):
        raise ValueError(f"{column} is missing")
    try:
        value = float(str(cell))
    except ValueError:
        raise ValueError(f"{column} is not a number: {_shown(cell)}") from None
    if not math.isfinite(value):
        raise ValueError(f"{column} is not finite: {_shown(cell)}")
    return value


def name_cell(cell: object, column: str) -> str:
    """Return the name in `cell`, a text or a number.

    Raises:
        ValueError: It is blank.
    """
    if _is_blank(cell):
        raise ValueError(f"{column} is blank")
    return str(cell)


def _is_blank(cell: object) -> bool:
    return cell is None or not str(cell).strip()


def _shown(cell: object) -> str:
    return repr(str(cell)[:SHOWN_CHARACTERS])
