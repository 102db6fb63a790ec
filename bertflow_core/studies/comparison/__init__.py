"""Comparison: many recipes side by side, and which of their differences are significant."""

from bertflow_core.studies.comparison.arrows import Arrows, arrows_of
from bertflow_core.studies.comparison.cell import Cell
from bertflow_core.studies.comparison.cell_cache import CellFolder, CellMemory
from bertflow_core.studies.comparison.grid import BASELINE, Grid, Row
from bertflow_core.studies.comparison.measure import compare
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.studies.comparison.significance import Assessment, assess

__all__ = [
    "BASELINE",
    "Arrows",
    "Assessment",
    "Cell",
    "CellFolder",
    "CellMemory",
    "Comparison",
    "Grid",
    "Row",
    "arrows_of",
    "assess",
    "compare",
]
