"""What a wall is made of: plots and columns, checked before anything is sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.wall.recipe import MAX_PANES, MAX_ROWS
from bertflow_core.studies.wall.scatter import Scatter
from bertflow_core.wording import quoted

__all__ = [
    "BLUE",
    "GREEN",
    "Categories",
    "ColumnView",
    "check_neighbours",
    "check_number",
    "check_views",
]

_MAX_COLUMNS = 50


class ColumnView(Protocol):
    """What rows can be coloured by; `bertflow_core.studies.wall.Column` is one."""

    @property
    def name(self) -> str:
        """What the select box says."""

    @property
    def values(self) -> FloatArray:
        """Shape (N,) for all panes or (P, N), one row per pane; NaN is missing."""

    @property
    def labels(self) -> Sequence[str]:
        """Names of categories that the values index; empty where values are numbers."""

    @property
    def unit(self) -> str:
        """Unit of the numbers; may be empty."""


GREEN, BLUE = 3, 4
"""Places in the palette of slots.js."""


@dataclass(frozen=True, eq=False)
class Categories:
    """A column of categories that have colours of their own.

    Attributes:
        name: What the select box says.
        values: Place of each row's category in `labels`, shape (N,).
        labels: Names of the categories.
        colours: Place of each category's colour in the palette.
        unit: Empty.
    """

    name: str
    values: FloatArray
    labels: tuple[str, ...]
    colours: tuple[int, ...]
    unit: str = ""


def check_views(
    panes: Sequence[Scatter],
    columns: Sequence[ColumnView],
    texts: Sequence[str],
    ids: Sequence[str],
) -> tuple[int, int]:
    """Return how many rows and dimensions there are.

    Raises:
        InputError: Something is out of bounds or does not fit.
    """
    n_rows = len(texts)
    check_number(len(panes))
    if not 1 <= n_rows <= MAX_ROWS:
        raise InputError(f"a wall shows 1 to {MAX_ROWS:,} rows, got {n_rows:,}: choose fewer")
    if len(columns) > _MAX_COLUMNS:
        raise InputError(f"a wall has at most {_MAX_COLUMNS} columns, got {len(columns)}")
    if len(ids) != n_rows:
        raise InputError(f"each of {n_rows:,} rows needs an id, got {len(ids):,}")
    dims = len(panes[0].axes)
    for pane in panes:
        _check_pane(pane, n_rows, dims)
    for column in columns:
        _check_column(column, n_rows, len(panes))
    return n_rows, dims


def check_number(n_panes: int) -> None:
    """Refuse a number of panes that no wall has.

    Raises:
        InputError: It is none, or too many.
    """
    if not 1 <= n_panes <= MAX_PANES:
        raise InputError(f"a wall has 1 to {MAX_PANES} panes, got {n_panes}: choose as many")


def check_neighbours(neighbours: Sequence[Neighbours], n_panes: int, n_rows: int) -> None:
    """Refuse neighbours that are not of every row in every pane.

    Raises:
        InputError: They do not fit.
    """
    if not neighbours:
        return
    if len(neighbours) != n_panes:
        raise InputError(f"each of {n_panes} panes needs neighbours, got {len(neighbours)}")
    for each in neighbours:
        rows = each.rows
        if len(rows) != n_rows or rows.shape != each.values.shape:
            raise InputError(
                f"neighbours need rows and values of shape ({n_rows}, k), got {rows.shape} and "
                f"{each.values.shape}"
            )
        if rows.size and not 0 <= rows.min() <= rows.max() < n_rows:
            raise InputError(f"neighbours name rows that are none of {n_rows}")


def _check_pane(pane: Scatter, n_rows: int, dims: int) -> None:
    shape = np.shape(pane.coordinates)
    if dims not in (2, 3) or len(pane.axes) != dims or shape != (n_rows, dims):
        raise InputError(
            f"pane {quoted(pane.name)} needs coordinates of shape ({n_rows}, 2 or 3) with a title "
            f"per axis, as all panes, got {shape} and {len(pane.axes)} titles"
        )
    with np.errstate(over="ignore"):
        is_finite = np.isfinite(np.asarray(pane.coordinates, np.float32)).all()
    if not is_finite:
        raise InputError(f"pane {quoted(pane.name)} has coordinates that are not finite numbers")


def _check_column(column: ColumnView, n_rows: int, n_panes: int) -> None:
    shape = np.shape(column.values)
    if shape not in ((n_rows,), (n_panes, n_rows)):
        raise InputError(
            f"column {quoted(column.name)} needs values of shape ({n_rows},) or "
            f"({n_panes}, {n_rows}), got {shape}"
        )
    values = np.asarray(column.values, np.float32)
    known = values[~np.isnan(values)]
    if not np.isfinite(known).all():
        raise InputError(
            f"column {quoted(column.name)} has infinite values: use NaN where one is missing"
        )
    n_labels = len(column.labels)
    if n_labels and not (np.isin(known, np.arange(n_labels))).all():
        raise InputError(
            f"column {quoted(column.name)} has values that index none of {n_labels} labels"
        )
