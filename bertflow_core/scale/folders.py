"""Folders of parquet files in, folders of parquet files out: here, or on the machines of Ray.

Each file becomes one of the same name and the same rows, written beside and renamed, which says in
its metadata how it was made; so work that was interrupted goes on with the files that are not
there.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.encoders.static import OWN
from bertflow_core.errors import BertFlowError, InputError, ResourceError
from bertflow_core.files import SCRATCH, atomic_write, disk_errors, make_folder, write_errors
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.recipe import Recipe
from bertflow_core.scale.batches import (
    CUT,
    ID,
    REFUSED,
    VECTOR,
    Calibrate,
    Embed,
    Gather,
    Gathered,
    check_one_width,
    nothing_usable,
    vectors_of,
)
from bertflow_core.scale.engines import EngineName, Note, Work, each_of
from bertflow_core.scale.parquet_files import (
    SAID,
    batches,
    find_files,
    mark,
    n_rows,
    pattern_of,
    said_in,
)
from bertflow_core.wording import quoted

SAMPLE = 1_000_000
"""Rows of a sample that a calibrator is fitted on."""

_ROWS_AT_ONCE = 8192
_SHOWN = 3

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Holds:
    """What lies in an output file, or in all of a folder.

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
    n_files: int = 1
    n_skipped: int = 0

    @classmethod
    def joined(cls, every: Sequence["Holds"], n_skipped: int) -> "Holds":
        """Return what lies in all of at least one file."""
        rows, refused, cut = (
            sum(getattr(each, name) for each in every) for name in ("rows", "refused", "cut")
        )
        reason = next((each.reason for each in every if each.reason), "")
        return cls(rows, refused, reason, cut, every[0].width, len(every), n_skipped)


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
    engine: str = EngineName.PROCESS,
    address: str | None = None,
    force: bool = False,
) -> Holds:
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
        ...     holds = write_files(Calibrate(fitted), folder, Path(folder, "z"))
        >>> holds.rows, holds.refused
        (1, 1)

    Raises:
        InputError: Files that cannot be used, or a folder that holds something else.
        ResourceError: The disk refused, or the cluster failed.
    """
    out = Path(out).absolute()
    work = _Write(stage, out, _request(stage))
    files = find_files(source, outside=out)
    _check_output(out, files, work.request, force=force)
    done = {file: holds for file in files if (holds := work.finished(file)) is not None}
    left = [file for file in files if file not in done]
    n_skipped, n_before = len(done), sum(map(n_rows, done))
    each = partial(each_of, engine=engine, address=address, is_heavy=stage.name == Embed.name)
    made = _results(each, left, left, work, n_before)
    done |= zip(left, made, strict=True)
    holds = Holds.joined([done[file] for file in files], n_skipped)
    if holds.refused and not holds.rows:
        raise InputError(f"no row of {quoted(source)} can be used: {holds.reason}")
    return holds


def fit_files(
    spec: str,
    source: Path | str,
    *,
    engine: str = EngineName.PROCESS,
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
    each = partial(each_of, engine=engine, address=address)
    notes = []
    if calibrator.fits_moments:
        parts = _results(each, files, files, _TakeMoments(column))
        whole, refused, reason = Gathered.joined(parts)
        if whole is None:
            raise nothing_usable(reason)
        calibrator.fit_moments(whole)
        n = whole.n
    else:
        counts = [n_rows(file) for file in files]
        drawn = [*zip(files, _drawn(counts, n_sample, seed), strict=True)]
        picked = _results(each, files, drawn, _Pick(column))
        xs, numbers, reasons = zip(*picked, strict=True)
        n, refused, reason = sum(map(len, xs)), sum(numbers), next(filter(None, reasons), "")
        if n == 0:
            raise nothing_usable(reason)
        calibrator.fit(_stacked(xs))
        if n_sample < sum(counts):
            notes.append(f"fitted on a sample of {n:,} of {sum(counts):,} rows")
    if refused:
        notes.append(f"{refused:,} rows could not be used ({reason})")
    return FittedOnFiles(calibrator, recipe, n, (*calibrator.notes_, *notes))


def recipe_of(files: Sequence[Path]) -> Recipe | None:
    """Return the recipe that the vectors of files were embedded with, None where none is named.

    Raises:
        InputError: They are of several recipes.
    """
    recipes = [_recipe_in(said_in(file)) for file in files]
    for file, recipe in zip(files, recipes, strict=True):
        if recipe != recipes[0]:
            raise InputError(
                f"{quoted(files[0])} and {quoted(file)} hold vectors of different recipes: name "
                "the files of one"
            )
    return recipes[0]


def _recipe_in(said: dict[str, Any]) -> Recipe | None:
    stage, choices = said.get("request", (None, {}))
    return Recipe.from_dict(choices["recipe"]) if stage == Embed.name else None


def _recipe_of_vectors(files: Sequence[Path], source: Path | str) -> Recipe:
    """Return the recipe of vectors: of one file by its sentences, of many by their pattern."""
    recipe = recipe_of(files)
    if recipe is None:
        return Recipe(model=OWN, dataset=str(source))
    if len(files) > 1:
        return recipe.with_(dataset=pattern_of(source))
    said = said_in(files[0])
    return recipe.with_(fit_on=f"{said['file']}#{said['request'][1]['column']}")


def _results(
    each: Any,  # noqa: ANN401 - `each_of`, told where
    files: Sequence[Path],
    items: Sequence[Item],
    work: Work[Item, Result],
    n_before: int = 0,
) -> list[Result]:
    """Return what is made of each file's item, in their order.

    Raises:
        InputError: Some cannot be used; the others are finished.
        ResourceError: The disk or a machine failed.
    """
    counts, done = [n_rows(file) for file in files], [0] * len(files)
    total = n_before + sum(counts)

    def note(place: int, rows: int) -> None:
        done[place] = rows
        context.report(n_before + sum(done), total, "rows")

    context.report(n_before, total, "rows")
    results: dict[int, Result] = {}
    faults: dict[str, BertFlowError] = {}
    for place, made in each(items, work, note):
        if isinstance(made, BertFlowError):
            faults[files[place].name] = made
        else:
            results[place] = made
            note(place, counts[place])
    if not faults:
        return [results[place] for place in range(len(items))]
    shown = "; ".join(f"{name}: {fault}" for name, fault in [*faults.items()][:_SHOWN])
    more = "; ..." if len(faults) > _SHOWN else ""
    kind = (
        InputError if any(isinstance(it, InputError) for it in faults.values()) else ResourceError
    )
    raise kind(
        f"{len(faults):,} of {len(files):,} files failed ({shown}{more}): run it again when they "
        "are corrected or taken away; what was written is kept"
    )


@dataclass(frozen=True)
class _Write:
    """Writes what a stage makes of a file, which then says how it was made and what it holds."""

    stage: Embed | Calibrate
    out: Path
    request: list[Any]

    def finished(self, file: Path) -> Holds | None:
        """Return what the output of a file holds, if it is there and was made of it as it is."""
        said = said_in(self.out / file.name)
        is_so = said.get("request") == self.request and said["source"] == mark(file)
        return Holds(**said["holds"]) if is_so else None

    def __call__(self, file: Path, note: Note) -> Holds:
        if _request(self.stage) != self.request:
            raise InputError(
                "this machine would compute it otherwise: install the same versions, and the same "
                "model, as where the command was given"
            )
        target = self.out / file.name
        with write_errors(target):
            make_folder(self.out)
            with atomic_write(target) as scratch:
                return self._write(file, scratch, note)

    def _write(self, file: Path, scratch: Path, note: Note) -> Holds:
        import pyarrow.parquet as pq

        every, source = [], mark(file)
        writer: Any = None
        try:
            for first, batch in batches(file, self.stage.columns, self.stage.rows_at_once):
                _check_ids(batch.column_names, self.stage.key)
                made = self.stage(batch)
                writer = writer or pq.ParquetWriter(
                    scratch, made.schema, compression="none", use_dictionary=False
                )
                writer.write_table(made)
                every.append(_holds(made))
                note(first + len(batch))
            holds = Holds.joined(every, 0)
            holds = Holds(**{**asdict(holds), "n_files": 1})
            said = {"request": self.request, "file": str(file), "source": source}
            writer.add_key_value_metadata({SAID: json.dumps({**said, "holds": asdict(holds)})})
        finally:
            if writer is not None:
                writer.close()
        return holds


def _holds(made: Any) -> Holds:  # noqa: ANN401 - a table of Arrow
    refused = made.column(REFUSED)
    reasons = refused.drop_null()
    cut = int(made.column(CUT).to_numpy().sum()) if CUT in made.column_names else 0
    return Holds(
        rows=refused.null_count,
        refused=len(reasons),
        reason=reasons[0].as_py() if len(reasons) else "",
        cut=cut,
        width=made.schema.field(VECTOR).type.list_size,
    )


def _check_ids(names: Sequence[str], key: str) -> None:
    if key != ID and key not in names:
        raise InputError(f"there is no column {quoted(key)} for the ids: name another, or none")


@dataclass(frozen=True)
class _TakeMoments:
    """Takes the moments of the vectors of a file."""

    column: str

    def __call__(self, file: Path, note: Note) -> Gathered:
        def parts() -> Iterator[Gathered]:
            for first, batch in batches(file, (self.column,), _ROWS_AT_ONCE):
                yield Gather(self.column)(batch)
                note(first + len(batch))

        return Gathered.joined(parts())


@dataclass(frozen=True)
class _Pick:
    """Takes rows of a file by their numbers from 0: the usable vectors, how many not, and why."""

    column: str

    def __call__(self, drawn: tuple[Path, Rows], note: Note) -> tuple[FloatArray, int, str]:
        (file, rows), picked, refused, reason = drawn, [], 0, ""
        for first, batch in batches(file, (self.column,), _ROWS_AT_ONCE):
            low, high = np.searchsorted(rows, (first, first + len(batch)))
            x, reasons = vectors_of(batch.take(rows[low:high] - first), self.column)
            faults = [why for why in reasons if why is not None]
            picked.append(x)
            refused, reason = refused + len(faults), reason or next(iter(faults), "")
            note(first + len(batch))
        return _stacked(picked), refused, reason


def _stacked(parts: Sequence[FloatArray]) -> FloatArray:
    """Return the rows of all parts, of one width."""
    full = [x for x in parts if len(x)]
    check_one_width(*(x.shape[1] for x in full))
    return np.concatenate(full) if full else np.empty((0, 1), np.float32)


def _drawn(counts: Sequence[int], n: int, seed: int) -> list[Rows]:
    """Draw n of the rows of all files; return the numbers of those of each file, rising."""
    total = sum(counts)
    draw = np.random.default_rng(seed).choice
    rows = np.arange(total) if n >= total else np.sort(draw(total, n, replace=False))
    starts = np.cumsum([0, *counts])
    parts = np.split(rows, np.searchsorted(rows, starts[1:-1]))
    return [part - start for part, start in zip(parts, starts, strict=False)]


def _request(stage: Embed | Calibrate) -> list[Any]:
    """Return the stage with every choice that decides its numbers, as JSON gives it back."""
    request: list[Any] = json.loads(json.dumps([stage.name, stage.describe()]))
    return request


def _check_output(out: Path, files: Sequence[Path], request: list[Any], *, force: bool) -> None:
    """Refuse a folder that holds anything but what is made of these files."""
    if out.is_file():
        raise InputError(f"{quoted(out)} is a file: many files are written to a folder, name one")
    names = {file.name for file in files}
    with disk_errors(out):
        entries = (
            [each for each in os.listdir(out) if not each.startswith(SCRATCH)]
            if out.exists()
            else []
        )
    for name in entries:
        found = said_in(out / name).get("request")
        if found is None:
            raise InputError(f"{quoted(out)} holds other things: choose a new folder name")
        if found != request and not force:
            raise InputError(
                f"{quoted(out)} holds files that were made otherwise: choose another folder, or "
                "give --force to replace them"
            )
        if name not in names:
            raise InputError(
                f"{quoted(out)} holds {quoted(name)}, which the source has not: move it away, or "
                "choose another folder"
            )
