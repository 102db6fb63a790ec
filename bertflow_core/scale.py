"""Folders of parquet files in, folders of parquet files out: here, or on the machines of Ray.

What is done to a batch of rows is a callable, which Ray Data's `map_batches` takes as well: `Embed`
and `Calibrate` give each row a vector, or leave it null and say why. `write_files` applies one to
each file, which becomes one of the same name and the same rows, written beside and renamed, and
says in its metadata how it was made; so work that was interrupted goes on with the files that are
not there. `fit_files` fits a calibrator on vectors: on their moments, or on a sample of them.
"""

import glob
import json
import logging
import os
import socket
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import fitted_digest, load_calibrator
from bertflow_core.datasets.parquet import parquet_damage
from bertflow_core.datasets.rows import sentence_cell
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
from bertflow_core.files import SCRATCH, atomic_write, check_file, disk_errors
from bertflow_core.lab import AnyEncoder, Lab
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.moments import Moments
from bertflow_core.recipe import Recipe
from bertflow_core.store import Embeddings, Unstored
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Calibrate", "Embed", "fit_files", "moments", "write_files"]

ID, TEXT, VECTOR, CUT, REFUSED = "id", "text", "vector", "cut", "refused"
"""What stays with a row, its text, its vector, whether the text was cut, why it has no vector."""

PROCESS, RAY = "process", "ray"
SAMPLE = 1_000_000
"""Rows of a sample that a calibrator is fitted on."""

ROWS_AT_ONCE = 8192
"""Rows that are in memory at a time, beside a sample."""

_ROWS = "rows"
_MAX_BYTES = 64 << 30
_SAID = b"bertflow"
"""Key in a file's metadata, of how it was made."""

_NO_VECTORS = ("dataset", "split", "calibrator", "fit_on", "seed", "aggregation")
"""Fields of a recipe that decide no vector."""


class Stage:
    """What is done to a batch of rows; a subclass gives `_vectors_of` a column and `_decides`."""

    does: ClassVar[str]

    def __init__(self, column: str, *kept: str) -> None:
        self.column, self.key = column, kept[0]
        self.columns = tuple(dict.fromkeys((*kept, column)))
        if self.key in (column, CUT, VECTOR, REFUSED):
            raise InputError(
                f"the column {quoted(self.key)} cannot be the ids too: rename it, or name another "
                "as --id"
            )

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """Return the columns that are kept, `cut` (of texts), `vector` and `refused`.

        Args:
            batch: Some rows, a table of Arrow.

        Raises:
            InputError: No such column, or a model that cannot be loaded.
        """
        import pyarrow as pa

        kept = _with_columns(batch, self.columns)
        x, more, reasons = self._vectors_of(_column(kept, self.column))
        flat = pa.array(np.ascontiguousarray(x, np.float32).reshape(-1))
        mask = pa.array(~_is_used(reasons))
        vectors = pa.FixedSizeListArray.from_arrays(flat, x.shape[1], mask=mask)
        made = {name: kept[name] for name in kept.column_names if name != self.column} | more
        return pa.table({**made, VECTOR: vectors, REFUSED: pa.array([*reasons], pa.string())})

    def request(self) -> list[Any]:
        """Return what decides the vectors, JSON-able; the model's folder is found for it."""
        names = {"column": self.column, "key": self.key}
        return [self.does, {**self._decides(), **names}]

    def _vectors_of(self, cells: Any) -> tuple[FloatArray, dict[str, np.ndarray], np.ndarray]:  # noqa: ANN401
        """Return n vectors, more columns, and why each row has no vector, None where it has one."""
        raise NotImplementedError

    def _decides(self) -> dict[str, Any]:
        raise NotImplementedError


class Embed(Stage):
    """Give each row of a batch the vector of its text.

    It is small until it is called: the encoder is loaded once a process.

    Args:
        model: Catalogue name, local folder or hub id, which every machine must be able to find; or
            a recipe, of which only what decides vectors counts.
        layers: Layer set; `model`, the default, is what the model's folder declares.
        column: The texts.
        key: A column that is kept: `id` where there is one; another name must be there.
        device: `cpu`, `cuda`, `cuda:N` or `mps`; None takes the best of each machine.
        batch_tokens: Most tokens in one forward call; None suits the device.
        choices: Other fields of a `Recipe`, such as `tokens` or `prompt`.

    Example:
        >>> import pyarrow as pa
        >>> from bertflow_core.scale import Embed
        >>> texts = pa.table({"text": ["A dog runs.", None]})
        >>> Embed("minilm")(texts).column("refused").to_pylist()
        [None, 'text is blank']

    Raises:
        InputError: A choice that cannot be, or a key with the name of another column.
    """

    does = "embed"

    def __init__(
        self,
        model: str | Recipe = Recipe.model,
        *,
        layers: str = DECLARED,
        column: str = TEXT,
        key: str = ID,
        device: str | None = None,
        batch_tokens: int | None = None,
        **choices: Any,  # noqa: ANN401 - any field of a recipe
    ) -> None:
        super().__init__(column, key)
        if not isinstance(model, Recipe):
            model = Recipe(model=model, layers=layers, **choices)
        self.recipe, self.device, self.batch_tokens = vectors_recipe(model), device, batch_tokens

    def _vectors_of(self, cells: Any) -> tuple[FloatArray, dict[str, np.ndarray], np.ndarray]:  # noqa: ANN401
        texts = cells.to_pylist()
        reasons, cut = np.full(len(texts), None, object), np.zeros(len(texts), bool)
        for row, text in enumerate(texts):
            try:
                sentence_cell(text, self.column)
            except ValueError as error:
                reasons[row] = str(error)
        x = np.zeros((len(texts), self._encoder.dim), np.float32)
        rows = np.flatnonzero(_is_used(reasons))
        for part, made in self._embedded(texts, rows) if len(rows) else ():
            if isinstance(made, InputError):
                reasons[part] = str(made)
            else:
                x[part], cut[part] = made.x, made.cut
        return x, {CUT: cut}, reasons

    def _embedded(
        self, texts: Sequence[str], rows: Rows
    ) -> Iterator[tuple[Rows, Embeddings | InputError]]:
        """Yield the vectors of some rows, in parts between those that the encoder refuses."""
        try:
            yield rows, self._embed([texts[row] for row in rows])
        except InputError as error:
            if len(rows) == 1:
                yield rows, error
                return
            self._embed(["a plain sentence"])  # or it refuses every text, and says why
            for half in np.array_split(rows, 2):
                yield from self._embedded(texts, half)

    def _embed(self, texts: list[str]) -> Embeddings:
        return Lab(store=Unstored()).vectors(self.recipe, texts, encoder=self._encoder)

    def _decides(self) -> dict[str, Any]:
        encoder = self._encoder
        recipe = self.recipe.with_(revision=encoder.model.revision).counting()
        return {"recipe": recipe, "encoder": encoder.description}

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

    Raises:
        InputError: There is no saved calibrator, or the key has the name of another column.
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

    def _vectors_of(self, cells: Any) -> tuple[FloatArray, dict[str, np.ndarray], np.ndarray]:  # noqa: ANN401
        x, reasons = _vectors(cells, self.column, self.calibrator.n_features_in_)
        some = x if len(x) else np.zeros((1, x.shape[1]), np.float32)
        return self.calibrator.transform(some)[: len(x)], {}, reasons

    def _decides(self) -> dict[str, Any]:
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

    Raises:
        InputError: No such column, no row can be used, or there are several widths.
    """

    def found(batch: "pa.Table") -> dict[str, np.ndarray]:
        return {"made": _boxed(_found_in(batch, column, Moments.of))}

    made = dataset.map_batches(found, batch_size=None, batch_format="pyarrow")
    whole, left_out = _all_of(row["made"] for row in made.iter_rows())
    if left_out:
        warnings.warn(left_out, stacklevel=2)
    measured: Moments = whole
    return measured


def vectors_recipe(recipe: Recipe) -> Recipe:
    """Return what of a recipe decides vectors."""
    return recipe.without(*_NO_VECTORS)


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

    Raises:
        InputError: Files that cannot be used, or a folder that holds something else.
        ResourceError: The disk refused, or the cluster failed.
    """
    out = Path(out).absolute()
    work = _Write(stage, out, _as_json(stage.request()))
    files = find_files(source, outside=out)
    _check_output(out, files, work.request, force=force)
    done = [file for file in files if work.is_done(file)]
    left = {file: _known(file)[0] for file in files if file not in {*done}}
    n_done = sum(_known(file)[0] for file in done)
    _results(left, [*left], work, engine, address, isinstance(stage, Embed), n_done)
    written = _written([out / file.name for file in files], len(done))
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
        >>> from bertflow_core.scale import fit_files
        >>> fit_files("whiten", "vectors").n_rows  # doctest: +SKIP

    Raises:
        InputError: Files, a spec or vectors that cannot be used.
        ResourceError: The disk refused, or the cluster failed.
    """
    calibrator = build_calibrator(spec, seed=seed, device=device)
    files = find_files(source)
    recipe = _recipe_of_vectors(files, source).with_(calibrator=spec, seed=seed)
    counts, notes = {file: _known(file)[0] for file in files}, []
    drawn: Sequence[Rows | None] = [None] * len(files)
    if not calibrator.fits_moments:
        drawn = _drawn([*counts.values()], n_sample, seed)
    items = [*zip(files, drawn, strict=True)]
    found, left_out = _all_of(_results(counts, items, _Read(column), engine, address))
    if isinstance(found, Moments):
        calibrator.fit_moments(found)
    else:
        calibrator.fit(found)
    n, total = found.n if isinstance(found, Moments) else len(found), sum(counts.values())
    if not calibrator.fits_moments and n_sample < total:
        notes.append(f"fitted on a sample of {n:,} of {total:,} rows")
    notes += [left_out] if left_out else []
    return FittedOnFiles(calibrator, recipe, n, (*calibrator.notes_, *notes))


def recipe_of(files: Sequence[Path]) -> Recipe | None:
    """Return the recipe that the vectors of files were embedded with, None where none is named.

    Raises:
        InputError: They are of several recipes.
    """
    recipes = []
    for file in files:
        name, choices = _known(file)[1].get("request", (None, {}))
        recipes.append(Recipe.from_dict(choices["recipe"]) if name == "embed" else None)
        if recipes[-1] != recipes[0]:
            raise InputError(
                f"{quoted(files[0])} and {quoted(file)} hold vectors of different recipes: name "
                "the files of one"
            )
    return recipes[0]


def is_many(source: Path | str) -> bool:
    """Tell whether a name stands for many files: it has * or ? or [, or is a folder."""
    if os.path.isdir(source):  # False of a name too long, as is the next
        return True
    return not os.path.isfile(source) and glob.has_magic(str(source))


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


def _pattern_of(source: Path | str) -> str:
    """Return the pattern of the files that a pattern, a folder or a file stands for."""
    if os.path.isdir(source):
        return str(Path(glob.escape(str(source))) / "*.parquet")
    return glob.escape(str(source)) if os.path.isfile(source) else str(source)


def _recipe_of_vectors(files: Sequence[Path], source: Path | str) -> Recipe:
    """Return the recipe of vectors: of one file by its sentences, of many by their pattern."""
    recipe = recipe_of(files)
    if recipe is None:
        return Recipe(model=OWN, dataset=str(source))
    if len(files) > 1:
        return recipe.with_(dataset=_pattern_of(source))
    said = _known(files[0])[1]
    return recipe.with_(fit_on=f"{said['file']}#{said['request'][1]['column']}")


@dataclass(frozen=True)
class _Write:
    """Writes what a stage makes of a file, which then says how it was made and what it holds."""

    stage: Stage
    out: Path
    request: list[Any]

    def is_done(self, file: Path) -> bool:
        """Tell whether the output of a file is there and was made of it as it is."""
        said = _known(self.out / file.name)[1]
        return said.get("request") == self.request and said["source"] == _mark(file)

    def __call__(self, file: Path) -> None:
        import pyarrow.parquet as pq

        if _as_json(self.stage.request()) != self.request:
            raise InputError(
                "this machine would compute it otherwise: install the same versions, and the same "
                "model, as where the command was given"
            )
        said = {"request": self.request, "file": str(file), "source": _mark(file)}
        target, writer = self.out / file.name, None
        with disk_errors(target, does="write"):
            self.out.mkdir(parents=True, exist_ok=True)
            with atomic_write(target) as scratch, ExitStack() as opened:
                for batch in _batches(file, self.stage.columns):
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

    def __call__(self, item: tuple[Path, Rows | None]) -> "_Found":
        return _merged(self._parts(*item))

    def _parts(self, file: Path, rows: Rows | None) -> "Iterator[_Found]":
        first = 0
        for batch in _batches(file, (self.column,)):
            if rows is None:
                yield _found_in(batch, self.column, Moments.of)
            else:
                low, high = np.searchsorted(rows, (first, first + len(batch)))
                yield _found_in(batch.take(rows[low:high] - first), self.column, np.asarray)
            first += len(batch)


def _drawn(counts: Sequence[int], n: int, seed: int) -> list[Rows]:
    """Draw n of the rows of all files; return the numbers of those of each file, rising."""
    total = sum(counts)
    draw = np.random.default_rng(seed).choice
    rows = np.arange(total) if n >= total else np.sort(draw(total, n, replace=False))
    starts = np.cumsum([0, *counts])
    parts = np.split(rows, np.searchsorted(rows, starts[1:-1]))
    return [part - start for part, start in zip(parts, starts, strict=False)]


def _as_json(request: list[Any]) -> Any:  # noqa: ANN401 - JSON
    """Return what is asked for as a file gives it back."""
    return json.loads(json.dumps(request))


def _check_output(out: Path, files: Sequence[Path], request: list[Any], *, force: bool) -> None:
    """Refuse a folder that holds anything but what is made of these files."""
    if out.is_file():
        raise InputError(f"{quoted(out)} is a file: many files are written to a folder, name one")
    names = {file.name for file in files}
    for file in out.glob("*"):
        found = _known(file)[1].get("request")
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


def _written(files: Sequence[Path], n_skipped: int) -> Written:
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
    return Written(rows, refused, why, cut, width, len(files), n_skipped)


def _batches(file: Path, columns: Sequence[str]) -> "Iterator[pa.Table]":
    """Read some columns of a file, some rows at a time; a file of no rows gives one empty table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_file(file, _MAX_BYTES)
    with parquet_damage(file.name):
        with pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False) as opened:
            schema, total = opened.schema_arrow.remove_metadata(), opened.metadata.num_rows
            there = _present(columns, schema.names)
            if total == 0:
                yield schema.empty_table().select(there)
            done = 0
            for batch in opened.iter_batches(ROWS_AT_ONCE, columns=there):
                yield pa.Table.from_batches([batch]).select(there).replace_schema_metadata()
                done += batch.num_rows
                context.report(done, total, _ROWS)


def _known(file: Path) -> tuple[int, dict[str, Any]]:
    """Return how many rows a file has and what it says of how it was made.

    Nothing where it cannot be read: its work says why. It is trusted as far as whoever can write
    into the folder.
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


# ---- batches: tables of Arrow, some rows of a file or what Ray hands out ----

_Found = tuple[Any, Counter[str]]
"""Moments or vectors of usable rows, None where there are none; and how often rows are refused."""


def _found_in(batch: "pa.Table", column: str, make: Callable[[FloatArray], Any]) -> _Found:
    """Return what is made of the usable vectors of a batch."""
    x, reasons = _vectors(_column(_with_columns(batch, (column,)), column), column)
    used = _is_used(reasons)
    return make(x[used]) if used.any() else None, Counter(reasons[~used])


def _boxed(made: object) -> np.ndarray:
    """Return a column of one object, as `map_batches` wants it."""
    box = np.empty(1, object)
    box[0] = made
    return box


def _merged(parts: Iterable[_Found]) -> _Found:
    """Return the moments of all parts, or all their vectors, None where there are none."""
    whole, rows, refused, widths = None, [], Counter[str](), set()
    for found, faults in parts:
        refused += faults
        if found is None:
            continue
        widths.add(len(found.mean) if isinstance(found, Moments) else found.shape[1])
        if len(widths) > 1:
            raise InputError(
                f"the vectors have different widths ({listed([*map(str, sorted(widths))])}): "
                "expected one"
            )
        if isinstance(found, Moments):
            whole = found if whole is None else whole.merge(found)
        else:
            rows.append(found)
    return np.concatenate(rows) if rows else whole, refused


def _all_of(parts: Iterable[_Found]) -> tuple[Any, str]:
    """Return what all parts hold together, which must be something, and what was left out."""
    whole, refused = _merged(parts)
    why = next(iter(refused), "there are no rows")
    if whole is None:
        raise InputError(f"no row has a usable vector ({why})")
    return whole, f"{refused.total():,} rows are left out ({why})" if refused else ""


def _vectors(cells: Any, column: str, width: int | None = None) -> tuple[FloatArray, np.ndarray]:  # noqa: ANN401
    """Return n vectors, shape (n, D), and why a row has none (zeros then), None where it has one.

    Without a width, D is that of most rows, which a damaged row does not decide.
    """
    import pyarrow as pa
    from pyarrow import compute

    reasons = np.full(len(cells), None, object)
    try:
        lists = cells.cast(pa.list_(pa.float32()), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        reasons[:] = f"{column} holds {cells.type}: expected lists of numbers"
        return np.zeros((len(cells), width or 1), np.float32), reasons
    lengths = compute.fill_null(compute.list_value_length(lists), -1).to_numpy()
    if width is None:
        width = int(np.bincount(lengths[lengths > 0], minlength=2).argmax()) or 1
    for row in np.flatnonzero(lengths != width):
        has = f"has {lengths[row]:,} numbers: expected {width:,}"
        reasons[row] = f"{column} {'is blank' if lengths[row] < 0 else has}"
    x = np.zeros((len(cells), width), np.float32)
    flat = lists.filter(lengths == width).flatten().to_numpy(zero_copy_only=False)
    x[lengths == width] = flat.reshape(-1, width)
    damaged = ~np.isfinite(x).all(axis=1)
    reasons[damaged], x[damaged] = f"{column} holds values that are not finite", 0
    return x, reasons


def _is_used(reasons: np.ndarray) -> np.ndarray:
    return np.array([why is None for why in reasons], bool)


def _with_columns(batch: "pa.Table", columns: Sequence[str]) -> "pa.Table":
    import pyarrow as pa

    check_type(batch, pa.Table, "a batch", 'a table of Arrow (batch_format="pyarrow")')
    return batch.select(_present(columns, batch.column_names))


def _present(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return those of some columns that there are: ids and texts that are only kept may miss."""
    for name in columns:
        if name not in names and (name == columns[-1] or name not in (ID, TEXT)):
            raise InputError(f"there is no column {quoted(name)}: {nearest(name, names)}")
    return [name for name in columns if name in names]


def _column(table: "pa.Table", name: str) -> Any:  # noqa: ANN401 - an array of Arrow
    values = table.column(name).combine_chunks()
    return getattr(values, "storage", values)  # what Ray calls a tensor is a list inside


# ---- engines: this process, or tasks of a Ray cluster ----


def _results(
    files: Mapping[Path, int],
    items: Sequence[Any],
    work: Callable[[Any], Any],
    engine: str,
    address: str | None,
    is_heavy: bool = False,
    n_before: int = 0,
) -> list[Any]:
    """Return what is made of each file's item, in their order; a fault stops no other file.

    Files come with their numbers of rows; items, work and results can be pickled. Heavy work keeps
    a GPU busy, or all cores of a machine without.
    """
    check_name(engine, (PROCESS, RAY), "engine")
    if engine != RAY and address is not None:
        raise InputError(f"an address belongs to the engine ray, got {quoted(address)}: name both")
    counts = [*files.values()]
    finished, in_all, outer = n_before, n_before + sum(counts), context.listener()

    def of_all(done: int, total: int, unit: str) -> None:
        outer(finished + (done if unit == _ROWS else 0), in_all, _ROWS)

    made: dict[int, Any] = {}
    task = _Task(items, work)
    each = (
        _on_ray(task, address, is_heavy) if engine == RAY else enumerate(map(task.made_of, items))
    )
    with context.reporting(of_all):
        context.report(0, in_all, _ROWS)
        for place, made[place] in each:
            if not isinstance(made[place], BertFlowError):
                finished += counts[place]
                context.report(0, in_all, _ROWS)
    faults = {file.name: made[place] for place, file in enumerate(files)}
    faults = {name: fault for name, fault in faults.items() if isinstance(fault, BertFlowError)}
    if faults:
        is_input = any(isinstance(fault, InputError) for fault in faults.values())
        shown = [f"{name}: {fault}" for name, fault in faults.items()]
        raise (InputError if is_input else ResourceError)(
            f"{len(faults):,} of {len(files):,} files failed ({'; '.join(shown[:3])}"
            f"{'; ...' if len(faults) > 3 else ''}): run it again when they are corrected or taken "
            "away; what was written is kept"
        )
    return [made[place] for place in range(len(items))]


def _on_ray(task: "_Task", address: str | None, is_heavy: bool) -> Iterator[tuple[int, Any]]:
    if not task.items:
        return
    with _cluster(address) as ray:
        places = [{"place": place} for place in range(len(task.items))]
        data = ray.data.from_items(places, override_num_blocks=len(places))
        data.context.enable_progress_bars = data.context.print_on_execution_start = False
        data.context.execution_no_progress_timeout_s = -1  # a file may take hours
        machines = [each["Resources"] for each in ray.nodes() if each["Alive"]]
        cores = [int(each.get("CPU", 0)) for each in machines if each.get("CPU", 0) >= 1]
        gpus = sum(int(each.get("GPU", 0)) for each in machines)
        if not cores:
            raise ResourceError("the Ray cluster has no machine with a free core: add one")
        how: dict[str, Any] = {"num_cpus": min(cores) if is_heavy else 1}
        call: Any = task
        if is_heavy and gpus:  # an actor keeps its model; the process of a GPU's task ends
            how = {"num_gpus": 1, "concurrency": gpus}
            call, how["fn_constructor_args"] = _Task, (task.items, task.work)
        try:
            for row in data.map_batches(call, **how, batch_size=1).iter_rows():
                yield int(row["place"]), row["made"]
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.RayError as error:
            raise ResourceError(
                f"the Ray cluster failed ({reason(error)}): run it again, what was written is kept"
            ) from error


class _Task:
    """Work on items; `map_batches` calls it on a batch of one row, the place of an item."""

    def __init__(self, items: Sequence[Any], work: Callable[[Any], Any]) -> None:
        self.items, self.work = items, work

    def __call__(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        made = self.made_of(self.items[int(batch["place"][0])])
        return {"place": batch["place"], "made": _boxed(made)}

    def made_of(self, item: Any) -> Any:  # noqa: ANN401
        """Return what is made of an item, or what the user can put right about it."""
        try:
            return self.work(item)
        except Exception as error:
            fault = explain(error)
            if fault is None or isinstance(fault, Cancelled):
                raise
            return fault


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Yield ray, connected to a cluster; one that the caller is connected to is used and left.

    Without an address a cluster of this machine alone is started, which listens on 127.0.0.1 and
    ends with the block.
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
    options: dict[str, Any] = {"address": _listening(address) if address else "local"}
    if address is None:
        options |= {"include_dashboard": False, "object_store_memory": 512 << 20}
        options["_node_ip_address"] = "127.0.0.1"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        ray.init(**options, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError, ValueError) as error:  # such as another version of Ray there
        raise ResourceError(
            f"cannot connect to Ray at {quoted(address or 'this machine')} ({reason(error)}): "
            "start a cluster with `ray start --head`, of the same versions on every machine; where "
            "one asks for a token, set RAY_AUTH_MODE=token"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _listening(address: str) -> str:
    """Return an address with its port, where somebody listens: Ray itself would ask for minutes."""
    if address == "auto":
        return address
    host, _, port = (address if ":" in address else f"{address}:6379").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=10):
            return f"{host}:{port}"
    except (OSError, OverflowError, ValueError) as error:
        raise ResourceError(
            f"there is no Ray cluster at {quoted(address)} ({reason(error)}): expected auto, HOST "
            "or HOST:PORT; start one with `ray start --head`"
        ) from error
