"""A filled grid: the score of each row on each data set, its change and its average."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from bertflow_core.datasets import SentencePairs
from bertflow_core.evaluation import RHO, Metric, metric_of
from bertflow_core.studies.comparison.cell import Cell
from bertflow_core.studies.comparison.grid import Grid, Row

__all__ = ["Comparison"]


@dataclass(frozen=True)
class Comparison:
    """The numbers of a grid; rho in [-1, 1], AUC in [0, 1], means over seeds if there are several.

    A score is Spearman's rho, or AUC where a data set has labels.

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
        """How a score is taken over subsets."""
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

    def metric(self, dataset: str) -> Metric:
        """Return what the pairs of a data set are scored by."""
        return metric_of(self.pairs[dataset].metric)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the data sets, once each."""
        return tuple({metric.name: metric for metric in map(self.metric, self.pairs)}.values())

    def heading(self, dataset: str) -> str:
        """Return what a column is called: the data set, and its metric where it is not rho."""
        metric = self.metric(dataset)
        return dataset if metric is RHO else f"{dataset} ({metric.word})"

    def scores(self, row: Row, dataset: str, aggregation: str | None = None) -> list[float | None]:
        """Return the score of each seed; None where it is undefined."""
        how = aggregation or self.aggregation
        return [getattr(cell.scores.main, how) for cell in self.fits(row, dataset)]

    def fits(self, row: Row, dataset: str) -> tuple[Cell, ...]:
        """Return the cells of a row on a data set, one per seed."""
        return self.cells[row, dataset]

    def score(self, row: Row, dataset: str, aggregation: str | None = None) -> float | None:
        """Return the score, the mean over seeds; None where it is undefined."""
        return _mean(self.scores(row, dataset, aggregation))

    def change(self, row: Row, dataset: str, aggregation: str | None = None) -> float | None:
        """Return the score less that of the row's own baseline; None for a baseline."""
        return _less(
            row,
            self.score(row, dataset, aggregation),
            self.score(row.baseline, dataset, aggregation),
        )

    def average(self, row: Row, aggregation: str | None = None) -> float | None:
        """Return the mean score over the data sets; None where they have different metrics."""
        if len(self.metrics) > 1:
            return None
        return _mean([self.score(row, dataset, aggregation) for dataset in self.grid.datasets])

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
