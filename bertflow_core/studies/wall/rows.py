"""The rows of a wall, the same in every pane, and the source of their vectors."""

from dataclasses import dataclass, field
from typing import Protocol

from bertflow_core.linalg import FloatArray, Rows, sample_rows
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Pane
from bertflow_core.studies.wall.row_properties import Column
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["RowSource", "Rows", "Vectors", "WallRows", "choose_ids", "describe_rows"]


@dataclass(frozen=True, eq=False)
class WallRows:
    """The rows of a wall.

    Attributes:
        ids: Index of each row among all rows of the data set, rising, shape (N,); sampling does
            not change it.
        texts: The sentence or word of each row.
        columns: Properties of the rows, the same in every pane.
        n_total: Number of rows in the data set, shown or not.
        description: Which rows these are, without a full stop.
    """

    ids: Rows = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    columns: tuple[Column, ...] = field(repr=False)
    n_total: int
    description: str

    @property
    def names(self) -> list[str]:
        """What names each row in a payload."""
        return [f"{place}: {text}" for place, text in zip(self.ids, self.texts, strict=True)]

    def __len__(self) -> int:
        return len(self.ids)


def choose_ids(n_total: int, max_rows: int, *, seed: int) -> Rows:
    """Return the ids that are shown, rising: all, or a sample drawn without replacement."""
    return sample_rows(n_total, max_rows, seed=seed)


def describe_rows(n: int, n_total: int, what: str, *, seed: int) -> str:
    """Describe how many rows of how many are shown, and how they were drawn."""
    if n == n_total:
        return f"all {n_total:,} {what}"
    return f"a sample of {n:,} of {n_total:,} {what}, seed {seed}"


@dataclass(frozen=True, eq=False)
class Vectors:
    """Uncalibrated vectors of one model and layer set or table.

    Attributes:
        recipe: With the hub commit that was used; its calibrator is ignored.
        x_fit: What calibrators are fitted on, shape (M, D).
        x: The rows that are shown, shape (N, D).
        share: The part of a larger corpus that `x_fit` is.
    """

    recipe: Recipe | WordRecipe
    x_fit: FloatArray = field(repr=False)
    x: FloatArray = field(repr=False)
    share: float = 1.0


class RowSource(Protocol):
    """Sentences or words."""

    @property
    def rows(self) -> WallRows:
        """The rows that are shown."""
        ...

    def dim(self, pane: Pane) -> int:
        """Return the number of features D of a pane's vectors, before any work."""
        ...

    def vectors(self, pane: Pane) -> Vectors:
        """Return the vectors of a pane's model and layer set or table."""
        ...
