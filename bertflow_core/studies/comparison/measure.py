"""Fill a grid: load the data, embed it once, fit what is not there yet, and score."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from bertflow_core import context
from bertflow_core.contrasts import Scores
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RHO, Metric
from bertflow_core.lab import AnyEncoder, Data, Lab
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared
from bertflow_core.studies.comparison.cells import Cell, CellStore, cell_key
from bertflow_core.studies.comparison.grid import AVERAGE, Grid, Row, Vectors


@dataclass(frozen=True)
class Comparison:
    """The numbers of a grid; rho in [-1, 1], AUC in [0, 1], means over seeds if there are several.

    A score is Spearman's rho, or AUC where a data set has labels. Where a data set may be named,
    `AVERAGE` stands for the mean over all of them.

    Attributes:
        grid: Rows, columns and protocol.
        pairs: What was scored, by data set.
        cells: The fits of each row on each data set, one per seed.
    """

    grid: Grid
    pairs: Mapping[str, SentencePairs] = field(repr=False)
    cells: Mapping[tuple[Row, str], tuple[Cell, ...]] = field(repr=False)

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

    @cached_property
    def scored(self) -> Scores:
        """The scores of every row, for tests."""
        return Scores(self.cells, self.pairs, self.grid.protocol)

    def metric(self, dataset: str) -> Metric:
        """Return what the pairs of a data set are scored by."""
        return self.scored.metric(dataset)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the data sets, once each."""
        return tuple({metric.name: metric for metric in map(self.metric, self.pairs)}.values())

    @property
    def scores_title(self) -> str:
        """What the numbers are: the metrics of the data sets."""
        return " or ".join(f"{metric.title} x 100" for metric in self.metrics)

    @property
    def columns(self) -> tuple[str | None, ...]:
        """The data sets, and their average where there are several of one metric."""
        names = self.grid.datasets
        has_average = len(names) > 1 and len(self.metrics) == 1
        return (*names, AVERAGE) if has_average else names

    def parts(self, dataset: str | None) -> tuple[str, ...]:
        """Return the data sets that a column is the mean of."""
        return self.grid.datasets if dataset is AVERAGE else (dataset,)

    def heading(self, dataset: str | None) -> str:
        """Return what a column is called: the data set, and its metric where it is not rho."""
        if dataset is AVERAGE:
            return "average"
        metric = self.metric(dataset)
        return dataset if metric is RHO else f"{dataset} ({metric.word})"

    def fits(self, row: Row, dataset: str) -> tuple[Cell, ...]:
        """Return the cells of a row on a data set, one per seed."""
        return self.cells[row, dataset]

    def scores(self, row: Row, dataset: str) -> list[float | None]:
        """Return the score of each seed; None where it is undefined."""
        return self.scored.of_seeds(row, dataset)

    def score(self, row: Row, dataset: str | None) -> float | None:
        """Return the mean over seeds; None where one is undefined, or metrics differ."""
        is_known = dataset in self.columns or len(self.grid.datasets) == 1
        return self.scored.score(row, self.parts(dataset)) if is_known else None

    def change(self, row: Row, dataset: str | None) -> float | None:
        """Return the score less that of the row's own baseline; None for a baseline."""
        after, before = self.score(row, dataset), self.score(row.baseline, dataset)
        if row == row.baseline or after is None or before is None:
            return None
        return after - before


def compare(grid: Grid, lab: Lab, *, cells: CellStore | None = None) -> Comparison:
    """Score every row of a grid on every data set; what `cells` holds is not computed again.

    Args:
        grid: Rows, columns and protocol.
        lab: Where data and embeddings are kept, and what computes.
        cells: Where finished fits are kept, if anywhere.

    Raises:
        InputError: Data, a model or a calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    read = {name: lab.load(grid.recipes(grid.rows[-1], name)[0]) for name in grid.datasets}
    grid, encoders = _encoders(grid, replace(lab, tables=read))
    tasks = _tasks(grid, encoders, read)
    lab = replace(lab, tables=read, ahead=tuple(task.recipe for task in tasks))
    fits: dict[tuple[Row, str], list[Cell]] = {}
    prepared: Prepared | None = None
    last = None
    for done, task in enumerate(tasks):
        context.report(done, len(tasks), "cells")
        cell = cells.get(task.key) if cells else None
        if cell is None:
            if prepared is None or last != (task.row.encoder, task.dataset):
                prepared = None  # two at once would need the memory of both
                prepared, last = lab.prepare(task.recipe), (task.row.encoder, task.dataset)
            with context.repeating(done, len(tasks), "cells"):
                cell = _compute(prepared, task.recipe, lab.device)
            if cells:
                cells.put(task.key, cell)
        # A cell holds every aggregation; the one that this grid asks for is in the task's recipe.
        fits.setdefault((task.row, task.dataset), []).append(replace(cell, recipe=task.recipe))
    context.report(len(tasks), len(tasks), "cells")
    pairs = {name: data[0] for name, data in read.items()}
    return Comparison(grid, pairs, {place: tuple(each) for place, each in fits.items()})


class _Task(NamedTuple):
    """One fit, to be read or computed."""

    row: Row
    dataset: str
    recipe: Recipe
    key: str


def _encoders(grid: Grid, lab: Lab) -> tuple[Grid, dict[Vectors, AnyEncoder]]:
    """Return the encoder of each row, and the grid without plain outputs that there are not.

    A model that cannot be used is refused here.
    """
    found: dict[Vectors, AnyEncoder] = {}
    for row in grid.rows:
        try:
            found[row.encoder] = lab.encoder(grid.recipes(row, grid.datasets[0])[0])
        except InputError:
            if not grid.is_beside(row):
                raise
            grid = replace(grid, without_plain=(*grid.without_plain, row.model))
    return grid, found


def _tasks(
    grid: Grid, encoders: Mapping[Vectors, AnyEncoder], read: Mapping[str, Data]
) -> list[_Task]:
    """Return every fit with its key."""
    tasks = []
    for row, dataset, recipe in grid.cells():
        encoder = encoders[row.encoder]
        recipe = recipe.with_(revision=encoder.model.revision)
        prints = [encoder.fingerprint, *(part.fingerprint for part in read[dataset])]
        tasks.append(_Task(row, dataset, recipe, cell_key(recipe, *prints)))
    return tasks


def _compute(prepared: Prepared, recipe: Recipe, device: str | None) -> Cell:
    from bertflow_core.calibrators.base import rank_lost, round_trip_error  # late

    space = replace(prepared, recipe=recipe).under(recipe.calibrator, device=device)
    return Cell(
        recipe=recipe,
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
