"""Fill a grid: load the data, embed it once, fit what is not there yet, and score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bertflow_core import context
from bertflow_core.lab import Data, Lab
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared
from bertflow_core.studies.comparison.cell import Cell
from bertflow_core.studies.comparison.cell_cache import CellMemory, CellStore, cell_key
from bertflow_core.studies.comparison.grid import Grid, Row
from bertflow_core.studies.comparison.result import Comparison

__all__ = ["compare"]


def compare(grid: Grid, lab: Lab, *, cells: CellStore | None = None) -> Comparison:
    """Score every row of a grid on every data set; what `cells` holds is not computed again.

    Args:
        grid: Rows, columns and protocol.
        lab: Where data and embeddings are kept, and what computes.
        cells: Where finished fits are kept; None keeps them for this call only.

    Raises:
        InputError: Data, a model or a calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    cells = cells or CellMemory(max_bytes=1 << 50)
    lab = replace(lab, tables=_load(grid, lab))
    tasks = _tasks(grid, lab)
    prepare = _Preparation(replace(lab, ahead=tuple(task.recipe for task in tasks)))
    fits: dict[tuple[Row, str], list[Cell]] = {}
    for done, task in enumerate(tasks):
        context.report(done, len(tasks), "cells")
        cell = cells.get(task.key)
        if cell is None:
            prepared = prepare(task)
            with context.repeating(done, len(tasks), "cells"):
                cell = _compute(prepared, task.recipe, lab.device)
            cells.put(task.key, cell)
        # A cell holds every aggregation; the one that this grid asks for is in the task's recipe.
        fits.setdefault((task.row, task.dataset), []).append(replace(cell, recipe=task.recipe))
    context.report(len(tasks), len(tasks), "cells")
    pairs = {dataset: lab.tables[dataset][0] for dataset in grid.datasets}
    return Comparison(grid, pairs, {place: tuple(each) for place, each in fits.items()})


@dataclass(frozen=True)
class _Task:
    """One fit, to be read from the cache or computed."""

    row: Row
    dataset: str
    recipe: Recipe
    key: str


def _load(grid: Grid, lab: Lab) -> dict[str, Data]:
    """Read every data set of the grid, so that what is unusable is refused before any fit."""
    first = grid.rows[0]
    return {dataset: lab.load(grid.recipes(first, dataset)[0]) for dataset in grid.datasets}


def _tasks(grid: Grid, lab: Lab) -> Sequence[_Task]:
    """Return every fit with its key; a model that cannot be used is refused here."""
    baselines = [row for row in grid.rows if row == row.baseline]
    encoders = {
        row.encoder: lab.encoder(grid.recipes(row, grid.datasets[0])[0]) for row in baselines
    }
    tasks = []
    for row, dataset, recipe in grid.cells():
        encoder = encoders[row.encoder]
        recipe = recipe.with_(revision=encoder.model.revision)
        prints = [encoder.fingerprint, *(part.fingerprint for part in lab.tables[dataset])]
        tasks.append(_Task(row, dataset, recipe, cell_key(recipe, *prints)))
    return tasks


class _Preparation:
    """Keeps the embeddings of the last encoder and data set: the next task mostly shares them."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._of: tuple[tuple[str, str, str], str] | None = None
        self._prepared: Prepared | None = None

    def __call__(self, task: _Task) -> Prepared:
        of = task.row.encoder, task.dataset
        if self._prepared is None or of != self._of:
            self._prepared = None  # two at once would need the memory of both
            self._prepared = self._lab.prepare(task.recipe)
            self._of = of
        return self._prepared


def _compute(prepared: Prepared, recipe: Recipe, device: str | None) -> Cell:
    from bertflow_core.calibrators.base import rank_lost, round_trip_error  # late

    result = replace(prepared, recipe=recipe).under(recipe.calibrator, device=device)
    return Cell(
        recipe=recipe,
        scores=result.scores,
        similarity=result.similarity,
        random_cosine=result.random_cosine,
        rank_lost=rank_lost(result.calibrator, prepared.x_fit),
        round_trip=round_trip_error(result.calibrator, prepared.x_fit),
        fitted_on=f"{prepared.corpus.description} {prepared.seen_remark}",
        n_cut=prepared.n_cut,
        n_sentences=prepared.n_sentences,
        notes=result.notes,
        seconds=result.seconds,
    )
