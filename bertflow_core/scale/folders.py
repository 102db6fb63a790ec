"""Folders of parquet files in, folders of parquet files out: here, or on the machines of Ray.

Each file becomes one of the same name and the same rows, written beside and renamed, which says in
its metadata how it was made; so work that was interrupted goes on with the files that are not
there.
"""

import glob
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets.parquet import parquet_damage
from bertflow_core.encoders.given import OWN
from bertflow_core.errors import (
    InputError,
    listed,
)
from bertflow_core.files import SCRATCH, atomic_write, check_file, disk_errors
from bertflow_core.linalg import Rows
from bertflow_core.moments import Moments
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

from bertflow_core.scale.batches import (
    CUT,
    ID,
    REFUSED,
    VECTOR,
    Calibrate,
    Embed,
    Found,
    all_of,
    found_in,
    merged,
    present,
)
from bertflow_core.scale.engines import PROCESS, ROWS, results

SAMPLE = 1_000_000
"""Rows of a sample that a calibrator is fitted on."""

_ROWS_AT_ONCE = 8192
_MAX_BYTES = 64 << 30
_SAID = b"bertflow"
"""Key in a file's metadata, of how it was made."""


@dataclass(frozen=True)
class Written:
    """What lies in the output files.

    Attributes:
        rows: Rows with a vector.
        refused: Rows without.
        reason: Of the first of these; empty where there is none.
        cut: Sentences that were longer than the longest input.
        width: Numbers of a vector.
        n_files: Files.
        n_skipped: Those that were there before.
    """

    rows: int
    refused: int
    reason: str
    cut: int
    width: int
    n_files: int
    n_skipped: int

    @classmethod
    def of(cls, files: Sequence[Path], n_skipped: int) -> "Written":
        """Return what lies in files, by their small columns."""
        import pyarrow.parquet as pq

        rows, cut, refused, width, why = 0, 0, 0, 0, ""
        for file in files:
            names = (schema := pq.read_schema(file)).names
            table = pq.read_table(file, columns=[name for name in (CUT, REFUSED) if name in names])
            reasons = table.column(REFUSED).drop_null()
            rows, refused = rows + len(table) - len(reasons), refused + len(reasons)
            why = why or (reasons[0].as_py() if len(reasons) else "")
            cut += int(table.column(CUT).to_numpy().sum()) if CUT in names else 0
            width = schema.field(VECTOR).type.list_size
        return cls(rows, refused, why, cut, width, len(files), n_skipped)


@dataclass(frozen=True)
class FittedOnFiles:
    """A calibrator with what it was fitted on.

    Attributes:
        calibrator: Fitted.
        recipe: Of the vectors.
        n_rows: Rows it was fitted on.
        notes: What the user should know about the fit, one sentence each.
    """

    calibrator: Calibrator
    recipe: Recipe
    n_rows: int
    notes: tuple[str, ...]


def write_files(
    stage: Embed | Calibrate,
    source: Path | str,
    out: Path | str,
    *,
    engine: str = PROCESS,
    address: str | None = None,
    force: bool = False,
) -> Written:
    """Write what a stage makes of each file; run again after a kill, it does what is left.

    Args:
        stage: What is done to each batch of rows.
        source: A pattern of parquet files, their folder, or one file.
        out: A folder, which then holds a file for each of theirs, of the same name.
        engine: `process`, or `ray`, which needs the extra `scale`.
        address: Of a running Ray cluster, `auto` or HOST[:PORT]; None starts one on this machine.
        force: Replace files that were made otherwise.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import numpy as np
        >>> import pyarrow as pa
        >>> import pyarrow.parquet as pq
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import Calibrate, write_files
        >>> fitted = build_calibrator("standardize").fit(np.array([[0.0, 1.0], [2.0, 5.0]]))
        >>> with TemporaryDirectory() as folder:
        ...     x = pa.table({"id": ["s", "t"], "vector": [[1.0, 3.0], None]})
        ...     pq.write_table(x, Path(folder, "a.parquet"))
        ...     written = write_files(Calibrate(fitted), folder, Path(folder, "z"))
        >>> written.rows, written.refused
        (1, 1)

    Raises:
        InputError: Files that cannot be used, or a folder that holds something else.
        ResourceError: The disk refused, or the cluster failed.
    """
    out = Path(out).absolute()
    work = _Write(stage, out, _as_json(stage.request()))
    files = find_files(source, outside=out)
    _check_output(out, files, work.request, force=force)
    done = [file for file in files if work.is_done(file)]
    left = {file: _n_rows(file) for file in files if file not in {*done}}
    is_heavy = isinstance(stage, Embed)
    results(left, [*left], work, engine, address, is_heavy, sum(map(_n_rows, done)))
    written = Written.of([out / file.name for file in files], len(done))
    if written.refused and not written.rows:
        raise InputError(f"no row of {quoted(source)} can be used: {written.reason}")
    return written


def fit_files(
    spec: str,
    source: Path | str,
    *,
    engine: str = PROCESS,
    address: str | None = None,
    n_sample: int = SAMPLE,
    seed: int = 0,
    device: str | None = None,
    column: str = VECTOR,
) -> FittedOnFiles:
    """Fit a calibrator on the vectors of files.

    One that mean and covariance decide is fitted on all of them, in one pass. Any other is fitted
    in this process on a sample, of which the seed decides the rows; how these are divided among
    files plays no part.

    Args:
        spec: What to build.
        source: A pattern of parquet files, their folder, or one file.
        engine: Where the files are read; see `write_files`.
        address: Of a running Ray cluster.
        n_sample: Rows of a sample, usable or not.
        seed: Of the sample and of the fit.
        device: Where a flow is fitted.
        column: The vectors.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import numpy as np
        >>> import pyarrow as pa
        >>> import pyarrow.parquet as pq
        >>> from bertflow_core.scale import fit_files
        >>> rows = np.random.default_rng(0).normal(size=(30, 2)).tolist()
        >>> with TemporaryDirectory() as folder:
        ...     pq.write_table(pa.table({"vector": rows}), Path(folder, "a.parquet"))
        ...     fit_files("whiten", folder).n_rows
        30

    Raises:
        InputError: Files, a spec or vectors that cannot be used.
        ResourceError: The disk refused, or the cluster failed.
    """
    calibrator = build_calibrator(spec, seed=seed, device=device)
    files = find_files(source)
    recipe = _recipe_of_vectors(files, source).with_(calibrator=spec, seed=seed)
    counts, notes = {file: _n_rows(file) for file in files}, []
    wanted: Sequence[Rows | None] = [None] * len(files)
    if not calibrator.fits_moments:
        wanted = _drawn([*counts.values()], n_sample, seed)
    items = [*zip(files, wanted, strict=True)]
    found, left_out = all_of(results(counts, items, _Read(column), engine, address))
    if calibrator.fits_moments:
        n = found.n
        calibrator.fit_moments(found)
    else:
        n = len(found)
        calibrator.fit(found)
        if n_sample < sum(counts.values()):
            notes.append(f"fitted on a sample of {n:,} of {sum(counts.values()):,} rows")
    notes += [left_out] if left_out else []
    return FittedOnFiles(calibrator, recipe, n, (*calibrator.notes_, *notes))


def recipe_of(files: Sequence[Path]) -> Recipe | None:
    """Return the recipe that the vectors of files were embedded with, None where none is named.

    Raises:
        InputError: They are of several recipes.
    """
    recipes = []
    for file in files:
        name, choices = _said_in(file).get("request", (None, {}))
        recipes.append(Recipe.from_dict(choices["recipe"]) if name == "embed" else None)
        if recipes[-1] != recipes[0]:
            raise InputError(
                f"{quoted(files[0])} and {quoted(file)} hold vectors of different recipes: name "
                "the files of one"
            )
    return recipes[0]


def _recipe_of_vectors(files: Sequence[Path], source: Path | str) -> Recipe:
    """Return the recipe of vectors: of one file by its sentences, of many by their pattern."""
    recipe = recipe_of(files)
    if recipe is None:
        return Recipe(model=OWN, dataset=str(source))
    if len(files) > 1:
        return recipe.with_(dataset=_pattern_of(source))
    said = _said_in(files[0])
    return recipe.with_(fit_on=f"{said['file']}#{said['request'][1]['column']}")


@dataclass(frozen=True)
class _Write:
    """Writes what a stage makes of a file, which then says how it was made and what it holds."""

    stage: Embed | Calibrate
    out: Path
    request: list[Any]

    def is_done(self, file: Path) -> bool:
        """Tell whether the output of a file is there and was made of it as it is."""
        said = _said_in(self.out / file.name)
        return said.get("request") == self.request and said["source"] == _mark(file)

    def __call__(self, file: Path) -> None:
        import pyarrow.parquet as pq

        if _as_json(self.stage.request()) != self.request:
            raise InputError(
                "this machine would compute it otherwise: install the same versions, and the same "
                "model, as where the command was given"
            )
        said = {"request": self.request, "file": str(file), "source": _mark(file)}
        target, writer, key = self.out / file.name, None, self.stage.key
        with disk_errors(target, does="write"):
            self.out.mkdir(parents=True, exist_ok=True)
            with atomic_write(target) as scratch, ExitStack() as opened:
                for batch in _batches(file, self.stage.columns, self.stage.rows_at_once):
                    if key != ID:
                        present([key], batch.column_names)
                    made = self.stage(batch)
                    if writer is None:
                        how = {"compression": "none", "use_dictionary": False}
                        writer = opened.enter_context(pq.ParquetWriter(scratch, made.schema, **how))
                        writer.add_key_value_metadata({_SAID: json.dumps(said)})
                    writer.write_table(made)


@dataclass(frozen=True)
class _Read:
    """Reads the vectors of a file: the moments of all, or those of some rows, by their numbers."""

    column: str

    def __call__(self, item: tuple[Path, Rows | None]) -> Found:
        return merged(self._parts(*item))

    def _parts(self, file: Path, rows: Rows | None) -> Iterator[Found]:
        first = 0
        for batch in _batches(file, (self.column,), _ROWS_AT_ONCE):
            if rows is None:
                yield found_in(batch, self.column, Moments.of)
            else:
                low, high = np.searchsorted(rows, (first, first + len(batch)))
                yield found_in(batch.take(rows[low:high] - first), self.column, np.asarray)
            first += len(batch)


def _drawn(counts: Sequence[int], n: int, seed: int) -> list[Rows]:
    """Draw n of the rows of all files; return the numbers of those of each file, rising."""
    total = sum(counts)
    draw = np.random.default_rng(seed).choice
    rows = np.arange(total) if n >= total else np.sort(draw(total, n, replace=False))
    starts = np.cumsum([0, *counts])
    parts = np.split(rows, np.searchsorted(rows, starts[1:-1]))
    return [part - start for part, start in zip(parts, starts, strict=False)]


def _as_json(request: list[Any]) -> list[Any]:
    """Return what is asked for as a file gives it back."""
    made: list[Any] = json.loads(json.dumps(request))
    return made


def _check_output(out: Path, files: Sequence[Path], request: list[Any], *, force: bool) -> None:
    """Refuse a folder that holds anything but what is made of these files."""
    if out.is_file():
        raise InputError(f"{quoted(out)} is a file: many files are written to a folder, name one")
    names = {file.name for file in files}
    for file in out.glob("*"):
        found = _said_in(file).get("request")
        if file.name.startswith(SCRATCH):
            continue
        if found is None or file.name not in names:
            raise InputError(
                f"{quoted(out)} holds {quoted(file.name)}, which is not made of the source: move "
                "it away, or choose another folder"
            )
        if found != request and not force:
            raise InputError(
                f"{quoted(out)} holds files that were made otherwise: choose another folder, or "
                "give --force to replace them"
            )


def is_many(source: Path | str) -> bool:
    """Tell whether a name stands for many files: it has * or ? or [, or is a folder."""
    if os.path.isdir(source):  # False of a name too long, as is the next
        return True
    return not os.path.isfile(source) and glob.has_magic(str(source))


def _pattern_of(source: Path | str) -> str:
    """Return the pattern of the files that a pattern, a folder or a file stands for."""
    if os.path.isdir(source):
        return str(Path(glob.escape(str(source))) / "*.parquet")
    return glob.escape(str(source)) if os.path.isfile(source) else str(source)


def find_files(source: Path | str, *, outside: Path | None = None) -> list[Path]:
    """Return the parquet files that a pattern, a folder or a file stands for, sorted by name.

    Names that begin with a dot or an underscore are no data, and are passed over, as is what lies
    in the folder `outside`.

    Raises:
        InputError: There are none, or two have one name.
    """
    pattern = _pattern_of(source)
    found = [Path(os.path.abspath(each)) for each in glob.glob(pattern, recursive=True)]
    files = [file for file in found if file.suffix == ".parquet" and file.name[0] not in "._"]
    if not files:
        raise InputError(
            f"{quoted(pattern)} matches no .parquet file: check the name, and put a pattern in "
            "quotes"
        )
    if outside is not None:
        files = [file for file in files if file.parent.resolve() != outside.resolve()]
        if not files:
            raise InputError(f"{quoted(outside)} holds the input: choose another folder to write")
    twice = [name for name, n in Counter(file.name for file in files).items() if n > 1]
    if twice:
        raise InputError(
            f"{quoted(pattern)} matches several files of one name ({listed(twice)}): rename them, "
            "since each output has the name of its input"
        )
    return sorted(files, key=lambda file: file.name)


def _batches(file: Path, columns: Sequence[str], n: int) -> "Iterator[pa.Table]":
    """Read some columns of a file, n rows at a time; a file of no rows gives one empty table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_file(file, _MAX_BYTES)
    with parquet_damage(file.name):
        with pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False) as opened:
            schema, total = opened.schema_arrow.remove_metadata(), opened.metadata.num_rows
            there = present(columns, schema.names)
            if total == 0:
                yield schema.empty_table().select(there)
            done = 0
            for batch in opened.iter_batches(n, columns=there):
                yield pa.Table.from_batches([batch]).select(there).replace_schema_metadata()
                done += batch.num_rows
                context.report(done, total, ROWS)


def _metadata(file: Path) -> Any:  # noqa: ANN401, pyarrow has no hints
    """Return what a file says of itself, None where it cannot be read: its work says why."""
    import pyarrow.parquet as pq

    try:
        with parquet_damage(file.name):
            return pq.read_metadata(file)
    except InputError:
        return None


def _n_rows(file: Path) -> int:
    return int(getattr(_metadata(file), "num_rows", 0))


def _said_in(file: Path) -> dict[str, Any]:
    """Return what a file says of how it was made; nothing where it is missing or says nothing.

    It is trusted as far as whoever can write into the folder.
    """
    metadata = getattr(_metadata(file), "metadata", None) or {}
    try:
        said = json.loads(metadata.get(_SAID, b"{}"))
    except ValueError:
        return {}
    return said if isinstance(said, dict) and "request" in said else {}


def _mark(file: Path) -> dict[str, int]:
    """Return what tells the content of a file from what it was before."""
    status = file.stat()
    return {"bytes": status.st_size, "modified_ns": status.st_mtime_ns}
