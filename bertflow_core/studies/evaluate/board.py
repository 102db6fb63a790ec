"""The scores of every row on every data set, with intervals, tests and letters.

A row is compared with its own uncalibrated vectors, with its model's plain output, with the first
model (if it is another model's own output) and with a baseline, if one is named. Holm's adjustment
is over the differences of one kind on one data set, so that a row has the same p whatever other
data sets stand beside.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Texts
from bertflow_core.evaluation import N_DRAWS, RHO, Comparison, Metric, Score, compare, metric_of
from bertflow_core.evaluation.comparison import average, letters, smallest_p
from bertflow_core.evaluation.significance import ALPHA
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.evaluation import Scored
from bertflow_core.lab.grid import Grid, fits_of, mean_over_fits
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import too_few
from bertflow_core.lab.verdict import Verdict, verdict
from bertflow_core.studies.evaluate.axes import REFERENCES, EvaluateRecipe, Rows
from bertflow_core.studies.lexical_baselines import LexicalResult

AVERAGE = "average"
"""The name of the mean over data sets."""


@dataclass(frozen=True)
class Board:
    """The scores of every row on every data set, and their comparisons."""

    params: EvaluateRecipe
    rows: Rows
    grid: Grid
    lexical: Mapping[str, Sequence[LexicalResult]]  # by data set

    @property
    def datasets(self) -> tuple[str, ...]:
        """The distinct data sets."""
        return tuple(dict.fromkeys(self.params.datasets))

    def fits(self, row: Recipe, dataset: str) -> tuple[Recipe, ...]:
        """Return the recipes of a row on a data set, one per seed."""
        return fits_of(row.on(dataset), self.params.seeds)

    def cells(self, row: Recipe, dataset: str) -> tuple[Cell, ...]:
        """Return the cells of a row on a data set, one per seed."""
        return tuple(self.grid.cells[each] for each in self.fits(row, dataset))

    def data(self, dataset: str) -> Texts:
        """Return the scored data of this name."""
        return self.grid.data[self.fits(self.rows.every[0], dataset)[0]]

    def metric(self, dataset: str) -> Metric:
        """Return the metric of a data set."""
        return metric_of(self.data(dataset).metric)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The distinct metrics of the data sets."""
        return tuple({(m := self.metric(name)).name: m for name in self.datasets}.values())

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The data sets of each column; if all have one metric, another column averages them."""
        every = {AVERAGE: self.datasets}
        has_average = len(self.datasets) > 1 and len(self.metrics) == 1
        return {name: (name,) for name in self.datasets} | (every if has_average else {})

    @property
    def summary(self) -> tuple[str, ...]:
        """The columns that answer for all: the average or, without one, each data set."""
        return (AVERAGE,) if AVERAGE in self.columns else self.datasets

    def heading(self, column: str) -> str:
        """Return the heading of a column: the data set, and its metric unless that is rho."""
        metric = self.metrics[0] if column == AVERAGE else self.metric(column)
        return column if metric is RHO else f"{column} ({metric.word})"

    @cached_property
    def scores(self) -> dict[str, dict[Recipe | str, Score]]:
        """The score of each row, by column; rows without vectors by their name."""
        by_column: dict[str, dict[Recipe | str, Score]] = {}
        for name in self.datasets:
            fits: dict[Recipe | str, Sequence[Scored]] = {
                row: self.cells(row, name) for row in self.rows.every
            }
            fits |= {each.spec: [each] for each in self.lexical.get(name, ())}
            by_column[name] = mean_over_fits(fits, self.data(name), self.params.base())
        if AVERAGE in self.columns:
            by_column[AVERAGE] = {
                row: average(
                    [by_column[name][row] for name in self.datasets], seed=self.params.seed
                )
                for row in self.rows.every
            }
        return by_column

    @cached_property
    def comparisons(self) -> dict[str, dict[str, dict[Recipe | str, Comparison]]]:
        """The tested differences, by column and kind."""
        return {column: self._compared(column) for column in self.columns}

    def _compared(self, column: str) -> dict[str, dict[Recipe | str, Comparison]]:
        scores = self.scores[column]
        by_kind: dict[str, dict[Recipe | str, Comparison]] = {}
        for each in REFERENCES:
            family = {}
            for row in scores:
                other = self.rows.reference(each, row)
                if other is not None and Comparison(scores[other].value, scores[row].value).shown:
                    family[row] = scores[other], scores[row]
            by_kind[each.key] = compare(family)
        return by_kind

    def columns_of(self, row: Recipe | str, column: str) -> dict[str, Any]:
        """Return the score of a row, its interval and its tested differences."""
        columns: dict[str, Any] = {**self.scores[column][row].columns}
        for key, tested in self.comparisons[column].items():
            columns |= tested[row].columns(key) if row in tested else {}
        return columns

    def letters(self, dataset: str) -> dict[str, str]:
        """Return the letters of rows; none if there are too few resamples to separate so many."""
        scores = {self.rows.name(row): self.scores[dataset][row] for row in self.rows.every}
        n_pairs = comb(len(scores), 2)
        if not n_pairs or n_pairs * smallest_p(scores, N_DRAWS) > ALPHA:
            return {}
        return letters(scores, N_DRAWS)

    def between_models(self, column: str) -> list[Verdict[Recipe]]:
        """Compare the own output of each further model with that of the first."""
        first, tested = self.rows.own_outputs[0], self.comparisons[column]["to_first"]
        return [
            Verdict.of_one(row, first, change, len(tested))
            for row, change in tested.items()
            if isinstance(row, Recipe)
        ]

    def sentence(self, verdict: Verdict[Recipe], column: str) -> str:
        """Return a verdict in a sentence."""
        names = self.columns[column]
        is_one = len(names) == 1
        where = self.data(names[0]).title if is_one else f"the {column} of {' and '.join(names)}"
        return verdict.sentence(where, self.metric(names[0]), self.rows.spoken)

    def verdict(self, column: str) -> Verdict[Recipe] | None:
        """Compare the best row with the baseline, by default the first row."""
        scores = {row: self.scores[column][row] for row in self.rows.every}
        reference = self.rows.baseline or self.rows.every[0]
        return verdict(scores, reference, too_few=self.too_few(column))

    def headline(self) -> str:
        """Return the answer in a few words, or none; of several data sets that of the first."""
        column = self.summary[0]
        found, metric = self.verdict(column), self.metric(self.columns[column][0])
        return "" if found is None else found.headline(metric, self.rows.short)

    def without_fit(self, column: str) -> Verdict[Recipe] | None:
        """Compare the best uncalibrated row as `verdict` does, given several similarities."""
        reference = self.rows.baseline or self.rows.every[0]
        ways = {row.similarity for row in self.rows.every}
        scores = {
            row: self.scores[column][row]
            for row in self.rows.every
            if len(ways) > 1 and (row == reference or row.calibrator == BASELINE)
        }
        return verdict(scores, reference, too_few=self.too_few(column)) if scores else None

    def too_few(self, column: str) -> str:
        """Return a sentence on why the units of a data set are too few; empty if they suffice."""
        first = self.rows.baseline or self.rows.every[0]
        warnings = (
            too_few(self.scores[name][first].value, self.data(name), self.metric(name))
            for name in self.columns[column]
        )
        return next(filter(None, warnings), "")
