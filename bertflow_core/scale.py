"""Folders of parquet files in, folders of parquet files out: here, or on the machines of Ray.

What is done to a batch of rows is a callable, which Ray Data's `map_batches` takes as well: `Embed`
and `Calibrate` give each row a vector, or leave it null and say why. `write_files` makes of each
file one of the same name and the same rows, written beside and renamed, which says in its metadata
how it was made; so work that was interrupted goes on with the files that are not there. `fit_files`
fits a calibrator on vectors: on their moments, or on a sample of them.
"""

import glob
import json
import logging
import os
import socket
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.saved import fitted_digest, load_calibrator
from bertflow_core.datasets.parquet import parquet_damage, vectors_in, write_parquet
from bertflow_core.datasets.tables import sentence_cell
from bertflow_core.encoders.given import OWN
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import (
    BertFlowError,
    Cancelled,
    InputError,
    ResourceError,
    check_name,
    check_type,
    explain,
    listed,
    nearest,
)
from bertflow_core.files import SCRATCH, check_file, disk_errors
from bertflow_core.lab import AnyEncoder, Lab
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.moments import Moments
from bertflow_core.recipe import Recipe
from bertflow_core.store import Unstored
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Calibrate", "Embed", "fit_files", "moments", "write_files"]

ID, TEXT, VECTOR, CUT, REFUSED = "id", "text", "vector", "cut", "refused"
"""What stays with a row, its text, its vector, whether the text was cut, why it has no vector."""

PROCESS, RAY = "process", "ray"
ROWS_AT_ONCE = 8192
"""Rows that are in memory at a time, beside a sample."""

_ROWS, _MAX_BYTES = "rows", 64 << 30
_SAID = b"bertflow"
"""Key in a file's metadata, of how it was made."""

_Vectors = tuple[FloatArray, np.ndarray, dict[str, np.ndarray]]
"""n vectors, why each row has none (None where it has one), and more columns."""


# ---- what is done to a batch: a table of Arrow, some rows of a file or what Ray hands out ----


class Stage:
    """Gives each row of a batch a vector: `Embed` or `Calibrate`."""

    does: ClassVar[str]
    vectors_of: Callable[[Any], _Vectors]
    decides: Callable[[], dict[str, Any]]

    def __init__(self, column: str, key: str, *kept: str) -> None:
        self.column, self.key = column, key
        self.columns = tuple(dict.fromkeys((key, *kept, column)))
        if key in (column, CUT, VECTOR, REFUSED):
            raise InputError(f"{quoted(key)} cannot be the column of ids too: name another as --id")

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """Return the columns that are kept, `cut` (of texts), `vector` and `refused`."""
        import pyarrow as pa

        cells, columns = _cells(batch, self.columns)
        x, reasons, more = self.vectors_of(cells)
        refused, flat = pa.array(reasons, pa.string()), np.ascontiguousarray(x, np.float32).ravel()
        x = pa.FixedSizeListArray.from_arrays(flat, x.shape[1], mask=refused.is_valid())
        return pa.table({**columns, **more, VECTOR: x, REFUSED: refused})

    def request(self) -> Any:  # noqa: ANN401 - JSON
        """Return what decides the vectors, as a file gives it back; the model is found for it."""
        names = {"column": self.column, "key": self.key}
        return json.loads(json.dumps([self.does, {**self.decides(), **names}]))


class Embed(Stage):
    """Give each row of a batch the vector of its text.

    It is small until it is called: the encoder is loaded once a process.

    Args:
        model: Catalogue name, local folder or hub id, which every machine must be able to find; or
            a recipe, of which only what decides vectors counts.
        column: The texts.
        key: A column that is kept: `id` where there is one; another name must be there.
        device: `cpu`, `cuda`, `cuda:N` or `mps`; None takes the best of each machine.
        batch_tokens: Most tokens in one forward call; None suits the device.
        choices: Other fields of a `Recipe`, such as `layers` (by default what the model's folder
            declares), `tokens` or `prompt`.

    Example:
        >>> import pyarrow as pa
        >>> from bertflow_core.scale import Embed
        >>> texts = pa.table({"text": ["A dog runs.", None]})
        >>> Embed("minilm")(texts).column("refused").to_pylist()
        [None, 'text is blank']
    """

    does = "embed"

    def __init__(
        self,
        model: str | Recipe = Recipe.model,
        *,
        column: str = TEXT,
        key: str = ID,
        device: str | None = None,
        batch_tokens: int | None = None,
        **choices: Any,  # noqa: ANN401 - any field of a recipe
    ) -> None:
        super().__init__(column, key)
        if not isinstance(model, Recipe):
            model = Recipe(model=model, **{"layers": DECLARED, **choices})
        self.recipe, self.device, self.batch_tokens = vectors_recipe(model), device, batch_tokens

    def vectors_of(self, cells: Any) -> _Vectors:  # noqa: ANN401 - of Arrow
        """Embed the texts that are sentences."""
        texts, encoder = cells.to_pylist(), self._encoder
        reasons = np.array([self._fault(text) for text in texts], object)
        rows = np.flatnonzero([why is None for why in reasons])
        x, cut = np.zeros((len(texts), encoder.dim), np.float32), np.zeros(len(texts), bool)
        if len(rows):
            some, lab = [texts[row] for row in rows], Lab(store=Unstored())
            made = lab.vectors(self.recipe, some, encoder=encoder)
            x[rows], cut[rows] = made.x, made.cut
        return x, reasons, {CUT: cut}

    def decides(self) -> dict[str, Any]:
        """Return the recipe of the vectors, and the encoder as it is here."""
        encoder = self._encoder
        recipe = self.recipe.with_(revision=encoder.model.revision).counting()
        return {"recipe": recipe, "encoder": encoder.description}

    def _fault(self, text: object) -> str | None:
        try:
            sentence_cell(text, self.column)
        except ValueError as error:
            return str(error)
        return None

    @property
    def _encoder(self) -> AnyEncoder:
        return _encoder_of(self.recipe, self.device, self.batch_tokens)


@lru_cache(maxsize=1)
def _encoder_of(recipe: Recipe, device: str | None, batch_tokens: int | None) -> AnyEncoder:
    """Return the encoder that this process keeps."""
    return Lab(store=Unstored(), device=device, batch_tokens=batch_tokens).encoder(recipe)


class Calibrate(Stage):
    """Calibrate the vector of each row of a batch.

    Args:
        calibrator: A fitted one, or the file of a saved one.
        column: The vectors, lists of numbers.
        key: A column that is kept, as is `text`, where there is one; a name other than `id` must
            be there.

    Example:
        >>> import numpy as np
        >>> import pyarrow as pa
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import Calibrate
        >>> fitted = build_calibrator("standardize").fit(np.array([[0.0, 1.0], [2.0, 5.0]]))
        >>> vectors = pa.table({"vector": [[1.0, 3.0], [2.0, 5.0]]})
        >>> Calibrate(fitted)(vectors).column("vector").to_pylist()
        [[0.0, 0.0], [1.0, 1.0]]
    """

    does = "calibrate"

    def __init__(
        self, calibrator: Calibrator | Path | str, *, column: str = VECTOR, key: str = ID
    ) -> None:
        super().__init__(column, key, TEXT)
        self.fitted_with: Any = None
        if not isinstance(calibrator, Calibrator):
            calibrator, config = load_calibrator(calibrator)
            self.fitted_with = config["recipe"]
        self.calibrator = calibrator

    def vectors_of(self, cells: Any) -> _Vectors:  # noqa: ANN401 - of Arrow
        """Map the vectors that can be used."""
        x, reasons = vectors_in(cells, self.column, self.calibrator.n_features_in_)
        some = x if len(x) else np.zeros((1, x.shape[1]), np.float32)
        return self.calibrator.transform(some)[: len(x)], reasons, {}

    def decides(self) -> dict[str, Any]:
        """Return the calibrator, as it was fitted."""
        return {
            "recipe": self.fitted_with,
            "calibrator": self.calibrator.spec,
            "parameters": self.calibrator.resolved_parameters(),
            "digest": fitted_digest(self.calibrator),
        }


def moments(dataset: Any, *, column: str = VECTOR) -> Moments:  # noqa: ANN401 - of Ray, an extra
    """Return the moments of the vectors of a Ray dataset, exact up to rounding.

    Rows without a usable vector are passed over, with a warning that says how many.

    Args:
        dataset: With a column of vectors.
        column: The vectors.

    Example:
        >>> import ray  # doctest: +SKIP
        >>> from bertflow_core import build_calibrator
        >>> from bertflow_core.scale import moments
        >>> x = ray.data.read_parquet("vectors")  # doctest: +SKIP
        >>> whiten = build_calibrator("whiten").fit_moments(moments(x))  # doctest: +SKIP
    """

    def of_batch(batch: "pa.Table") -> dict[str, np.ndarray]:
        return _boxed(_found_in(batch, column, Moments.of))

    made = dataset.map_batches(of_batch, batch_size=None, batch_format="pyarrow")
    (whole,), left_out = _all_of(row["made"] for row in made.iter_rows())
    for said in left_out:
        warnings.warn(said, stacklevel=2)
    return whole  # type: ignore[no-any-return]


_Found = tuple[list[Any], Counter[str]]
"""Moments, or arrays, of the usable vectors of some rows; why, and how often, others are not."""


def _found_in(batch: "pa.Table", column: str, make: Callable[[FloatArray], Any]) -> _Found:
    x, reasons = vectors_in(_cells(batch, (column,))[0], column)
    is_good = np.array([why is None for why in reasons], bool)
    return [make(x[is_good])] if is_good.any() else [], Counter(reasons[~is_good])


def _together(parts: Iterable[_Found]) -> _Found:
    found: list[Any] = []
    refused = Counter[str]()
    for some, why in parts:
        found, refused = found + some, refused + why
        if found and isinstance(found[0], Moments):
            found = [reduce(Moments.merge, found)]
    return found, refused


def _all_of(parts: Iterable[_Found]) -> tuple[list[Any], list[str]]:
    """Return what is found in all parts, which must be something, and what is left out, if so."""
    found, refused = _together(parts)
    why = next(iter(refused), "there are no rows")
    if not found:
        raise InputError(f"no row has a usable vector ({why})")
    return found, [f"{refused.total():,} rows are left out ({why})"] if refused else []


def _boxed(made: object) -> dict[str, np.ndarray]:
    """Return a batch of one row that holds an object."""
    box = np.empty(1, object)
    box[0] = made
    return {"made": box}


def _cells(batch: "pa.Table", columns: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """Return the last of some columns, and the others by name; ids and texts may be missing."""
    import pyarrow as pa

    check_type(batch, pa.Table, "a batch", 'a table of Arrow (batch_format="pyarrow")')
    *kept, column = columns
    for name in {*kept, column}.difference(batch.column_names):
        if name == column or name not in (ID, TEXT):
            raise InputError(
                f"there is no column {quoted(name)}: {nearest(name, batch.column_names)}"
            )
    others = {name: batch.column(name) for name in kept if name in batch.column_names}
    cells = batch.column(column).combine_chunks()
    return getattr(cells, "storage", cells), others  # what Ray calls a tensor is a list inside


# ---- files ----


@dataclass(frozen=True)
class Written:
    """What lies in the output files: rows with a vector, rows without and the first reason."""

    rows: int
    refused: int
    reason: str
    cut: int  # sentences that were longer than the longest input
    width: int
    n_files: int
    n_skipped: int  # files that were there before


@dataclass(frozen=True)
class FittedOnFiles:
    """A fitted calibrator, the recipe of its vectors, on how many, and what to know about it."""

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
    """Write what a stage makes of each file; run again after a kill, it does what is left.

    Args:
        stage: What is done to each batch of rows.
        source: A pattern of parquet files, their folder, or one file.
        out: A folder, which then holds a file for each of theirs, of the same name.
        engine: `process`, or `ray`, which needs the extra `scale`.
        address: Of a running Ray cluster, `auto` or HOST[:PORT]; None starts one on this machine.
        force: Replace files that were made otherwise.

    Example:
        >>> from bertflow_core.scale import Embed, write_files
        >>> write_files(Embed("bge-base"), "corpus", "vectors")  # doctest: +SKIP
    """
    from pyarrow import dataset as arrow

    out, request = Path(out).absolute(), stage.request()
    files = find_files(source, outside=out)
    _check_output(out, files, request, force=force)
    done = {file: _known(file)[0] for file in files if _is_made(out / file.name, file, request)}
    left, is_heavy = [file for file in files if file not in done], isinstance(stage, Embed)
    write = partial(_write, stage=stage, out=out, request=request)
    for _ in _made_of(left, write, engine, address, is_heavy=is_heavy, before=sum(done.values())):
        pass
    made = arrow.dataset([str(out / file.name) for file in files], format="parquet")
    refused = made.filter(arrow.field(REFUSED).is_valid())
    n_refused, width = refused.count_rows(), made.schema.field(VECTOR).type.list_size
    rows, why = made.count_rows() - n_refused, ""
    if n_refused:
        why = refused.head(1, columns=[REFUSED])[REFUSED][0].as_py()
    if n_refused and not rows:
        raise InputError(f"no row of {quoted(source)} can be used: {why}")
    cut = made.count_rows(filter=arrow.field(CUT)) if CUT in made.schema.names else 0
    return Written(rows, n_refused, why, cut, width, len(files), len(done))


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
        >>> from bertflow_core.scale import fit_files
        >>> fit_files("whiten", "vectors").n_rows  # doctest: +SKIP
    """
    calibrator = build_calibrator(spec, seed=seed, device=device)
    files = find_files(source)
    recipe = recipe_of(files, source).with_(calibrator=spec, seed=seed)
    counts = [_known(file)[0] for file in files]
    drawn = None if calibrator.fits_moments else _drawn(files, counts, n_sample, seed)
    read = partial(_read, column=column, drawn=drawn)
    with closing(_made_of(files, read, engine, address)) as parts:
        found, notes = _all_of(parts)
    if drawn is None:
        n = found[0].n
        calibrator.fit_moments(found[0])
    else:
        if len({x.shape[1] for x in found}) > 1:
            raise InputError("the vectors have different widths: expected one")
        x, found = np.concatenate(found), []
        n, total = len(x), sum(counts)
        calibrator.fit(x)
        if n_sample < total:
            notes.insert(0, f"fitted on a sample of {n:,} of {total:,} rows")
    return FittedOnFiles(calibrator, recipe, n, (*calibrator.notes_, *notes))


def vectors_recipe(recipe: Recipe) -> Recipe:
    """Return what of a recipe decides vectors."""
    return recipe.without("dataset", "split", "calibrator", "fit_on", "seed", "aggregation")


def recipe_of(files: Sequence[Path], source: Path | str) -> Recipe:
    """Return the recipe of the vectors of files: of one by its sentences, of many by a pattern."""
    said = [_known(file)[1] for file in files]
    made = [each.get("request", ("", {})) for each in said]
    recipes = [how["recipe"] if does == "embed" else None for does, how in made]
    for file, other in zip(files, recipes, strict=True):
        if other != recipes[0]:
            raise InputError(
                f"{quoted(files[0])} and {quoted(file)} hold vectors of different recipes: name "
                "the files of one"
            )
    if recipes[0] is None:
        return Recipe(model=OWN, dataset=str(source))
    recipe = Recipe.from_dict(recipes[0])
    if len(files) > 1:
        return recipe.with_(dataset=_pattern_of(source))
    return recipe.with_(fit_on=f"{said[0]['file']}#{made[0][1]['column']}")


def is_many(source: Path | str) -> bool:
    """Tell whether a name stands for many files: it is a folder, or a pattern with *, ? or [."""
    return os.path.isdir(source) or (not os.path.isfile(source) and glob.has_magic(str(source)))


def find_files(source: Path | str, *, outside: Path | None = None) -> list[Path]:
    """Return the parquet files that a pattern, a folder or a file stands for, sorted by name.

    Names that begin with a dot or an underscore are no data, and are passed over, as is what lies
    in the folder `outside`.
    """
    found: dict[str, Path] = {}
    for each in glob.glob(_pattern_of(source), recursive=True):
        file = Path(os.path.abspath(each))
        is_output = outside is not None and file.parent.resolve() == outside.resolve()
        if file.suffix != ".parquet" or file.name[0] in "._" or is_output:
            continue
        if file.name in found:
            raise InputError(
                f"{quoted(source)} matches several files of one name, {quoted(file.name)}: rename "
                "them, since each output has the name of its input"
            )
        found[file.name] = file
    if not found:
        beside = "" if outside is None else f" outside {quoted(outside)}"
        raise InputError(
            f"{quoted(source)} matches no .parquet file{beside}: check the name, and put a pattern "
            "in quotes"
        )
    return [found[name] for name in sorted(found)]


def _pattern_of(source: Path | str) -> str:
    if os.path.isdir(source):
        return str(Path(glob.escape(str(source))) / "*.parquet")
    return glob.escape(str(source)) if os.path.isfile(source) else str(source)


def _is_made(target: Path, file: Path, request: object) -> bool:
    """Tell whether the output of a file is there and was made of it as it is."""
    said = _known(target)[1]
    return said.get("request") == request and said["source"] == _mark(file)


def _write(file: Path, *, stage: Stage, out: Path, request: object) -> None:
    """Write what a stage makes of a file, which then says how it was made."""
    if stage.request() != request:
        raise InputError(
            "this machine would compute it otherwise: install the same versions, and the same "
            "model, as where the command was given"
        )
    said = {"request": request, "file": str(file), "source": _mark(file)}
    with disk_errors(out, does="write"):
        out.mkdir(parents=True, exist_ok=True)
    made = map(stage, _batches(file, stage.columns))
    write_parquet(out / file.name, made, {_SAID: json.dumps(said)})


def _read(file: Path, *, column: str, drawn: Mapping[Path, Rows] | None) -> _Found:
    """Return the moments of the vectors of a file, or those that were drawn, by their numbers."""

    def parts() -> Iterator[_Found]:
        first = 0
        for batch in _batches(file, (column,)):
            if drawn is None:
                yield _found_in(batch, column, Moments.of)
            else:
                low, high = np.searchsorted(drawn[file], (first, first + len(batch)))
                yield _found_in(batch.take(drawn[file][low:high] - first), column, np.asarray)
            first += len(batch)

    return _together(parts())


def _drawn(
    files: Sequence[Path], counts: Sequence[int], n_sample: int, seed: int
) -> dict[Path, Rows]:
    """Draw some of the rows of all files; return the numbers of those of each file, rising."""
    ends, draw = np.cumsum(counts), np.random.default_rng(seed).choice
    rows = np.sort(draw(ends[-1], min(n_sample, ends[-1]), replace=False))
    parts = np.split(rows, np.searchsorted(rows, ends[:-1]))
    starts = ends - counts
    return {file: part - start for file, part, start in zip(files, parts, starts, strict=True)}


def _check_output(out: Path, files: Sequence[Path], request: object, *, force: bool) -> None:
    """Refuse a folder that holds anything but what is made of these files."""
    if out.is_file():
        raise InputError(f"{quoted(out)} is a file: many files are written to a folder, name one")
    names = {file.name for file in files}
    for file in out.glob("*"):
        found = _known(file)[1].get("request")
        is_ours = found is not None and file.name in names and (force or found == request)
        if not is_ours and not file.name.startswith(SCRATCH):
            raise InputError(
                f"{quoted(out)} holds {quoted(file.name)}, which is not made of the source, or was "
                "made otherwise: choose another folder, or give --force to replace what was made "
                "otherwise"
            )


def _batches(file: Path, columns: Sequence[str]) -> "Iterator[pa.Table]":
    """Read those of some columns that there are, some rows at a time, at least one table."""
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
            context.report(done, total, _ROWS)


def _known(file: Path) -> tuple[int, dict[str, Any]]:
    """Return how many rows a file has and what it says of how it was made.

    Nothing where it cannot be read, which its work says. Whoever can write it is trusted.
    """
    import pyarrow.parquet as pq

    try:
        with parquet_damage(file.name):
            metadata = pq.read_metadata(file)
        said = json.loads((metadata.metadata or {}).get(_SAID, b"{}"))
    except ValueError:
        return 0, {}
    return metadata.num_rows, said if isinstance(said, dict) and "request" in said else {}


def _mark(file: Path) -> dict[str, int]:
    """Return what tells the content of a file from what it was before."""
    status = file.stat()
    return {"bytes": status.st_size, "modified_ns": status.st_mtime_ns}


# ---- engines: this process, or Ray Data, a task a file ----


def _made_of(
    files: Sequence[Path],
    work: Callable[[Path], Any],
    engine: str,
    address: str | None,
    *,
    is_heavy: bool = False,
    before: int = 0,
) -> Generator[Any, None, None]:
    """Yield what is made of each file, in their order; a fault stops no other file.

    Heavy work keeps a GPU busy, or all cores of a machine without. So many rows were done before.
    """
    check_name(engine, (PROCESS, RAY), "engine")
    rows, listener = [_known(file)[0] for file in files], context.listener()
    in_all, faults = before + sum(rows), dict[str, BertFlowError]()

    def of_all(done: int, total: int, unit: str) -> None:
        listener(before + (done if unit == _ROWS else 0), in_all, _ROWS)

    context.report(before, in_all, _ROWS)
    is_here = not files or (engine == PROCESS and address is None)
    with nullcontext() if is_here else _cluster(address) as ray:
        tried = partial(_tried, work)
        results = map(tried, files) if is_here else _by_ray(ray, files, tried, is_heavy)
        for file, n in zip(files, rows, strict=True):
            with context.reporting(of_all):
                made = next(results)
            if isinstance(made, BertFlowError):
                faults[file.name] = made
                continue
            before += n
            context.report(before, in_all, _ROWS)
            yield made
    if faults:
        names, first = listed(list(faults)), next(iter(faults.values()))
        raise type(first)(
            f"{len(faults):,} of {len(files):,} files failed ({names}; {first}): run it "
            "again when they are corrected or taken away; what was written is kept"
        )


def _tried(work: Callable[[Path], Any], file: Path) -> Any:  # noqa: ANN401
    """Return what is made of a file, or what the user can put right about it."""
    try:
        return work(file)
    except Exception as error:
        fault = explain(error)
        if fault is None or isinstance(fault, Cancelled):
            raise
        return fault


class _Called:
    """Work as `map_batches` calls it, on a batch of one row."""

    def __init__(self, work: Callable[[Path], Any]) -> None:
        self.work = work

    def __call__(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return _boxed(self.work(Path(str(batch["file"][0]))))


def _by_ray(
    ray: Any,  # noqa: ANN401 - an extra
    files: Sequence[Path],
    work: Callable[[Path], Any],
    is_heavy: bool,
) -> Iterator[Any]:
    """Yield what is made of each file, in their order, as it is asked for."""
    names = [{"file": str(file)} for file in files]
    data = ray.data.from_items(names, override_num_blocks=len(names))
    data.context.enable_progress_bars = data.context.print_on_execution_start = False
    data.context.execution_no_progress_timeout_s = -1  # a file may take hours
    data.context.execution_options.preserve_order = True
    machines = [each["Resources"] for each in ray.nodes() if each["Alive"]]
    gpus = sum(int(each.get("GPU", 0)) for each in machines)
    if is_heavy and gpus:  # an actor keeps its model; the process of a GPU's task ends
        how = {"num_gpus": 1, "concurrency": gpus, "fn_constructor_args": (work,)}
        made = data.map_batches(_Called, batch_size=1, **how)
    else:
        cores = [int(each["CPU"]) for each in machines if each.get("CPU", 0) >= 1]
        n_cores = min(cores, default=1) if is_heavy else 1
        made = data.map_batches(_Called(work), batch_size=1, num_cpus=n_cores)
    try:
        yield from (row["made"] for row in made.iter_rows())
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        raise ResourceError(
            f"the Ray cluster failed ({reason(error)}): run it again, what was written is kept"
        ) from error


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Yield ray, connected to a cluster; one that the caller is connected to is used and left.

    Without an address a cluster of this machine alone is started, which ends with the block.
    """
    try:
        import ray
        import ray.data
    except ImportError:
        raise InputError(
            'the engine ray is not installed: pip install "bertflow-lab[scale]", or take the '
            "engine process"
        ) from None
    if ray.is_initialized():
        yield ray
        return
    options: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        options |= {"address": "local", "include_dashboard": False}
        options["object_store_memory"] = 512 << 20
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        if address not in (None, "auto"):  # does anybody listen? Ray would ask for minutes
            host, _, port = (address if ":" in address else f"{address}:6379").rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            options["address"] = f"{host}:{port}"
        ray.init(**options)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:  # or another version there
        raise ResourceError(
            f"cannot connect to Ray at {quoted(address or 'this machine')} ({reason(error)}): "
            "expected auto, HOST or HOST:PORT; start a cluster with `ray start --head`, of the "
            "same versions on every machine; where one asks for a token, set RAY_AUTH_MODE=token"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()
