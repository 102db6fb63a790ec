"""The nearest of all rows in shards to some vectors: exact, a batch of rows in memory at a time.

A batch gives the best of its rows to each query, and the best of two batches are the best of both.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bertflow_core.analysis.neighbours import Metric, nearest_neighbours
from bertflow_core.errors import InputError, choose
from bertflow_core.linalg import FloatArray, Rows, as_numbers, unit_rows
from bertflow_core.progress import Progress, silent
from bertflow_core.scale.columns import ids as ids_of
from bertflow_core.scale.columns import vectors as vectors_of
from bertflow_core.scale.engines import Engine, Fault, Need, Note
from bertflow_core.scale.names import ID, VECTOR, Nearness
from bertflow_core.scale.run import counted, refuse_faults
from bertflow_core.scale.shard import Shard
from bertflow_core.scale.shards import find_shards
from bertflow_core.scale.work import with_ids

__all__ = ["ShardNeighbours", "neighbours"]

_NUMBERS_AT_ONCE = 1 << 22


@dataclass(frozen=True, eq=False)
class ShardNeighbours:
    """The nearest rows of each of n queries, nearest first.

    Attributes:
        metric: `cosine`, `l2` or `dot`.
        ids: Of the rows, objects of shape (n, k).
        values: Cosines or products, falling, or L2 distances, rising; float64, shape (n, k).
        n_rows: Rows that were compared.
        refused: Rows that could not be.
        reason: Of the first of these; empty where there is none.
    """

    metric: Nearness
    ids: np.ndarray
    values: FloatArray
    n_rows: int
    refused: int
    reason: str


def neighbours(
    source: Path | str,
    queries: FloatArray,
    k: int,
    *,
    engine: Engine,
    metric: str = Nearness.COSINE,
    own: Sequence[object] | None = None,
    column: str = VECTOR,
    key: str = ID,
    progress: Progress = silent,
) -> ShardNeighbours:
    """Find the k rows of shards that are nearest to each query, as if all were in one array.

    Args:
        source: A pattern of parquet files, their folder, one file, or a Lance dataset.
        queries: Shape (n, D).
        k: How many, at most as many as there are rows.
        engine: Where the shards are read; see `open_engine`.
        metric: `cosine`, `l2` or `dot`.
        own: The id of each query, n of them: no row of this id, compared as text, is its
            neighbour, however many have it.
        column: The vectors.
        key: The ids; rows without one are named by their file and their number.
        progress: Called with the rows of all shards; may raise `Cancelled`.

    Returns:
        Values as float64 gives them; of equal ones the earlier row comes first.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import numpy as np
        >>> import pyarrow as pa
        >>> import pyarrow.parquet as pq
        >>> from bertflow_core.scale import neighbours, open_engine
        >>> table = pa.table({"id": ["s", "t"], "vector": [[1.0, 0.0], [0.0, 3.0]]})
        >>> with TemporaryDirectory() as folder, open_engine() as engine:
        ...     pq.write_table(table, Path(folder, "a.parquet"))
        ...     found = neighbours(folder, np.array([[0.0, 2.0]]), 1, engine=engine)
        ...     found.ids.tolist(), found.values.tolist()
        ([['t']], [[1.0]])

    Raises:
        InputError: Shards, queries, k or a metric that cannot be used.
        ResourceError: The disk refused, or a worker was lost again and again.
    """
    search = _search(queries, k, choose(Nearness, metric, "metric"), own, column, key)
    shards = find_shards(source)
    _check_enough(k, [each.count() for each in shards])
    told = counted(progress, shards, shards)
    best, faults = _Best.nothing(len(search.queries)), dict[str, Fault]()
    n_rows = refused = 0
    reasons: dict[int, str] = {}
    for place, result in engine.run(search, shards, need=Need.CORE, told=told):
        if isinstance(result, Fault):
            faults[shards[place].label] = result
            continue
        best = best.joined(result.best.of_shard(place), k)
        n_rows, refused = n_rows + result.n_rows, refused + result.refused
        reasons[place] = result.reason
    refuse_faults(faults, len(shards))
    reason = next((reasons[place] for place in sorted(reasons) if reasons[place]), "")
    if best.width < k:
        why = f" ({reason})" if reason else ""
        raise InputError(
            f"k must be from 1 to {best.width:,}, got {k:,}: of {n_rows + refused:,} rows "
            f"{n_rows:,} can be used{why}"
        )
    values = best.costs if search.metric == Nearness.L2 else -best.costs
    return ShardNeighbours(search.metric, best.ids, values, n_rows, refused, reason)


def _search(
    queries: FloatArray,
    k: int,
    metric: Nearness,
    own: Sequence[object] | None,
    column: str,
    key: str,
) -> "_Search":
    x = np.asarray(as_numbers(queries, "queries"))
    if x.ndim != 2 or not x.size or not np.isfinite(x).all():
        raise InputError(
            f"queries must be finite numbers of shape (n, D), n and D at least 1, got {x.shape}"
        )
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}")
    if own is not None and len(own) != len(x):
        raise InputError(f"own must name an id for each of {len(x):,} queries, got {len(own):,}")
    points = unit_rows(x) if metric == Nearness.COSINE else x
    return _Search(points, k, metric, None if own is None else tuple(map(str, own)), column, key)


def _check_enough(k: int, counts: Sequence[int]) -> None:
    """Refuse, before any work, a k larger than all rows; a shard of none may be damaged."""
    if all(counts) and k > sum(counts):
        raise InputError(f"k must be from 1 to {sum(counts):,}, got {k:,}: there are no more rows")


@dataclass(frozen=True, eq=False)
class _Best:
    """Candidates of each of n queries, the best first.

    A query that has fewer than the others has some of infinite cost at its end.

    Attributes:
        costs: What rises from the best on, shape (n, K).
        shards: The places of the candidates' shards, shape (n, K).
        rows: Their numbers in the shard, shape (n, K).
        ids: Objects, shape (n, K).
    """

    costs: FloatArray
    shards: Rows
    rows: Rows
    ids: np.ndarray = field(repr=False)

    @classmethod
    def nothing(cls, n: int) -> "_Best":
        """Return no candidates."""
        rows = np.empty((n, 0), np.int64)
        return cls(np.empty((n, 0)), rows, rows, np.empty((n, 0), object))

    @property
    def width(self) -> int:
        """How many candidates each query has at least."""
        return int(np.isfinite(self.costs).sum(axis=1).min())

    def of_shard(self, place: int) -> "_Best":
        """Return these as of the shard at a place."""
        return _Best(self.costs, np.full_like(self.shards, place), self.rows, self.ids)

    def joined(self, other: "_Best", k: int) -> "_Best":
        """Return the k best of both; of equal ones the earlier rows."""
        costs, shards, rows, ids = (
            np.concatenate([getattr(self, name), getattr(other, name)], axis=1)
            for name in ("costs", "shards", "rows", "ids")
        )
        order = np.lexsort((rows, shards, costs))[:, :k]
        return _Best(
            *(np.take_along_axis(each, order, axis=1) for each in (costs, shards, rows, ids))
        )


@dataclass(frozen=True)
class _Found:
    """What a shard gives: its best rows, and how many there are."""

    best: _Best
    n_rows: int
    refused: int
    reason: str


@dataclass(frozen=True, eq=False)
class _Search:
    """Finds the best rows of a shard."""

    queries: FloatArray = field(repr=False)
    k: int
    metric: Nearness
    own: tuple[str, ...] | None
    column: str
    key: str

    def __call__(self, shard: Shard, note: Note) -> _Found:
        n, width = self.queries.shape
        best, n_rows, refused, reason = _Best.nothing(n), 0, 0, ""
        at_once = max(1, _NUMBERS_AT_ONCE // width)
        for first, batch in shard.batches((self.key, self.column), at_once):
            sifted = vectors_of(batch, self.column, width)
            if len(sifted.values):
                ids = ids_of(with_ids(batch, shard, first, self.key), self.key)
                kept = np.empty(len(sifted.rows), object)
                kept[:] = [ids[row] for row in sifted.rows]
                best = best.joined(self._best(sifted.values, sifted.rows + first, kept), self.k)
            n_rows, refused = n_rows + len(sifted.rows), refused + len(sifted.refused)
            reason = reason or next(iter(sifted.refused.values()), "")
            note(first + len(batch))
        return _Found(best, n_rows, refused, reason)

    def _best(self, x: FloatArray, rows: Rows, ids: np.ndarray) -> _Best:
        """Return the best of some rows, and as many more as have the id of one query at most."""
        names = np.array([str(each) for each in ids], object)
        k = min(self.k + self._most_own(names), len(x))
        points = unit_rows(x) if self.metric == Nearness.COSINE else x
        metric = Metric.L2 if self.metric == Nearness.L2 else Metric.DOT
        found = nearest_neighbours(points, self.queries, k, metric=metric)
        costs = found.values if metric == Metric.L2 else -found.values
        if self.own is not None:
            is_own = names[found.rows] == np.array(self.own, object)[:, None]
            costs = np.where(is_own, np.inf, costs)
        return _Best(costs, np.zeros_like(found.rows), rows[found.rows], ids[found.rows])

    def _most_own(self, names: np.ndarray) -> int:
        """Return how many of the rows of these names one query leaves out at most."""
        counts = Counter(names.tolist())
        return max((counts[name] for name in set(self.own or ())), default=0)
