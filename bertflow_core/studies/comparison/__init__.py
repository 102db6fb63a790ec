"""Comparison: many recipes side by side, and which of their differences are significant."""

from bertflow_core.studies.comparison.cells import Cell, CellFolder, CellStore
from bertflow_core.studies.comparison.grid import AVERAGE, PAPER_LAYOUTS, Grid, PaperLayout, Row
from bertflow_core.studies.comparison.measure import Comparison, compare
from bertflow_core.studies.comparison.significance import (
    Arrows,
    arrows_of,
    joined,
    significance,
)

__all__ = [
    "AVERAGE",
    "PAPER_LAYOUTS",
    "Arrows",
    "Cell",
    "CellFolder",
    "CellStore",
    "Comparison",
    "Grid",
    "PaperLayout",
    "Row",
    "arrows_of",
    "compare",
    "joined",
    "significance",
]
