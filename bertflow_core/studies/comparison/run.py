"""Fill a grid: load, embed once, fit what is not there yet, and score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bertflow_core import experiment
from bertflow_core.datasets import Corpus, SentencePairs
from bertflow_core.progress import Progress, heartbeat, silent
from bertflow_core.recipe import Recipe
from bertflow_core.results import Prepared
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.comparison.cells import Cell, CellMemory, CellStore, cell_key
from bertflow_core.studies.comparison.grid import Grid, Row
from bertflow_core.studies.comparison.result import Comparison

__all__ = ["compare"]

Data = tuple[SentencePairs, Corpus]


def compare(
    grid: Grid,
    *,
    data: Mapping[str, Data] | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    cells: CellStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> Comparison:
    """Score every row of a grid on every data set; what `cells` holds is not computed again.

    Args:
        grid: Rows, columns and protocol.
        data: Pairs and fit corpus of data sets that are no files.
        data_dir: Where benchmark data lies; None looks at `BERTFLOW_DATA`.
        store: Where embeddings are kept; None is the user's cache.
        cells: Where finished fits are kept; None keeps them for this call.
        device: Where the encoder and the flow run; None takes the best device here.
        batch_tokens: Most tokens in one forward call; None suits the device.
        progress: Told of sentences while they are embedded and of cells as they are finished.

    Raises:
        InputError: Data, a model or a calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    cells = cells or CellMemory(max_bytes=1 << 50)
    found: dict[tuple[Row, str], list[Cell]] = {}
    pairs: dict[str, SentencePairs] = {}
    tasks = list(_tasks(grid, data or {}, data_dir, device, batch_tokens, pairs))
    prepare = _Preparation(store, device, batch_tokens, progress)
    for done, task in enumerate(tasks):
        progress(done, len(tasks), "cells")
        cell = cells.get(task.key)
        if cell is None:
            fitting = heartbeat(progress, done, len(tasks), "cells")
            cell = _compute(prepare(task), task.recipe, device, fitting)
            cells.put(task.key, cell)
        # A cell holds every aggregation; the recipe it is shown under is the one asked for.
        shown = replace(cell, recipe=task.recipe)
        found.setdefault((task.row, task.dataset), []).append(shown)
    progress(len(tasks), len(tasks), "cells")
    return Comparison(grid, pairs, {place: tuple(fits) for place, fits in found.items()})


@dataclass(frozen=True)
class _Task:
    """A fit to find or to do."""

    row: Row
    dataset: str
    recipe: Recipe
    data: Data
    key: str


def _tasks(
    grid: Grid,
    data: Mapping[str, Data],
    data_dir: Path | None,
    device: str | None,
    batch_tokens: int | None,
    pairs: dict[str, SentencePairs],
) -> Sequence[_Task]:
    """Name every fit, so that all input is read and refused before the first is done."""
    tasks = []
    loaded: dict[str, Data] = dict(data)
    encoders = {
        row.encoder: experiment.make_encoder(
            grid.recipes(row, grid.datasets[0])[0], device=device, batch_tokens=batch_tokens
        )
        for row in grid.rows
        if row == row.baseline
    }
    for row, dataset, recipe in grid.cells():
        if dataset not in loaded:
            loaded[dataset] = experiment.load_data(recipe, data_dir)
        pairs[dataset] = loaded[dataset][0]
        encoder = encoders[row.encoder]
        recipe = recipe.with_(revision=encoder.model.revision)
        prints = [encoder.fingerprint, *(part.fingerprint for part in loaded[dataset])]
        tasks.append(_Task(row, dataset, recipe, loaded[dataset], cell_key(recipe, *prints)))
    return tasks


class _Preparation:
    """Embeddings of the last encoder and data set asked for: the next task mostly shares them."""

    def __init__(
        self,
        store: EmbeddingStore | None,
        device: str | None,
        batch_tokens: int | None,
        progress: Progress,
    ) -> None:
        self._options = {"store": store, "device": device, "batch_tokens": batch_tokens}
        self._progress = progress
        self._of: tuple[tuple[str, str, str], str] | None = None
        self._prepared: Prepared | None = None

    def __call__(self, task: _Task) -> Prepared:
        of = task.row.encoder, task.dataset
        if self._prepared is None or of != self._of:
            self._prepared = None  # two at once would need the memory of both
            self._prepared = experiment.prepare(
                task.recipe,
                data=task.data,
                progress=self._progress,
                **self._options,
            )
            self._of = of
        return self._prepared


def _compute(prepared: Prepared, recipe: Recipe, device: str | None, progress: Progress) -> Cell:
    from bertflow_core.calibrators.loss import information_lost  # scikit-learn, late

    result = experiment.evaluate_calibrator(
        replace(prepared, recipe=recipe), recipe.calibrator, device=device, progress=progress
    )
    lost = information_lost(result.calibrator, prepared.x_fit)
    return Cell(
        recipe=recipe,
        scores=result.scores,
        similarity=result.similarity,
        random_cosine=result.random_cosine,
        rank_lost=lost.rank_lost,
        round_trip=lost.round_trip,
        fitted_on=prepared.corpus.description,
        n_cut=prepared.n_cut,
        n_sentences=prepared.n_sentences,
        notes=tuple(result.calibrator.notes_),
        seconds=result.seconds,
    )
