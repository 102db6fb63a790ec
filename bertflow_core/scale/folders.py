"""Embed and calibrate folders of parquet files, and fit a calibrator on them.

One function writes the output of a file, here or on a Ray cluster: a file of the same name with the
same rows, written under a temporary name and then renamed. Its metadata says how it was made, so
that an interrupted run continues with the missing files.
"""

import glob
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.datasets.parquet import parquet_damage, vectors_in, write_parquet
from bertflow_core.encoders.given import OWN
from bertflow_core.errors import BertFlowError, Cancelled, InputError, explain, listed
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context
from bertflow_core.runtime.files import SCRATCH, check_file, disk_errors
from bertflow_core.scale.batches import CUT, REFUSED, VECTOR, Embed, Stage, cells_of
from bertflow_core.scale.cluster import by_ray
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 8192
"""Number of rows in memory at a time, besides a sample."""

_ROWS = "rows"
"""The unit of progress; reports in other units do not change the count."""
_MAX_BYTES = 64 << 30
_SAID = b"bertflow"
"""Key of the description in a file's metadata."""


@dataclass(frozen=True)
class Written:
    """Counts of rows with and without a vector, and the first reason why a vector is missing."""

    rows: int
    refused: int
    reason: str
    cut: int  # sentences longer than the longest input
    width: int
    n_files: int
    n_skipped: int  # files that existed before


@dataclass(frozen=True)
class FittedOnFiles:
    """A calibrator fitted on files, with the recipe and number of their vectors and with notes."""

    calibrator: Calibrator
    recipe: Recipe
    n_rows: int
    notes: tuple[str, ...]


def write_files(
    stage: Stage,
    source: Path | str,
    out: Path | str,
    *,
    address: str | None = None,
    force: bool = False,
) -> Written:
    """Apply a stage to each file; a second run continues an interrupted one.

    Args:
        stage: The work on each batch of rows.
        source: A parquet file, a folder of them, or a pattern.
        out: Output folder, which receives a file of the same name for each input.
        address: Running Ray cluster that processes the files at the same time, `auto` or
            HOST[:PORT]; needs the extra `scale`. With None, files are processed here in turn.
        force: Whether to replace files that were made with other settings.

    Raises:
        InputError: No usable row, a damaged file (the other files are finished first), or an
            output folder with other files in it.
        ResourceError: The disk or the cluster failed.

    Example:
        >>> from bertflow_core.scale import Embed, write_files
        >>> write_files(Embed("bge-base"), "corpus", "vectors")  # doctest: +SKIP
    """
    from pyarrow import dataset as arrow

    out, request = Path(out).absolute(), stage.request()
    files = find_files(source, outside=out)
    kept = _kept(out, files, request, force=force)
    left = {file: _known(file)[0] for file in files if file.name not in kept}
    _write_each(left, partial(_write, stage=stage, out=out, request=request), address, stage)
    made = arrow.dataset([str(out / file.name) for file in files], format="parquet")
    refused = made.filter(arrow.field(REFUSED).is_valid())
    n_refused, width = refused.count_rows(), made.schema.field(VECTOR).type.list_size
    rows, why = made.count_rows() - n_refused, ""
    if n_refused:
        why = refused.head(1, columns=[REFUSED])[REFUSED][0].as_py()
    if n_refused and not rows:
        raise InputError(f"no row of {quoted(source)} is usable: {why}")
    cut = made.count_rows(filter=arrow.field(CUT)) if CUT in made.schema.names else 0
    return Written(rows, n_refused, why, cut, width, len(files), len(kept))


def _write_each(
    files: Mapping[Path, int],
    write: Callable[[Path], BertFlowError | None],
    address: str | None,
    stage: Stage,
) -> None:
    """Write the result of each file; an error in one file does not stop the others.

    `files` maps each file to its number of rows.
    """
    before, in_all, listener = 0, sum(files.values()), context.listener()

    def of_all(done: int, total: int, unit: str) -> None:
        listener(before + (done if unit == _ROWS else 0), in_all, _ROWS)

    results = (write(file) for file in files)
    if files and address is not None:
        results = by_ray(write, [*files], address, is_heavy=isinstance(stage, Embed))
    faults: dict[str, BertFlowError] = {}
    with closing(results):
        for file, n_rows in files.items():
            with context.reporting(of_all):
                context.report(0, n_rows, _ROWS)
                fault = next(results)
            if fault is not None:
                faults[file.name] = fault
            before += n_rows
            context.report(before, in_all, _ROWS)
    if faults:
        names, first = listed(list(faults)), next(iter(faults.values()))
        raise type(first)(
            f"{len(faults):,} of {len(files):,} files failed ({names}; {first}): correct or "
            "remove these files and run it again; finished files are kept"
        )


def fit_files(
    spec: str,
    source: Path | str,
    *,
    n_sample: int = 1_000_000,
    seed: int = 0,
    device: str | None = None,
    column: str = VECTOR,
) -> FittedOnFiles:
    """Fit a calibrator on the vectors of files, read one after another.

    A calibrator that depends only on mean and covariance is fitted on all vectors in one pass. Any
    other calibrator is fitted on a sample. The seed determines the rows of the sample, whatever
    their division into files.

    Args:
        spec: Spec of the calibrator.
        source: A parquet file, a folder of them, or a pattern.
        n_sample: Number of rows to sample, including rows without a usable vector. An epoch has
            as many steps as a pass over all rows of the files, not over the sample.
        seed: Seed of the sample and of the fit.
        device: Device that fits a flow.
        column: Column of vectors.

    Example:
        >>> from bertflow_core.scale import fit_files
        >>> fit_files("whiten", "vectors").n_rows  # doctest: +SKIP
    """
    files = find_files(source)
    recipe = recipe_of(files, source).with_(calibrator=spec, seed=seed)
    total = sum(_known(file)[0] for file in files)
    share = min(1.0, n_sample / max(1, total))
    calibrator = recipe.spec.build(seed=seed, device=device, share=share)
    drawn, refused, notes = None, Counter[str](), []
    if not calibrator.fits_moments:
        draw = np.random.default_rng(seed).choice
        drawn = np.sort(draw(total, min(n_sample, total), replace=False))
    vectors = _vectors(files, column, drawn, total, refused)
    if drawn is None:
        moments = reduce(Moments.merge, map(Moments.of, vectors))
        n = moments.n
        calibrator.fit_moments(moments)
    else:
        x = np.concatenate([*vectors])
        n = len(x)
        calibrator.fit(x)
        if n_sample < total:
            notes.append(f"fitted on a sample of {n:,} of {total:,} rows")
    if refused:
        notes.append(f"{refused.total():,} rows are left out ({next(iter(refused))})")
    return FittedOnFiles(calibrator, recipe, n, (*calibrator.notes_, *notes))


def recipe_of(files: Sequence[Path], source: Path | str) -> Recipe:
    """Return the recipe of the vectors in files.

    If the sentences of a single file were embedded, that file is the fit corpus. Otherwise the
    data set is `source`.
    """
    said = [_known(file)[1] for file in files]
    made = [each.get("request", ("", {})) for each in said]
    first, *others = [how["recipe"] if does == "embed" else None for does, how in made]
    for file, other in zip(files[1:], others, strict=True):
        if other != first:
            raise InputError(
                f"{quoted(files[0])} and {quoted(file)} hold vectors of different recipes: "
                "choose files of one recipe"
            )
    if first is None:
        return Recipe(model=OWN, dataset=str(source))
    if others:
        return Recipe.from_dict(first).with_(dataset=_pattern_of(source))
    return Recipe.from_dict(first).with_(fit_on=f"{said[0]['file']}#{made[0][1]['column']}")


def is_many(source: Path | str) -> bool:
    """Tell whether a name stands for many files: a folder, or a pattern with *, ? or [."""
    return os.path.isdir(source) or (not os.path.isfile(source) and glob.has_magic(str(source)))


def find_files(source: Path | str, *, outside: Path | None = None) -> list[Path]:
    """Return the parquet files that a pattern, a folder or a file stands for, sorted by name.

    Names that begin with a dot or an underscore are skipped, and so are files in the folder
    `outside`.
    """
    found: dict[str, Path] = {}
    for each in glob.glob(_pattern_of(source), recursive=True):
        file = Path(os.path.abspath(each))
        is_output = outside is not None and file.parent.resolve() == outside.resolve()
        if file.suffix != ".parquet" or file.name[0] in "._" or is_output:
            continue
        if file.name in found:
            raise InputError(
                f"{quoted(source)} matches several files named {quoted(file.name)}: "
                "rename them, since each output takes the name of its input"
            )
        found[file.name] = file
    if not found:
        beside = "" if outside is None else f" outside {quoted(outside)}"
        raise InputError(
            f"{quoted(source)} matches no .parquet file{beside}: check the name, and put quotes "
            "around a pattern"
        )
    return [found[name] for name in sorted(found)]


def _pattern_of(source: Path | str) -> str:
    if os.path.isdir(source):
        return str(Path(glob.escape(str(source))) / "*.parquet")
    return glob.escape(str(source)) if os.path.isfile(source) else str(source)


def _write(file: Path, *, stage: Stage, out: Path, request: object) -> BertFlowError | None:
    """Write the result of a file, or return what the user can correct."""
    try:
        if stage.request() != request:
            raise InputError(
                "this machine would compute different vectors: install the versions and the model "
                "of the machine where you started the command"
            )
        said = {"request": request, "file": str(file), "source": _mark(file)}
        with disk_errors(out, does="write"):
            out.mkdir(parents=True, exist_ok=True)
        made = _staged(file, stage)
        write_parquet(out / file.name, made, {_SAID: json.dumps(said, allow_nan=False)})
    except Exception as error:
        fault = explain(error)
        if fault is None or isinstance(fault, Cancelled):
            raise
        return fault
    return None


def _staged(file: Path, stage: Stage) -> "Iterator[pa.Table]":
    done = 0
    for batch in _batches(file, stage.columns):
        yield stage(batch)
        done += len(batch)
        context.report(done, done, _ROWS)  # the listener knows the rows of all files


def _vectors(
    files: Sequence[Path], column: str, drawn: Rows | None, total: int, refused: Counter[str]
) -> Iterator[FloatArray]:
    """Yield the usable vectors, batch by batch, and count the other rows by reason.

    `drawn` has the ascending numbers of the rows to read, counted over all files; None is all.
    """
    first = width = 0
    for file in files:
        for batch in _batches(file, (column,)):
            begin, first = first, first + len(batch)
            if drawn is not None:
                low, high = np.searchsorted(drawn, (begin, first))
                batch = batch.take(drawn[low:high] - begin)
            x, reasons = vectors_in(cells_of(batch, (column,))[0], column)
            is_usable = np.array([why is None for why in reasons], bool)
            refused.update(reasons[~is_usable])
            context.report(first, total, _ROWS)
            if not is_usable.any():
                continue
            width = width or x.shape[1]
            if x.shape[1] != width:
                raise InputError(
                    "the vectors have different widths: expected the same width in all files"
                )
            yield x[is_usable]
    if not width:
        why = next(iter(refused), "there are no rows")
        raise InputError(f"no row has a usable vector ({why})")


def _kept(out: Path, files: Sequence[Path], request: object, *, force: bool) -> set[str]:
    """Return the names of finished outputs; refuse a folder with anything else in it."""
    if out.is_file():
        raise InputError(f"{quoted(out)} is a file: many output files need a folder")
    sources, kept = {file.name: file for file in files}, set()
    for file in out.glob("*"):
        said, source = _known(file)[1], sources.get(file.name)
        is_same = bool(said) and said["request"] == request
        if said and source is not None and (is_same or force):
            if is_same and said["source"] == _mark(source):
                kept.add(file.name)
        elif not file.name.startswith(SCRATCH):
            raise InputError(
                f"{quoted(out)} holds {quoted(file.name)}, which does not come from the source "
                "or was made with other settings: choose another folder, or give --force to "
                "replace files with other settings"
            )
    return kept


def _batches(file: Path, columns: Sequence[str]) -> "Iterator[pa.Table]":
    """Yield a file's rows in one or more tables, with those of `columns` that exist."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_file(file, _MAX_BYTES)
    with (
        parquet_damage(file.name),
        pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False) as opened,
    ):
        schema = opened.schema_arrow
        if opened.metadata.num_rows == 0:
            yield schema.empty_table()
        there = [name for name in columns if name in schema.names]
        for batch in opened.iter_batches(ROWS_AT_ONCE, columns=there):
            yield pa.Table.from_batches([batch])


def _known(file: Path) -> tuple[int, dict[str, Any]]:
    """Return a file's number of rows and its description; 0 and {} if it cannot be read."""
    import pyarrow.parquet as pq

    try:
        with parquet_damage(file.name):
            metadata = pq.read_metadata(file)
        said = json.loads((metadata.metadata or {}).get(_SAID, b"{}"))
    except ValueError:
        return 0, {}
    return metadata.num_rows, said if isinstance(said, dict) and "request" in said else {}


def _mark(file: Path) -> dict[str, int]:
    status = file.stat()
    return {"bytes": status.st_size, "modified_ns": status.st_mtime_ns}
