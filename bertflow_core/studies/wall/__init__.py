"""The wall: the same rows in up to six spaces, drawn with a measure of how faithful it is."""

from bertflow_core.studies.wall.parts import Column, Scatter
from bertflow_core.studies.wall.recipe import (
    MAX_PANES,
    MAX_ROWS,
    Pane,
    Picture,
    RowChoices,
    WallRecipe,
)
from bertflow_core.studies.wall.spaces import PaneSpace, Wall, WallRows, build_wall

__all__ = [
    "MAX_PANES",
    "MAX_ROWS",
    "Column",
    "Pane",
    "PaneSpace",
    "Picture",
    "RowChoices",
    "Scatter",
    "Wall",
    "WallRecipe",
    "WallRows",
    "build_wall",
]
