"""A calibrator fitted on shards of vectors: on all of them in one pass, or on a sample."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Generic, TypeVar

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.encoders.static import OWN
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.scale.columns import Batch
from bertflow_core.scale.engines import Engine, Fault, Need, Note
from bertflow_core.scale.gathering import Gather, Gathered
from bertflow_core.scale.names import ID, SAMPLE, VECTOR
from bertflow_core.scale.origin import recipe_of, sentences_of
from bertflow_core.scale.run import counted, refuse_faults
from bertflow_core.scale.sampling import Draw, Drawn, sampled
from bertflow_core.scale.shard import Shard
from bertflow_core.scale.shards import find_shards, pattern_of
from bertflow_core.scale.widths import CountWidths, settled_width

__all__ = ["FittedOnShards", "fit_shards"]

_ROWS_AT_ONCE = 8192
_FEW = 16
"""Shards whose beginning settles the width."""

Part = TypeVar("Part")
Whole = TypeVar("Whole")


@dataclass(frozen=True)
class FittedOnShards:
    """A calibrator with what it was fitted on.

    Attributes:
        calibrator: Fitted.
        recipe: Of the vectors.
        n_rows: Rows it was fitted on.
        n_usable: Rows of the shards that could be used.
        refused: Those that could not.
        reason: Of the first of these; empty where there is none.
    """

    calibrator: Calibrator
    recipe: Recipe
    n_rows: int
    n_usable: int
    refused: int
    reason: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the fit, one sentence each."""
        notes = [*self.calibrator.notes_]
        if self.n_rows < self.n_usable:
            notes.append(f"fitted on a sample of {self.n_rows:,} of {self.n_usable:,} rows")
        if self.refused:
            notes.append(f"{self.refused:,} rows could not be used ({self.reason})")
        return tuple(notes)


@dataclass(frozen=True)
class _Reduce(Generic[Part, Whole]):
    """Makes something of each batch of a shard, and one thing of all of it."""

    make: Callable[[Batch], Part]
    join: Callable[[Iterable[Part]], Whole]
    columns: tuple[str, ...]

    def __call__(self, shard: Shard, note: Note) -> Whole:
        return self.join(self._made(shard, note))

    def _made(self, shard: Shard, note: Note) -> Iterator[Part]:
        for first, batch in shard.batches(self.columns, _ROWS_AT_ONCE):
            yield self.make(batch)
            note(first + len(batch))


def fit_shards(
    spec: str,
    source: Path | str,
    *,
    engine: Engine,
    n_sample: int = SAMPLE,
    seed: int = 0,
    device: str | None = None,
    column: str = VECTOR,
    key: str = ID,
    progress: Progress = silent,
) -> FittedOnShards:
    """Fit a calibrator on the vectors of shards.

    One that mean and covariance decide is fitted on all of them; any other on a sample, which the
    ids and the seed decide, in this process.

    Args:
        spec: What to build.
        source: A pattern of parquet files, their folder, or one file.
        engine: Where the shards are read; see `open_engine`.
        n_sample: Rows of a sample.
        seed: Of the sample and of the fit.
        device: Where a flow is fitted.
        column: The vectors.
        key: The ids; only a sample needs them.
        progress: Called with the rows of all shards, then with the steps; may raise `Cancelled`.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import numpy as np
        >>> import pyarrow as pa
        >>> import pyarrow.parquet as pq
        >>> from bertflow_core.scale import fit_shards, open_engine
        >>> rows = np.random.default_rng(0).normal(size=(30, 2)).tolist()
        >>> with TemporaryDirectory() as folder, open_engine() as engine:
        ...     pq.write_table(pa.table({"vector": rows}), Path(folder, "a.parquet"))
        ...     fit_shards("whiten", folder, engine=engine).n_rows
        30

    Raises:
        InputError: Shards, a spec or vectors that cannot be used; or what wrote the shards has not
            finished.
        ResourceError: The disk refused, or a worker was lost again and again.
    """
    calibrator = build_calibrator(spec, seed=seed, device=device)
    shards = find_shards(source)
    of_shards = recipe_of(shards)
    over = _Over(engine, shards, progress)
    width = over.width(column)
    if calibrator.fits_moments:
        work = _Reduce(Gather(column, width), Gathered.joined, (column,))
        whole = Gathered.joined(over.run(work)).checked()
        calibrator.fit_moments(whole.moments)
        n_rows = n_usable = whole.moments.n
        refused, reason = whole.refused, whole.reason
    else:
        drawn = sampled(over.draw, n_sample, over.n_rows, seed, column, key, width)
        calibrator.fit(drawn.x, progress=progress)
        n_rows, n_usable = len(drawn.x), drawn.n_usable
        refused, reason = drawn.refused, drawn.reason
    recipe = _recipe(of_shards, shards, source).with_(calibrator=spec, seed=seed)
    return FittedOnShards(calibrator, recipe, n_rows, n_usable, refused, reason)


@dataclass(frozen=True)
class _Over:
    """Shards, with where they are read and who is told."""

    engine: Engine
    shards: list[Shard]
    progress: Progress

    @property
    def n_rows(self) -> int:
        return sum(each.count() for each in self.shards)

    def width(self, column: str) -> int | None:
        """Return the width of the vectors, by the beginnings of shards from all over the corpus.

        Raises:
            InputError: They have several.
        """
        few = self.shards[:: max(1, len(self.shards) // _FEW)]
        return settled_width(_Over(self.engine, few, silent).run(CountWidths(column)))

    def run(self, work: Callable[[Shard, Note], Whole]) -> list[Whole]:
        """Return what is made of every shard, in their order.

        Raises:
            InputError: One cannot be used.
            ResourceError: One could not be read.
        """
        results: dict[int, Whole] = {}
        faults: dict[str, Fault] = {}
        told = counted(self.progress, self.shards, self.shards)
        for place, result in self.engine.run(work, self.shards, need=Need.CORE, told=told):
            if isinstance(result, Fault):
                faults[self.shards[place].label] = result
            else:
                results[place] = result
        refuse_faults(faults, len(self.shards))
        return [results[place] for place in sorted(results)]

    def draw(self, draw: Draw) -> list[Drawn]:
        """Let every row draw; return those that are kept."""
        work = _Reduce(draw, list, (draw.key, draw.column))
        return list(chain.from_iterable(self.run(work)))


def _recipe(of_shards: Recipe | None, shards: list[Shard], source: Path | str) -> Recipe:
    """Return the recipe of the vectors: of one file by its sentences, of many by their pattern."""
    if of_shards is None:
        return Recipe(model=OWN, dataset=str(source))
    sentences = sentences_of(shards[0]) if len(shards) == 1 else None
    if sentences is not None:
        return of_shards.with_(fit_on=sentences)
    return of_shards.with_(dataset=pattern_of(source))
