"""What a wall is drawn from: columns of its rows, to colour and list them by, and scatter plots."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.linalg import FloatArray

Cell = str | float | None
"""A cell of a table; None where nothing is known."""

GREEN, BLUE = 3, 4
"""Places in the palette of slots.js."""

LOG_OF_RANK = "log10 of 1 / rank"
"""The unit of a frequency that only an order of words tells."""

MAX_LABELS = 200
"""Most categories; a column of more different texts, such as ids, is left out."""

_MAX_NUMBER = float(np.finfo(np.float32).max)


@dataclass(frozen=True, eq=False)
class Column:
    """One number or category per row, the same in every pane or one per pane.

    Attributes:
        name: What it is, for a table's header and a figure's legend.
        values: float64, so that a table shows what was read; shape (N,), or (P, N) for P panes;
            NaN where unknown. Categories are given as indices into `labels`.
        labels: The categories; none for numbers.
        unit: Of the numbers; empty where they have none.
        colours: Place of each category's own colour in the palette; none takes the usual ones.
    """

    name: str
    values: FloatArray = field(repr=False)
    labels: tuple[str, ...] = ()
    unit: str = ""
    colours: tuple[int, ...] = ()

    @property
    def per_pane(self) -> bool:
        """Whether each pane has values of its own."""
        return self.values.ndim == 2

    @property
    def header(self) -> str:
        """The name, with the unit where there is one."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def of_pane(self, pane: int) -> FloatArray:
        """Return the values of one pane, shape (N,)."""
        return self.values[pane] if self.per_pane else self.values

    def cells(self, rows: Sequence[int], pane: int = 0) -> list[Cell]:
        """Return the labels or numbers of rows; None where one is unknown."""
        return [
            None if math.isnan(value) else self.labels[int(value)] if self.labels else value
            for value in self.of_pane(pane)[list(rows)].tolist()
        ]


def number_column(name: str, values: npt.ArrayLike, unit: str = "") -> Column:
    """Return a column of numbers, shape (N,) or (P, N)."""
    return Column(name, np.asarray(values, np.float64), unit=unit)


def category_column(name: str, values: Sequence[str]) -> Column:
    """Return a column of N categories in order of first appearance; an empty one is unknown."""
    labels = tuple(dict.fromkeys(filter(None, values)))
    places = {label: float(place) for place, label in enumerate(labels)}
    return Column(name, np.array([places.get(value, np.nan) for value in values]), labels)


def column_of(name: str, values: Iterable[object]) -> Column | None:
    """Return a column of a table's cells: numbers if all of them are, else categories.

    None where every cell is empty, or where there are more than 200 categories.
    """
    texts = ["" if value is None else str(value).strip() for value in values]
    if not any(texts):
        return None
    numbers = [_number(text) for text in texts]
    if all(number is not None for number in numbers):
        return number_column(name, np.array(numbers, np.float64))
    column = category_column(name, texts)
    return column if len(column.labels) <= MAX_LABELS else None


def _number(text: str) -> float | None:
    """Return a number that fits into float32; NaN for an empty text, None for any other."""
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) <= _MAX_NUMBER else None


@dataclass(frozen=True, eq=False)
class Scatter:
    """A scatter plot of the rows: a projection of a space, or two measurements.

    Attributes:
        name: What is shown, such as the calibrator.
        badge: The space that distances are measured in.
        axes: The titles of both axes.
        coordinates: Where the rows are, shape (N, 2), finite.
        equal_scale: Whether a unit is as long along every axis, as distances in a projection need.
            Off, for axes of different units, each fills the plot and shows its ends.
    """

    name: str
    badge: str
    axes: tuple[str, str]
    coordinates: FloatArray = field(repr=False)
    equal_scale: bool = True
