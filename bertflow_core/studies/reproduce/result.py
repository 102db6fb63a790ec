"""A table of the paper made again: printed rows, our rows, and how the protocols differ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bertflow_core.figures import Figure

__all__ = ["MISSING", "Cell", "Line", "Origin", "Reproduction", "number"]


class Origin(StrEnum):
    """Who measured a row."""

    PUBLISHED = "published"
    OURS = "ours"


@dataclass(frozen=True)
class Cell:
    """A number, or a text, in a table.

    Attributes:
        text: As a paper prints it.
        value: The number; None for a text and where there is none.
        spread: Its interval, as text; empty where there is none.
        change: The number less that of the row's baseline; None where it has none.
    """

    text: str
    value: float | None = None
    spread: str = ""
    change: float | None = None

    @property
    def full(self) -> str:
        """The text with its interval."""
        return f"{self.text} {self.spread}".rstrip()


MISSING = Cell("-")


def number(
    value: float | None,
    *,
    interval: tuple[float, float] | None = None,
    baseline: float | None = None,
) -> Cell:
    """Return a cell with two digits.

    Args:
        value: As printed; None gives a dash.
        interval: Its ends.
        baseline: What its arrow compares it with.
    """
    if value is None:
        return MISSING
    spread = "" if interval is None else f"[{interval[0]:.2f}, {interval[1]:.2f}]"
    return Cell(f"{value:.2f}", value, spread, None if baseline is None else value - baseline)


@dataclass(frozen=True)
class Line:
    """A row of a table.

    Attributes:
        origin: Who measured it.
        group: The encoder.
        label: The method, as the paper names its own.
        cells: One for each column.
    """

    origin: Origin
    group: str
    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Reproduction:
    """What was made again of one table or figure.

    Attributes:
        columns: Their headings, as printed.
        lines: The rows, each published one before ours that it is to be compared with.
        recipe: What decides our numbers, in sentences.
        missing: What could not be measured here and why, a sentence each.
        figures: Draws the figures, by file name without ending.
        is_best_bold: Whether the highest number of a column is set in bold.
    """

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    recipe: tuple[str, ...]
    missing: tuple[str, ...] = ()
    figures: "Callable[[], Mapping[str, Figure]]" = field(default=dict)
    is_best_bold: bool = False
