"""What is done to a batch of rows: texts become vectors, vectors are calibrated or measured.

A batch is a table of Arrow: some rows of a parquet file, or what Ray Data's `map_batches` hands out
as `batch_format="pyarrow"`. A row that cannot be used keeps its place, with a null vector and the
reason.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.digest import fitted_digest
from bertflow_core.calibrators.persistence import load_calibrator
from bertflow_core.datasets.rows import sentence_cell
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.lab import AnyEncoder, Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.moments import Moments
from bertflow_core.recipe import Recipe
from bertflow_core.scale.parquet_files import present
from bertflow_core.store import Embeddings, Unstored
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

ID, TEXT, VECTOR, CUT, REFUSED = "id", "text", "vector", "cut", "refused"
"""What stays with a row, its text, its vector, whether the text was cut, why it has no vector."""

NO_VECTORS = ("dataset", "split", "calibrator", "fit_on", "seed", "aggregation")
"""Fields of a recipe that decide no vector."""

MADE = "made"
"""Column of the object that is made of a batch."""

_PLAIN = "a plain sentence"


class Embed:
    """Give each row of a batch the vector of its text.

    It is small until it is called: the encoder is loaded once a process.

    Args:
        model: Catalogue name, local folder or hub id, which every machine must be able to find; or
            a recipe, of which only what decides vectors counts.
        layers: Layer set; `model`, the default, is what the model's folder declares.
        column: The texts.
        key: A column that is kept, where there is one of that name.
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

    name: ClassVar[str] = "embed"
    rows_at_once: ClassVar[int] = 8192

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
        if not isinstance(model, Recipe):
            model = Recipe(model=model, layers=layers, **choices)
        self.recipe = model.without(*NO_VECTORS)
        self.column, self.key = column, _checked_key(key, column)
        self.device, self.batch_tokens = device, batch_tokens

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads; the last must be there."""
        return (self.key, self.column)

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """Return a table of `id` (where there is one), `cut`, `vector` and `refused`.

        Raises:
            InputError: No such column, or a model that cannot be loaded.
        """
        table = _with_columns(batch, self.columns)
        texts, reasons = _texts_of(table, self.column)
        used, row = _used(reasons), 0
        x, cut = [np.empty((0, self._encoder.dim), np.float32)], [np.empty(0, bool)]
        for part in self._parts(texts):
            if isinstance(part, str):
                reasons[used[row]] = part
                row += 1
            else:
                x.append(part.x)
                cut.append(part.cut)
                row += len(part.x)
        was_cut = np.zeros(len(table), bool)
        was_cut[_used(reasons)] = np.concatenate(cut)
        kept = table.drop_columns([self.column])
        return _outcome(kept, {CUT: was_cut}, np.concatenate(x), reasons)

    def describe(self) -> dict[str, Any]:
        """Return what decides the vectors, JSON-able; the model's folder is found for it."""
        encoder = self._encoder
        recipe = self.recipe.with_(revision=encoder.model.revision).counting()
        names = {"column": self.column, "key": self.key}
        return {"recipe": recipe, "encoder": encoder.description, **names}

    @property
    def _encoder(self) -> AnyEncoder:
        return _encoder_of(self.recipe, self.device, self.batch_tokens)

    def _parts(self, texts: Sequence[str]) -> list[Embeddings | str]:
        """Embed texts, in parts between those that the encoder refuses, of which it says why."""
        encoder, lab = self._encoder, Lab(store=Unstored())

        def embed(some: Sequence[str]) -> Embeddings:
            return lab.vectors(self.recipe, some, encoder=encoder)

        def parts(some: Sequence[str]) -> list[Embeddings | str]:
            try:
                return [embed(some)]
            except InputError as error:
                if len(some) == 1:
                    return [str(error)]
                embed([_PLAIN])  # or it refuses every sentence, and says why
            middle = len(some) // 2
            return parts(some[:middle]) + parts(some[middle:])

        return parts(texts) if texts else []


@lru_cache(maxsize=1)
def _encoder_of(recipe: Recipe, device: str | None, batch_tokens: int | None) -> AnyEncoder:
    """Return the encoder that this process keeps."""
    return Lab(store=Unstored(), device=device, batch_tokens=batch_tokens).encoder(recipe)


class Calibrate:
    """Calibrate the vector of each row of a batch.

    Args:
        calibrator: A fitted one, or the folder of a saved one.
        column: The vectors, lists of numbers.
        key: A column that is kept, as is `text`, where there is one of that name.

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
        InputError: The folder is no saved calibrator, or the key has the name of another column.
    """

    name: ClassVar[str] = "calibrate"

    def __init__(
        self, calibrator: Calibrator | Path | str, *, column: str = VECTOR, key: str = ID
    ) -> None:
        self.fitted_with: Any = None
        if not isinstance(calibrator, Calibrator):
            calibrator, config = load_calibrator(calibrator)
            self.fitted_with = config["recipe"]
        self.calibrator = calibrator
        self.column, self.key = column, _checked_key(key, column)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads; the last must be there."""
        return tuple(dict.fromkeys((self.key, *({TEXT} - {self.column}), self.column)))

    @property
    def rows_at_once(self) -> int:
        """Rows of a batch whose numbers take 16 MB."""
        return max(1, (1 << 22) // self.calibrator.n_features_in_)

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """Return a table of `id` and `text` (where there are any), `vector` and `refused`.

        Raises:
            InputError: No such column.
        """
        table, width = _with_columns(batch, self.columns), self.calibrator.n_features_in_
        x, reasons = vectors_of(table, self.column, width)
        z = self.calibrator.transform(x if len(x) else np.zeros((1, width), np.float32))[: len(x)]
        return _outcome(table.drop_columns([self.column]), {}, z, reasons)

    def describe(self) -> dict[str, Any]:
        """Return what decides the vectors, JSON-able."""
        return {
            "recipe": self.fitted_with,
            "calibrator": self.calibrator.spec,
            "parameters": self.calibrator.resolved_parameters(),
            "digest": fitted_digest(self.calibrator),
            "column": self.column,
            "key": self.key,
        }


class Gathered(NamedTuple):
    """The moments of some rows, None where no row has a usable vector.

    Attributes:
        moments: Of the rows with a usable vector.
        refused: Rows without.
        reason: Of the first of them; empty where there is none.
    """

    moments: Moments | None = None
    refused: int = 0
    reason: str = ""

    @classmethod
    def joined(cls, parts: "Iterable[Gathered]") -> "Gathered":
        """Return the moments of all rows, merged in the order of the parts.

        Raises:
            InputError: Their vectors have several widths.
        """
        whole, refused, why = cls()
        for moments, n, reason in parts:
            refused, why = refused + n, why or reason
            if whole is not None and moments is not None:
                check_one_width(len(whole.mean), len(moments.mean))
                whole = whole.merge(moments)
            else:
                whole = whole or moments
        return cls(whole, refused, why)


def check_one_width(*widths: int) -> None:
    """Refuse vectors of several widths."""
    several = sorted({*widths})
    if len(several) > 1:
        raise InputError(
            f"the vectors have different widths ({listed([*map(str, several)])}): expected one"
        )


def nothing_usable(why: str) -> InputError:
    """Return the error where no row can be used, by the reason of the first."""
    return InputError(f"no row has a usable vector ({why or 'there are no rows'})")


@dataclass(frozen=True)
class Gather:
    """Takes the moments of a batch.

    Attributes:
        column: The vectors.
    """

    column: str = VECTOR

    def __call__(self, batch: "pa.Table") -> Gathered:
        """Return the moments of the rows that can be used.

        Raises:
            InputError: There is no such column.
        """
        x, reasons = vectors_of(batch, self.column)
        refused = [why for why in reasons if why is not None]
        return Gathered(Moments.of(x) if len(x) else None, len(refused), *refused[:1])


def boxed(make: "Callable[[pa.Table], object]", batch: "pa.Table") -> dict[str, np.ndarray]:
    """Return one object that is made of a batch, in a column as `map_batches` wants it."""
    box = np.empty(1, object)
    box[0] = make(batch)
    return {MADE: box}


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
    gather = partial(boxed, Gather(column))
    made = dataset.map_batches(gather, batch_size=None, batch_format="pyarrow")
    whole, refused, why = Gathered.joined(row[MADE] for row in made.iter_rows())
    if whole is None:
        raise nothing_usable(why)
    if refused:
        warnings.warn(f"{refused:,} rows are left out ({why})", stacklevel=2)
    return whole


def vectors_of(
    batch: "pa.Table", column: str, width: int | None = None
) -> tuple[FloatArray, np.ndarray]:
    """Return the usable vectors of a column, and why each other row has none.

    Args:
        batch: n rows.
        column: Lists of numbers.
        width: D; None takes that of most rows.

    Returns:
        Vectors, float32, shape (m, D), and reasons, shape (n,), None where a row is used.
    """
    from pyarrow import compute, types

    values = _column(_with_columns(batch, (column,)), column)
    kind, reasons = values.type, np.full(len(values), None, object)
    tests = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    is_list = any(test(kind) for test in tests) and (
        types.is_integer(kind.value_type) or types.is_floating(kind.value_type)
    )
    if not is_list:
        reasons[:] = f"{column} holds {kind}: expected lists of numbers"
        return np.empty((0, width or 1), np.float32), reasons
    lengths = compute.fill_null(compute.list_value_length(values), -1).to_numpy()
    width = width or _usual_width(lengths)
    rows = np.flatnonzero(lengths == width)
    for row in np.flatnonzero(lengths != width):
        has = (
            "is blank" if lengths[row] < 0 else f"has {lengths[row]:,} numbers: expected {width:,}"
        )
        reasons[row] = f"{column} {has}"
    flat = values.filter(lengths == width).flatten()
    x = np.asarray(flat.to_numpy(zero_copy_only=False), np.float32).reshape(-1, width)
    finite = np.isfinite(x).all(axis=1)
    reasons[rows[~finite]] = f"{column} holds values that are not finite"
    return x if finite.all() else x[finite], reasons


def _usual_width(lengths: np.ndarray) -> int:
    """Return the width that most lists have, which a damaged row does not decide."""
    counts = np.bincount(lengths[lengths > 0])
    return int(counts.argmax()) if len(counts) else 1


def _texts_of(table: "pa.Table", column: str) -> tuple[list[str], np.ndarray]:
    """Return the usable texts of a column, and why each other row has none, shape (n,)."""
    texts: list[str] = []
    reasons = np.full(len(table), None, object)
    try:
        cells = _column(table, column).to_pylist()
    except UnicodeDecodeError as error:
        raise InputError(f"column {quoted(column)} is not all UTF-8: write it again") from error
    for row, cell in enumerate(cells):
        try:
            texts.append(sentence_cell(cell, column))
        except ValueError as error:
            reasons[row] = str(error)
    return texts, reasons


def _used(reasons: np.ndarray) -> np.ndarray:
    """Return the numbers of the rows that are used."""
    return np.array([row for row, why in enumerate(reasons) if why is None], np.int64)


def _outcome(
    kept: "pa.Table", more: dict[str, np.ndarray], x: FloatArray, reasons: np.ndarray
) -> "pa.Table":
    """Return the rows that are kept with vectors, null where a row was refused, and the reasons.

    Args:
        kept: n rows.
        more: Columns before these two, n values each.
        x: Vectors of the rows that are used, shape (m, D).
        reasons: Why each other row is not, shape (n,).
    """
    import pyarrow as pa

    n, used = len(reasons), _used(reasons)
    whole, absent = x, np.zeros(n, bool)
    if len(used) < n:
        whole, absent = np.zeros((n, x.shape[1]), np.float32), np.ones(n, bool)
        whole[used], absent[used] = x, False
    flat = pa.array(np.ascontiguousarray(whole, np.float32).reshape(-1))
    column = pa.FixedSizeListArray.from_arrays(flat, x.shape[1], mask=pa.array(absent))
    columns = {name: kept.column(name) for name in kept.column_names}
    refused = pa.array(reasons.tolist(), pa.string())
    return pa.table({**columns, **more, VECTOR: column, REFUSED: refused})


def _with_columns(batch: "pa.Table", columns: Sequence[str]) -> "pa.Table":
    """Return those of some columns that there are; the last must be.

    Raises:
        InputError: It is not, or the batch is no table of Arrow.
    """
    import pyarrow as pa

    check_type(batch, pa.Table, "a batch", 'a table of Arrow (batch_format="pyarrow")')
    return batch.select(present(columns, batch.column_names))


def _column(table: "pa.Table", name: str) -> Any:  # noqa: ANN401 - an array of Arrow
    values = table.column(name).combine_chunks()
    return getattr(values, "storage", values)  # what Ray calls a tensor is a list inside


def _checked_key(key: str, column: str) -> str:
    """Return the name of the column of ids, which no other column of an output has."""
    if key in (column, CUT, VECTOR, REFUSED):
        raise InputError(
            f"the column {quoted(key)} cannot be the ids too: rename it, or name another as --id"
        )
    return key
