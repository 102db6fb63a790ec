"""A grid filled: every cell is a fit, scored on one data set; what was kept is not computed again.

A row is told against identity on the same vectors and against its model's plain output, each
difference tested, Holm over the differences of either kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from bertflow_core import context
from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.cells import Cell, cell_key
from bertflow_core.contrasts import Contrast, Scores
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RHO, Metric
from bertflow_core.evaluation.inference import Difference
from bertflow_core.lab import AnyEncoder, Lab
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared
from bertflow_core.studies.grid import Grid

__all__ = ["AVERAGE", "Comparison", "fill"]

AVERAGE = "average"
"""Stands for the mean over data sets where a place names one of them."""

Place = tuple[Recipe, str]
"""A row and a column."""


@dataclass(frozen=True)
class Comparison:
    """The numbers of a grid: rho in [-1, 1] or AUC in [0, 1], means over seeds."""

    grid: Grid
    pairs: Mapping[str, SentencePairs] = field(repr=False)  # what was scored, by data set
    cells: Mapping[Place, tuple[Cell, ...]] = field(repr=False)  # the fits of a place, one per seed

    def under(self, aggregation: str) -> "Comparison":
        """Return the same fits under another aggregation: a cell holds all of them."""
        cells = {
            (row.with_(aggregation=aggregation), name): tuple(
                replace(cell, recipe=cell.recipe.with_(aggregation=aggregation)) for cell in fits
            )
            for (row, name), fits in self.cells.items()
        }
        params = self.grid.params.with_(aggregation=aggregation)
        return replace(self, grid=replace(self.grid, params=params), cells=cells)

    @cached_property
    def scored(self) -> Scores:
        """The scores of every row, for tests."""
        return Scores(self.cells, self.pairs, self.grid.params)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the data sets, once each."""
        found = map(self.scored.metric, self.pairs)
        return tuple({metric.name: metric for metric in found}.values())

    @property
    def scores_title(self) -> str:
        """What the numbers are: the metrics of the data sets."""
        return " or ".join(f"{metric.title} x 100" for metric in self.metrics)

    @cached_property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The data sets of each column; the last is all, where there are several of one metric."""
        names = self.grid.datasets
        every = {AVERAGE: names} if len(names) > 1 and len(self.metrics) == 1 else {}
        return {**{name: (name,) for name in names}, **every}

    def heading(self, column: str) -> str:
        """Return what a column is called: the data set, and its metric where it is not rho."""
        metric = RHO if column == AVERAGE else self.scored.metric(column)
        return column if metric is RHO else f"{column} ({metric.word})"

    def fits(self, row: Recipe, dataset: str) -> tuple[Cell, ...]:
        """Return the cells of a row on a data set, one per seed."""
        return self.cells[row, dataset]

    def score(self, row: Recipe, column: str) -> float | None:
        """Return the mean over data sets and seeds; None where one is undefined."""
        return self.scored.score(row, self.columns[column]) if column in self.columns else None

    @cached_property
    def changes(self) -> dict[Place, Difference]:
        """The differences from identity on the same vectors that the table tells, tested."""
        return self._tested(lambda row: row.with_(calibrator=BASELINE))

    @cached_property
    def to_plain(self) -> dict[Place, Difference]:
        """The differences from the plain output of the same model, tested."""
        return self._tested(self.grid.plain)

    def _tested(self, other: Callable[[Recipe], Recipe | None]) -> dict[Place, Difference]:
        """Test every difference whose digits are shown; a score is the mean over seeds."""
        contrasts = {}
        for row in self.grid.rows:
            against = other(row)
            if against is None or against == row:
                continue
            for column, datasets in self.columns.items():
                contrast = Contrast(row, against, datasets)
                if self.scored.untested(contrast).change.shown:
                    contrasts[row, column] = contrast
        tested = self.scored.tested([*contrasts.values()])
        return dict(zip(contrasts, tested, strict=True))


def fill(grid: Grid, lab: Lab) -> Comparison:
    """Score every row of a grid on every data set; what `lab.cells` holds is not computed again."""
    read = {name: lab.load(grid.recipes(grid.rows[-1], name)[0]) for name in grid.datasets}
    lab = replace(lab, tables=read)
    grid, encoders = _encoders(grid, lab)
    tasks = [
        (row, dataset, recipe.with_(revision=encoders[_vectors(row)].model.revision))
        for row, dataset, recipe in grid.cells()
    ]
    lab = replace(lab, ahead=tuple(recipe for *_, recipe in tasks))
    fits: dict[Place, list[Cell]] = {}
    prepared: Prepared | None = None
    last = None
    for done, (row, dataset, recipe) in enumerate(tasks):
        context.report(done, len(tasks), "cells")
        prints = (part.fingerprint for part in read[dataset])
        key = cell_key(recipe, encoders[_vectors(row)].fingerprint, *prints)
        cell = lab.cells.get(key) if lab.cells else None
        if cell is None:
            if prepared is None or last != (_vectors(row), dataset):
                prepared = None  # two at once would need the memory of both
                prepared, last = lab.prepare(recipe), (_vectors(row), dataset)
            with context.repeating(done, len(tasks), "cells"):
                cell = _compute(replace(prepared, recipe=recipe), lab.device)
            if lab.cells:
                lab.cells.put(key, cell)
        # A cell holds every aggregation; the one that this grid asks for is in the task's recipe.
        fits.setdefault((row, dataset), []).append(replace(cell, recipe=recipe))
    context.report(len(tasks), len(tasks), "cells")
    pairs = {name: data[0] for name, data in read.items()}
    return Comparison(grid, pairs, {place: tuple(each) for place, each in fits.items()})


def _vectors(row: Recipe) -> Recipe:
    """Return what decides the vectors of a row."""
    return row.with_(calibrator=BASELINE)


def _encoders(grid: Grid, lab: Lab) -> tuple[Grid, dict[Recipe, AnyEncoder]]:
    """Return the encoder of each row, and the grid without plain outputs that there are not.

    A model that cannot be used is refused here.
    """
    found: dict[Recipe, AnyEncoder] = {}
    for row in grid.rows:
        try:
            found[_vectors(row)] = lab.encoder(row)
        except InputError:
            if not grid.is_beside(row):
                raise
            grid = replace(grid, without_plain=(*grid.without_plain, row.model))
    return grid, found


def _compute(prepared: Prepared, device: str | None) -> Cell:
    from bertflow_core.calibrators.base import rank_lost, round_trip_error  # late

    space = prepared.under(prepared.recipe.calibrator, device=device)
    return Cell(
        recipe=prepared.recipe,
        scores=space.scores,
        similarity=space.similarity,
        random_cosine=space.random_cosine,
        rank_lost=rank_lost(space.calibrator, prepared.x_fit),
        round_trip=round_trip_error(space.calibrator, prepared.x_fit),
        fitted_on=f"{prepared.corpus.description} {prepared.seen_remark}",
        n_cut=prepared.n_cut,
        n_sentences=prepared.n_sentences,
        notes=space.notes,
        seconds=space.seconds,
    )
