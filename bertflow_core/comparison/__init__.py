"""Many recipes side by side: a grid, its numbers, and whether their differences mean something."""

from bertflow_core.comparison.cells import Cell, CellFolder, CellMemory
from bertflow_core.comparison.grid import BASELINE, Grid, Row
from bertflow_core.comparison.run import compare
from bertflow_core.comparison.significance import Assessment, assess
from bertflow_core.comparison.table import Comparison

__all__ = [
    "BASELINE",
    "Assessment",
    "Cell",
    "CellFolder",
    "CellMemory",
    "Comparison",
    "Grid",
    "Row",
    "assess",
    "compare",
]
