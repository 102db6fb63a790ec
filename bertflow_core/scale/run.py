"""A stage over every shard of a corpus: what is finished is skipped, what fails is named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bertflow_core.errors import InputError, ResourceError, listed
from bertflow_core.files import SCRATCH, cannot_write, disk_errors
from bertflow_core.progress import Progress, silent
from bertflow_core.scale.engines import Engine, Fault, Told
from bertflow_core.scale.manifest import (
    WHOLE_FORMAT,
    Request,
    ShardRecord,
    read_json,
    versions,
    write_json,
)
from bertflow_core.scale.outputs import OutputFolder
from bertflow_core.scale.shard import Shard
from bertflow_core.scale.shards import find_shards
from bertflow_core.scale.work import ShardWork, Stage
from bertflow_core.wording import quoted

__all__ = ["Summary", "counted", "refuse_faults", "run_stage"]

_SHOWN = 3


@dataclass(frozen=True)
class Summary:
    """What lies in an output folder at the end.

    Attributes:
        n_shards: Shards.
        n_skipped: Those that were finished before.
        rows: Rows that were written.
        refused: Rows that could not be used.
        reason: Of the first of these; empty where there is none.
        cut: Sentences that were longer than the longest input.
        width: Numbers of a vector.
        n_bytes: Size of the shards.
    """

    n_shards: int
    n_skipped: int
    rows: int
    refused: int
    reason: str
    cut: int
    width: int
    n_bytes: int


def run_stage(
    stage: Stage,
    source: Path | str,
    out: Path | str,
    *,
    engine: Engine,
    force: bool = False,
    progress: Progress = silent,
) -> Summary:
    """Apply a stage to shards; run again after a kill, it does what is left.

    Args:
        stage: `Embed` or `Calibrate`.
        source: A pattern of parquet files, their folder, or one file.
        out: A folder, which holds a shard for each of theirs, of the same name.
        engine: Where the work is done; see `open_engine`.
        force: Replace the shards of another request.
        progress: Called with the rows of all shards; may raise `Cancelled`.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import numpy as np
        >>> import pyarrow as pa
        >>> import pyarrow.parquet as pq
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import Calibrate, open_engine, run_stage
        >>> fitted = build_calibrator("standardize").fit(np.array([[0.0, 1.0], [2.0, 5.0]]))
        >>> with TemporaryDirectory() as folder, open_engine() as engine:
        ...     shard = Path(folder, "x", "a.parquet")
        ...     shard.parent.mkdir()
        ...     pq.write_table(pa.table({"id": ["s", "t"], "vector": [[1.0, 3.0], None]}), shard)
        ...     done = run_stage(Calibrate(fitted), shard.parent, Path(folder, "z"), engine=engine)
        ...     done.rows, done.refused
        (1, 1)

    Raises:
        InputError: Shards that cannot be used, or a folder that holds something else.
        ResourceError: The disk refused, or a worker was lost again and again.
    """
    request = Request(stage.name, stage.describe())
    work = ShardWork(stage, request, OutputFolder(Path(out).absolute()))
    is_own = read_json(work.out.whole).get("request") == request.digest
    shards = find_shards(source, outside=work.out.path if is_own else None)
    _prepare(work, shards, force=force)
    records = {each: record for each in shards if (record := work.finished(each)) is not None}
    n_skipped = len(records)
    left = [each for each in shards if each not in records]
    faults: dict[str, Fault] = {}
    with_rows = counted(progress, shards, left)
    for place, result in engine.run(work, left, need=stage.need, told=with_rows):
        if isinstance(result, Fault):
            faults[left[place].label] = result
        else:
            records[left[place]] = result
    _conclude(work, shards, records, faults)
    refuse_faults(faults, len(shards))
    summary = _summary(records, n_skipped)
    if summary.refused and not summary.rows:
        raise InputError(f"no row of {quoted(source)} can be used: {summary.reason}")
    return summary


def counted(progress: Progress, shards: list[Shard], left: list[Shard]) -> Told:
    """Return what is told how far each shard is, and passes on the rows of all."""
    sizes = {each: each.count() for each in shards}
    total = sum(sizes.values())
    before = total - sum(sizes[each] for each in left)
    done: dict[int, int] = {}
    progress(before, total, "rows")

    def told(place: int, rows: int) -> None:
        done[place] = rows
        progress(before + sum(done.values()), total, "rows")

    return told


def refuse_faults(faults: Mapping[str, Fault], n_shards: int) -> None:
    """Raise what says which shards failed, if any did.

    Raises:
        InputError: One of them cannot be used.
        ResourceError: All that failed did for want of a disk or a machine.
    """
    if not faults:
        return
    shown = "; ".join(f"{name}: {each.sentence}" for name, each in list(faults.items())[:_SHOWN])
    more = "; ..." if len(faults) > _SHOWN else ""
    sentence = (
        f"{len(faults):,} of {n_shards:,} shards failed ({shown}{more}): run it again when they "
        "are corrected or taken away; what was written is kept"
    )
    if any(each.is_input for each in faults.values()):
        raise InputError(sentence)
    raise ResourceError(sentence)


def _prepare(work: ShardWork, shards: list[Shard], *, force: bool) -> None:
    """Make the output folder, unless it is another's."""
    folder = work.out.path
    if folder.is_file():
        raise InputError(
            f"{quoted(folder)} is a file: many files are written to a folder, name one"
        )
    with disk_errors(folder):
        entries = folder.iterdir() if folder.exists() else iter(())
        is_filled = any(not each.name.startswith(SCRATCH) for each in entries)
    if folder.resolve() in {each.folder.resolve() for each in shards}:
        raise InputError(f"{quoted(folder)} holds the input: choose another folder to write")
    if is_filled:
        found = read_json(work.out.whole)
        if found.get("format") != WHOLE_FORMAT:
            raise InputError(f"{quoted(folder)} holds other things: choose a new folder name")
        if found.get("request") != work.request.digest and not force:
            raise InputError(
                f"{quoted(folder)} holds shards that were made otherwise (its _manifest.json says "
                "how): choose another folder, or give --force to replace them"
            )
        strange = sorted({*work.out.names()} - {each.name for each in shards})
        if strange:
            raise InputError(
                f"{quoted(folder)} holds shards that the source has not ({listed(strange)}): move "
                "them away, or choose another folder"
            )
    work.out.make()
    _write_whole(work, [], {}, n_shards=len(shards))
    work.out.make_all()


def _conclude(
    work: ShardWork,
    shards: list[Shard],
    records: Mapping[Shard, ShardRecord],
    faults: Mapping[str, Fault],
) -> None:
    in_order = [records[each] for each in shards if each in records]
    _write_whole(work, in_order, faults, n_shards=len(shards))


def _write_whole(
    work: ShardWork,
    records: Sequence[ShardRecord],
    faults: Mapping[str, Fault],
    *,
    n_shards: int,
) -> None:
    """Write the manifest of the folder: how its shards are made, and those that are finished."""
    content = {
        "format": WHOLE_FORMAT,
        "stage": work.request.stage,
        "choices": work.request.choices,
        "request": work.request.digest,
        "versions": versions(),
        "n_shards": n_shards,
        "n_finished": len(records),
        "rows": sum(each.rows for each in records),
        "refused": sum(each.refused for each in records),
        "shards": {
            each.output.name: {
                "rows": each.rows,
                "refused": each.refused,
                "sha256": each.output.sha256,
            }
            for each in records
        },
        "failed": {name: each.sentence for name, each in faults.items()},
    }
    try:
        write_json(work.out.whole, content)
    except OSError as error:
        raise cannot_write(work.out.whole, error) from error


def _summary(records: Mapping[Shard, ShardRecord], n_skipped: int) -> Summary:
    values = list(records.values())
    return Summary(
        n_shards=len(values),
        n_skipped=n_skipped,
        rows=sum(each.rows for each in values),
        refused=sum(each.refused for each in values),
        reason=next((each.reason for each in values if each.reason), ""),
        cut=sum(each.cut for each in values),
        width=values[0].width,
        n_bytes=sum(each.output.n_bytes for each in values),
    )
