"""Columns: properties of rows, to colour, filter and list points by."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted

__all__ = ["LOG_OF_RANK", "Cell", "Column", "category_column", "column_of", "number_column"]

Cell = str | float | None
"""A cell of a table; None where nothing is known."""

LOG_OF_RANK = "log10 of 1 / rank"
"""The unit of a frequency that only an order of words tells."""

_MAX_NUMBER = float(np.finfo(np.float32).max)

MAX_LABELS = 200
"""Most categories; a column of more different texts, such as ids, is left out."""


@dataclass(frozen=True, eq=False)
class Column:
    """One number or category per row, the same in every pane or one per pane.

    Attributes:
        name: What it is, for a table's header and a figure's legend.
        values: float64, so that a table shows what was read; shape (N,), or (P, N) for P panes;
            NaN where unknown. Categories are given as indices into `labels`.
        labels: The categories; none for numbers.
        unit: Of the numbers; empty where they have none.

    Raises:
        InputError: Values of another shape, or an index without a label.
    """

    name: str
    values: FloatArray = field(repr=False)
    labels: tuple[str, ...] = ()
    unit: str = ""

    def __post_init__(self) -> None:
        values = np.array(self.values, np.float64)
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        if values.ndim not in (1, 2):
            raise InputError(
                f"column {quoted(self.name)}: expected (N,) or (P, N), got {values.shape}"
            )
        known = values[~np.isnan(values)]
        if self.labels and not np.isin(known, np.arange(len(self.labels))).all():
            raise InputError(f"column {quoted(self.name)} names a category that has no label")

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

    def cell(self, row: int, pane: int = 0) -> Cell:
        """Return a row's label or number, or None where it is unknown."""
        value = float(self.of_pane(pane)[row])
        if np.isnan(value):
            return None
        return self.labels[int(value)] if self.labels else value


def number_column(name: str, values: npt.ArrayLike, unit: str = "") -> Column:
    """Return a column of numbers, shape (N,) or (P, N)."""
    return Column(name, np.asarray(values, np.float64), unit=unit)


def category_column(name: str, values: list[str] | tuple[str, ...]) -> Column:
    """Return a column of categories from N strings, labelled in order of first appearance."""
    labels = tuple(dict.fromkeys(values))
    places = {label: place for place, label in enumerate(labels)}
    return Column(name, np.array([places[value] for value in values], np.float64), labels)


def column_of(name: str, values: Sequence[object]) -> Column | None:
    """Return a column of a table's cells: numbers if all of them are, else categories.

    Args:
        name: Its name.
        values: N cells, text or number; None or empty is missing.

    Returns:
        None where every cell is empty, or where there are more than 200 categories.
    """
    texts = ["" if value is None else str(value).strip() for value in values]
    numbers = [_number(text) for text in texts]
    if all(number is not None for number in numbers):
        values_read = np.array(numbers, np.float64)
        return None if np.isnan(values_read).all() else number_column(name, values_read)
    labels = tuple(dict.fromkeys(text for text in texts if text))
    if len(labels) > MAX_LABELS:
        return None
    places = {label: float(place) for place, label in enumerate(labels)}
    return Column(name, np.array([places.get(text, np.nan) for text in texts]), labels)


def _number(text: str) -> float | None:
    """Return a number that fits into float32; NaN for an empty text, None for any other."""
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) <= _MAX_NUMBER else None
