"""Many recipes side by side: a grid, its numbers, and whether their differences mean something."""

from bertflow_core.studies.comparison.cells import Cell, CellFolder, CellMemory
from bertflow_core.studies.comparison.grid import BASELINE, Grid, Row
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.studies.comparison.run import compare
from bertflow_core.studies.comparison.significance import Assessment, assess

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
