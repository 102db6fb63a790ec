"""What a wall needs of its data: the rows, and their vectors in the space of any pane."""

from dataclasses import dataclass, field
from typing import Protocol

from bertflow_core.numerics import FloatArray
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe
from bertflow_core.wall.recipe import Pane
from bertflow_core.wall.rows import WallRows
from bertflow_core.word_recipe import WordRecipe

__all__ = ["RowSource", "Vectors"]


@dataclass(frozen=True, eq=False)
class Vectors:
    """Uncalibrated vectors of one model and layer set or table.

    Attributes:
        recipe: With the hub commit that was found; its calibrator is not looked at.
        x_fit: What calibrators are fitted on, shape (M, D).
        x: The rows that are shown, shape (N, D).
    """

    recipe: Recipe | WordRecipe
    x_fit: FloatArray = field(repr=False)
    x: FloatArray = field(repr=False)


class RowSource(Protocol):
    """Sentences or words."""

    @property
    def rows(self) -> WallRows:
        """The rows that are shown."""
        ...

    def dim(self, pane: Pane) -> int:
        """Return the number of features D of a pane's vectors, before any work."""
        ...

    def vectors(self, pane: Pane, progress: Progress) -> Vectors:
        """Return the vectors of a pane's model and layer set or table."""
        ...
