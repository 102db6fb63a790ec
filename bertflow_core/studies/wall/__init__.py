"""The wall: the same rows in up to six spaces, drawn with a measure of how faithful it is."""

from bertflow_core.studies.wall.drawing import (
    PanePicture,
    ProjectionCache,
    faithfulness_column,
    pictures,
)
from bertflow_core.studies.wall.nearest import PaneNeighbours, neighbours_of
from bertflow_core.studies.wall.parts import Column, Scatter
from bertflow_core.studies.wall.recipe import MAX_PANES, MAX_ROWS, Pane, Picture, WallRecipe
from bertflow_core.studies.wall.rows import WallRows
from bertflow_core.studies.wall.selection import selection_records, selection_report
from bertflow_core.studies.wall.spaces import Space, Wall, build_spaces

__all__ = [
    "MAX_PANES",
    "MAX_ROWS",
    "Column",
    "Pane",
    "PaneNeighbours",
    "PanePicture",
    "Picture",
    "ProjectionCache",
    "Scatter",
    "Space",
    "Wall",
    "WallRecipe",
    "WallRows",
    "build_spaces",
    "faithfulness_column",
    "neighbours_of",
    "pictures",
    "selection_records",
    "selection_report",
]
