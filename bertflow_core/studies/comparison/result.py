"""A filled grid: rho of each row on each data set, its change and its average."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from bertflow_core.datasets import SentencePairs
from bertflow_core.studies.comparison.cell import Cell
from bertflow_core.studies.comparison.grid import Grid, Row

__all__ = ["Comparison"]


@dataclass(frozen=True)
class Comparison:
    """The numbers of a grid; correlations in [-1, 1], means over seeds where there are several.

    Attributes:
        grid: Rows, columns and protocol.
        pairs: What was scored, by data set.
        cells: The fits of each row on each data set, one per seed.
    """

    grid: Grid
    pairs: Mapping[str, SentencePairs] = field(repr=False)
    cells: Mapping[tuple[Row, str], tuple[Cell, ...]] = field(repr=False)

    @property
    def aggregation(self) -> str:
        """How rho is taken over subsets."""
        return self.grid.protocol.aggregation

    def under(self, aggregation: str) -> "Comparison":
        """Return the same fits under another aggregation: a cell holds all of them."""
        protocol = self.grid.protocol.with_(aggregation=aggregation)
        cells = {
            place: tuple(
                replace(cell, recipe=cell.recipe.with_(aggregation=aggregation)) for cell in fits
            )
            for place, fits in self.cells.items()
        }
        return replace(self, grid=replace(self.grid, protocol=protocol), cells=cells)

    def rhos(self, row: Row, dataset: str, aggregation: str | None = None) -> list[float | None]:
        """Return Spearman's rho of each seed; None where it is undefined."""
        how = aggregation or self.aggregation
        return [getattr(cell.scores.spearman, how) for cell in self.fits(row, dataset)]

    def fits(self, row: Row, dataset: str) -> tuple[Cell, ...]:
        """Return the cells of a row on a data set, one per seed."""
        return self.cells[row, dataset]

    def rho(self, row: Row, dataset: str, aggregation: str | None = None) -> float | None:
        """Return rho, the mean over seeds; None where it is undefined."""
        return _mean(self.rhos(row, dataset, aggregation))

    def change(self, row: Row, dataset: str, aggregation: str | None = None) -> float | None:
        """Return rho less that of the row's own baseline; None for a baseline."""
        return _less(
            row,
            self.rho(row, dataset, aggregation),
            self.rho(row.baseline, dataset, aggregation),
        )

    def average(self, row: Row, aggregation: str | None = None) -> float | None:
        """Return the mean of rho over the data sets."""
        return _mean([self.rho(row, dataset, aggregation) for dataset in self.grid.datasets])

    def average_change(self, row: Row, aggregation: str | None = None) -> float | None:
        """Return the average less that of the row's own baseline; None for a baseline."""
        return _less(row, self.average(row, aggregation), self.average(row.baseline, aggregation))


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None


def _less(row: Row, value: float | None, baseline: float | None) -> float | None:
    if row == row.baseline or value is None or baseline is None:
        return None
    return value - baseline
