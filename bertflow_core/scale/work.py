"""One shard through a stage: read a batch at a time, written whole or not at all."""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bertflow_core.datasets.parquet_writer import parquet_writer
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import atomic_write, cannot_write
from bertflow_core.scale.engines import Need, Note
from bertflow_core.scale.manifest import FileMark, Request, ShardRecord
from bertflow_core.scale.names import CUT, ID, REASON, REFUSED, ROW, VECTOR
from bertflow_core.scale.outputs import OutputFolder
from bertflow_core.scale.shard import Shard
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ShardWork", "Stage", "with_ids"]


class Stage(Protocol):
    """What is done to every batch; `Embed` and `Calibrate` are stages."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def need(self) -> Need: ...  # noqa: D102
    @property
    def columns(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def rows_at_once(self) -> int: ...  # noqa: D102
    def describe(self) -> dict[str, Any]: ...  # noqa: D102
    def __call__(self, batch: Any) -> "pa.Table": ...  # noqa: ANN401, D102


@dataclass(frozen=True)
class ShardWork:
    """The work on one shard after another, in this process or in a worker of a cluster."""

    stage: Stage
    request: Request
    out: OutputFolder

    def finished(self, shard: Shard) -> ShardRecord | None:
        """Return the record of a shard if it is finished: same request, input and output."""
        record = ShardRecord.read(self.out.manifest(shard), self.request)
        if record is None or not shard.is_still(record.source):
            return None
        data = self.out.data(shard)
        return record if record.output.fits(data) else None

    def __call__(self, shard: Shard, note: Note) -> ShardRecord:
        """Make the output of a shard, then its manifest.

        Args:
            shard: What to read.
            note: Called with the rows of the shard that are done.

        Raises:
            InputError: The file or the stage cannot be used.
            ResourceError: The disk refused.
        """
        start = time.perf_counter()
        if Request(self.stage.name, self.stage.describe()).digest != self.request.digest:
            raise InputError(
                "this machine would compute it otherwise: install the same versions, and the same "
                "model, as where the command was given"
            )
        source = shard.mark()
        data, manifest = self.out.data(shard), self.out.manifest(shard)
        try:
            manifest.unlink(missing_ok=True)  # so that it never stands beside another's output
            counts = self._write(shard, data, note)
            seconds = round(time.perf_counter() - start, 3)
            path = str(shard.path)
            record = ShardRecord(
                source, FileMark.of(data), **counts, seconds=seconds, source_path=path
            )
            record.write(manifest, self.request)
        except ResourceError:
            raise
        except OSError as error:
            raise cannot_write(data, error) from error
        return record

    def _write(self, shard: Shard, path: Path, note: Note) -> dict[str, Any]:
        """Write what is made of a shard and what was refused; return how much there is of both."""
        side, key = self.out.refused(shard), self.stage.columns[0]
        counts = Counter(rows=0, refused=0, cut=0)
        reason, width = "", 0
        with atomic_write(path) as new, atomic_write(side) as new_side:
            with parquet_writer(new) as write, parquet_writer(new_side) as write_side:
                for first, batch in shard.batches(self.stage.columns, self.stage.rows_at_once):
                    made = self.stage(with_ids(batch, shard, first, key))
                    good, bad = _parted(made, first, key)
                    write(good)
                    write_side(bad)
                    counts.update(rows=len(good), refused=len(bad), cut=_number_cut(good))
                    reason = reason or (bad.column(REASON)[0].as_py() if len(bad) else "")
                    width = good.schema.field(VECTOR).type.list_size
                    note(first + len(batch))
        if not counts["refused"]:
            side.unlink()
        return {**counts, "reason": reason, "width": width}


def with_ids(batch: "pa.Table", shard: Shard, first: int, key: str) -> "pa.Table":
    """Give rows without ids the name of their shard and their number in it, from 1.

    Raises:
        InputError: A column was named for the ids and is not there, or its ids are no text and
            some are missing.
    """
    import pyarrow as pa
    from pyarrow import compute, types

    is_there = key in batch.column_names
    if not is_there and key != ID:
        raise InputError(f"there is no column {quoted(key)} for the ids: name another, or none")
    if is_there and not batch.column(key).null_count:
        return batch
    names = pa.array([f"{shard.name}:{first + row}" for row in range(1, len(batch) + 1)])
    if not is_there:
        return batch.add_column(0, key, names)
    kind = batch.column(key).type
    if types.is_null(kind):
        filled = names
    elif types.is_string(kind) or types.is_large_string(kind):
        filled = compute.coalesce(batch.column(key), names.cast(kind))
    else:
        raise InputError(
            f"some rows have no {quoted(key)}, and its values are no text but {kind}: fill them, "
            "or write them as text"
        )
    return batch.set_column(batch.column_names.index(key), key, filled)


def _parted(made: "pa.Table", first: int, key: str) -> "tuple[pa.Table, pa.Table]":
    """Return the rows that a stage made, and ids, numbers and reasons of those it refused."""
    import pyarrow as pa
    from pyarrow import compute

    good = compute.is_null(made.column(REFUSED))
    bad = made.filter(compute.invert(good))
    numbers = np.flatnonzero(~good.to_numpy()) + first + 1
    side = pa.table(
        {key: bad.column(key), ROW: pa.array(numbers, pa.int64()), REASON: bad.column(REFUSED)}
    )
    return made.drop_columns([REFUSED]).filter(good), side


def _number_cut(good: "pa.Table") -> int:
    if CUT not in good.column_names:
        return 0
    from pyarrow import compute

    return int(compute.sum(good.column(CUT)).as_py() or 0)
