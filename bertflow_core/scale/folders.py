"""Embed and calibrate folders of parquet files, and fit a calibrator on them.

Each input file gives an output file with the same name and rows. It is written under a temporary
name and then renamed. Its metadata says how it was made, so that an interrupted run continues with
the missing files.
"""

import glob
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import Rows
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.datasets.parquet import parquet_damage, write_parquet
from bertflow_core.encoders.given import OWN
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context
from bertflow_core.runtime.files import SCRATCH, check_file, disk_errors
from bertflow_core.scale.batches import CUT, REFUSED, VECTOR, Embed, Stage, Usable
from bertflow_core.scale.engines import PROCESS, ROWS, made_of
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 8192
"""Number of rows in memory at a time, besides a sample."""

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
    engine: str = PROCESS,
    address: str | None = None,
    force: bool = False,
) -> Written:
    """Apply a stage to each file; a second run continues an interrupted one.

    Args:
        stage: The work on each batch of rows.
        source: A parquet file, a folder of them, or a pattern.
        out: Output folder, which receives a file of the same name for each input.
        engine: `process`, or `ray`, which needs the extra `scale`.
        address: Address of a running Ray cluster, `auto` or HOST[:PORT]; None starts one on this
            machine.
        force: Whether to replace files that were made with other settings.

    Example:
        >>> from bertflow_core.scale import Embed, write_files
        >>> write_files(Embed("bge-base"), "corpus", "vectors")  # doctest: +SKIP
    """
    from pyarrow import dataset as arrow

    out, request = Path(out).absolute(), stage.request()
    files = find_files(source, outside=out)
    kept = _kept(out, files, request, force=force)
    left = {file: _known(file)[0] for file in files if file.name not in kept}
    write = partial(_write, stage=stage, out=out, request=request)
    for _ in made_of(left, write, engine, address, is_heavy=isinstance(stage, Embed)):
        pass
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


def fit_files(
    spec: str,
    source: Path | str,
    *,
    engine: str = PROCESS,
    address: str | None = None,
    n_sample: int = 1_000_000,
    seed: int = 0,
    device: str | None = None,
    column: str = VECTOR,
) -> FittedOnFiles:
    """Fit a calibrator on the vectors of files.

    A calibrator that depends only on mean and covariance is fitted on all vectors in one pass. Any
    other calibrator is fitted on a sample in this process. The seed determines the rows of the
    sample, whatever their division into files.

    Args:
        spec: Spec of the calibrator.
        source: A parquet file, a folder of them, or a pattern.
        engine: Engine that reads the files, as in `write_files`.
        address: Address of a running Ray cluster.
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
    counts = {file: _known(file)[0] for file in files}
    share = min(1.0, n_sample / max(1, sum(counts.values())))
    calibrator = recipe.spec.build(seed=seed, device=device, share=share)
    drawn = None if calibrator.fits_moments else _drawn(counts, n_sample, seed)
    read = partial(_read, column=column, drawn=drawn)
    with closing(made_of(counts, read, engine, address)) as parts:
        found = Usable.together(parts)
    notes = found.notes()
    if drawn is None:
        n = found.made[0].n
        calibrator.fit_moments(found.made[0])
    else:
        if len({x.shape[1] for x in found.made}) > 1:
            raise InputError(
                "the vectors have different widths: expected the same width in all files"
            )
        x = np.concatenate(found.made)
        found.made.clear()  # a sample is large: keep one copy only
        n, total = len(x), sum(counts.values())
        calibrator.fit(x)
        if n_sample < total:
            notes.insert(0, f"fitted on a sample of {n:,} of {total:,} rows")
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


def _write(file: Path, *, stage: Stage, out: Path, request: object) -> None:
    """Write the result of a stage for a file, with a description in its metadata."""
    if stage.request() != request:
        raise InputError(
            "this machine would compute different vectors: install the versions and the model of "
            "the machine where you started the command"
        )
    said = {"request": request, "file": str(file), "source": _mark(file)}
    with disk_errors(out, does="write"):
        out.mkdir(parents=True, exist_ok=True)
    made = map(stage, _batches(file, stage.columns))
    write_parquet(out / file.name, made, {_SAID: json.dumps(said, allow_nan=False)})


def _read(file: Path, *, column: str, drawn: Mapping[Path, Rows] | None) -> Usable:
    """Return the moments of a file's vectors, or the vectors of its sampled rows."""

    def parts() -> Iterator[Usable]:
        first = 0
        for batch in _batches(file, (column,)):
            if drawn is None:
                yield Usable.of(batch, column, Moments.of)
            else:
                low, high = np.searchsorted(drawn[file], (first, first + len(batch)))
                yield Usable.of(batch.take(drawn[file][low:high] - first), column, np.asarray)
            first += len(batch)

    return Usable.together(parts())


def _drawn(counts: Mapping[Path, int], n_sample: int, seed: int) -> dict[Path, Rows]:
    """Draw rows from all files; return the drawn row numbers of each file, ascending."""
    ends, draw = np.cumsum([*counts.values()]), np.random.default_rng(seed).choice
    rows = np.sort(draw(ends[-1], min(n_sample, ends[-1]), replace=False))
    parts, starts = np.split(rows, np.searchsorted(rows, ends[:-1])), (0, *ends[:-1])
    return {file: part - start for file, part, start in zip(counts, parts, starts, strict=True)}


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
        done, total, schema = 0, opened.metadata.num_rows, opened.schema_arrow
        if total == 0:
            yield schema.empty_table()
        there = [name for name in columns if name in schema.names]
        for batch in opened.iter_batches(ROWS_AT_ONCE, columns=there):
            yield pa.Table.from_batches([batch])
            done += batch.num_rows
            context.report(done, total, ROWS)


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
