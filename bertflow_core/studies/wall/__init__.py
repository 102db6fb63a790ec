"""The wall: the same rows in up to six spaces, drawn with a measure of how faithful it is."""

from collections.abc import Mapping, Sequence

from bertflow_core.lab import Lab
from bertflow_core.studies.wall.parts import Column, Scatter
from bertflow_core.studies.wall.recipe import (
    MAX_PANES,
    MAX_ROWS,
    Picture,
    RowChoices,
    WallRecipe,
)
from bertflow_core.studies.wall.spaces import PaneSpace, Wall, WallRows

__all__ = [
    "MAX_PANES",
    "MAX_ROWS",
    "Column",
    "PaneSpace",
    "Picture",
    "RowChoices",
    "Scatter",
    "Wall",
    "WallRecipe",
    "WallRows",
    "build_wall",
]


def build_wall(
    recipe: WallRecipe, lab: Lab, *, more: Mapping[str, Sequence[object]] | None = None
) -> Wall:
    """Embed the rows and fit the calibrator of every pane.

    Args:
        recipe: The choices.
        lab: Where data and vectors are found; words need only its device.
        more: More columns of the pairs by name, one cell per pair; a sentence takes those of the
            first pair that it occurs in.
    """
    from bertflow_core.studies.wall.sentences import sentence_wall
    from bertflow_core.studies.wall.words import word_wall

    return word_wall(recipe, lab) if recipe.of_words else sentence_wall(recipe, lab, more or {})
