"""The rows of a table: each is converted, or refused with a reason."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from bertflow_core.datasets.source import RawFile
from bertflow_core.errors import InputError, listed
from bertflow_core.files import MAX_SENTENCE
from bertflow_core.wording import quoted

MAX_COLUMNS = 1_000
_SHOWN_ROWS, _SHOWN_CHARACTERS = 3, 40

Good = TypeVar("Good")


class Refusal(NamedTuple):
    """A row that cannot be used, by its number, and why."""

    row: int
    reason: str


@dataclass(frozen=True)
class Table:
    """An open table; two columns of one name, or too many columns, are refused.

    Attributes:
        files: What it was read from.
        header: The names of its columns.
        rows: The number of each row. In text it is the line, as an editor shows it: the header is
            row 1, and a row that runs over several lines has the number of the first. In parquet,
            which has no header line, rows count from 1.
        column: Returns the cells of a column, text or number, None where empty.
        faults: Why a row cannot be cut into cells, by its place among the rows.
    """

    files: tuple[RawFile, ...]
    header: tuple[str, ...]
    rows: Sequence[int]
    column: Callable[[str], Sequence[object]]
    faults: Mapping[int, str] = field(default_factory=dict)

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
        """Convert the number and some cells of each row, or say why one cannot be used.

        A column that is None has empty cells. Where `convert` raises a `ValueError`, its text is
        the reason. With `strict` one such row refuses the table.
        """
        good: list[Good] = []
        refused: list[Refusal] = []
        empty = [None] * len(self.rows)
        cells = [empty if name is None else self.column(name) for name in columns]
        for place, (number, *found) in enumerate(zip(self.rows, *cells, strict=True)):
            try:
                if place in self.faults:
                    raise ValueError(self.faults[place])
                good.append(convert(number, *found))
            except ValueError as reason:
                refused.append(Refusal(number, str(reason)))
        if strict and refused:
            raise self.refuse(refused)
        return good, refused

    def sentences(self, column: str) -> tuple[str, ...]:
        """Return the sentence of each row; all must have one."""
        good, _ = self.sift([column], lambda _, cell: sentence_cell(cell, column), strict=True)
        return tuple(good)

    def refuse(self, refused: Sequence[Refusal]) -> InputError:
        """Return the error that these rows cannot be used."""
        said = unusable(self.name, len(self.rows), refused)
        return InputError(f"{said}: correct them or take them out")


def unusable(name: str, n_rows: int, refused: Sequence[Refusal]) -> str:
    """Return the clause that rows of `name` cannot be used: their number, and the first three."""
    shown = "; ".join(f"row {each.row}: {each.reason}" for each in refused[:_SHOWN_ROWS])
    more = "; ..." if len(refused) > _SHOWN_ROWS else ""
    return f"{quoted(name)}: {len(refused):,} of {n_rows:,} rows cannot be used ({shown}{more})"


def sentence_cell(cell: object, column: str) -> str:
    """Return the sentence in `cell` as it is."""
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
    if len(cell) > MAX_SENTENCE:
        raise ValueError(
            f"{column} has {len(cell):,} characters, more than the {MAX_SENTENCE:,} of a sentence"
        )
    return cell


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
    return str(cell)


def is_blank(cell: object) -> bool:
    """Tell whether a cell holds nothing but spaces."""
    return cell is None or not str(cell).strip()


def shown(cell: object) -> str:
    """Return a cell, or its beginning, as a reason repeats it."""
    return repr(str(cell)[:_SHOWN_CHARACTERS])
