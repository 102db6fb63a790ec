"""What is done to a batch of rows: texts become vectors, vectors are calibrated or measured.

A batch is a table of Arrow: some rows of a parquet file, or what Ray Data's `map_batches` hands out
as `batch_format="pyarrow"`. A row that cannot be used keeps its place, with a null vector and the
reason.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.blocks import Embeddings
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.saved import fitted_digest, load_calibrator
from bertflow_core.datasets.rows import sentence_cell
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import (
    InputError,
    check_type,
    listed,
    nearest,
)
from bertflow_core.lab import AnyEncoder, Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.moments import Moments
from bertflow_core.recipe import Recipe
from bertflow_core.store import Unstored
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

ID, TEXT, VECTOR, CUT, REFUSED = "id", "text", "vector", "cut", "refused"
"""What stays with a row, its text, its vector, whether the text was cut, why it has no vector."""

_PLAIN = "a plain sentence"
_NO_VECTORS = ("dataset", "split", "calibrator", "fit_on", "seed", "aggregation")
"""Fields of a recipe that decide no vector."""


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

    rows_at_once = 8192

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
        self.recipe = vectors_recipe(model)
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
        rows, cut = iter(np.flatnonzero(_is_used(reasons))), np.zeros(len(reasons), bool)
        x = [np.empty((0, self._encoder.dim), np.float32)]
        for part in self._parts(texts) if texts else ():
            if isinstance(part, str):
                reasons[next(rows)] = part
            else:
                x.append(part.x)
                cut[[*islice(rows, len(part.x))]] = part.cut
        kept = table.drop_columns([self.column])
        return _outcome(kept, {CUT: cut}, np.concatenate(x), reasons)

    def _parts(self, texts: Sequence[str]) -> list[Embeddings | str]:
        """Embed texts, in parts between those that the encoder refuses, of which it says why."""
        try:
            return [self._embed(texts)]
        except InputError as error:
            if len(texts) == 1:
                return [str(error)]
            self._embed([_PLAIN])  # or it refuses every text, and says why
        middle = len(texts) // 2
        return self._parts(texts[:middle]) + self._parts(texts[middle:])

    def _embed(self, texts: Sequence[str]) -> Embeddings:
        return Lab(store=Unstored()).vectors(self.recipe, texts, encoder=self._encoder)

    def request(self) -> list[Any]:
        """Return what decides the vectors, JSON-able; the model's folder is found for it."""
        encoder = self._encoder
        recipe = self.recipe.with_(revision=encoder.model.revision).counting()
        names = {"column": self.column, "key": self.key}
        return ["embed", {"recipe": recipe, "encoder": encoder.description, **names}]

    @property
    def _encoder(self) -> AnyEncoder:
        return _encoder_of(self.recipe, self.device, self.batch_tokens)


@lru_cache(maxsize=1)
def _encoder_of(recipe: Recipe, device: str | None, batch_tokens: int | None) -> AnyEncoder:
    """Return the encoder that this process keeps."""
    return Lab(store=Unstored(), device=device, batch_tokens=batch_tokens).encoder(recipe)


class Calibrate:
    """Calibrate the vector of each row of a batch.

    Args:
        calibrator: A fitted one, or the file of a saved one.
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
        InputError: There is no saved calibrator, or the key has the name of another column.
    """

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

    def request(self) -> list[Any]:
        """Return what decides the vectors, JSON-able."""
        decides = {
            "recipe": self.fitted_with,
            "calibrator": self.calibrator.spec,
            "parameters": self.calibrator.resolved_parameters(),
            "digest": fitted_digest(self.calibrator),
            "column": self.column,
            "key": self.key,
        }
        return ["calibrate", decides]


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
    measure = partial(_measured, column=column)
    made = dataset.map_batches(measure, batch_size=None, batch_format="pyarrow")
    found, left_out = all_of(row["made"] for row in made.iter_rows())
    if left_out:
        warnings.warn(left_out, stacklevel=2)
    whole: Moments = found
    return whole


def _measured(batch: "pa.Table", column: str) -> dict[str, np.ndarray]:
    return {"made": boxed(found_in(batch, column, Moments.of))}


def boxed(made: object) -> np.ndarray:
    """Return a column of one object, as `map_batches` wants it."""
    box = np.empty(1, object)
    box[0] = made
    return box


Found = tuple[Any, Counter[str]]
"""Moments or vectors of usable rows, None where there are none; and how often rows are refused."""


def found_in(batch: "pa.Table", column: str, make: Callable[[FloatArray], Any]) -> Found:
    """Return what is made of the usable vectors of a batch."""
    x, reasons = vectors_of(batch, column)
    return make(x) if len(x) else None, Counter(why for why in reasons if why is not None)


def merged(parts: Iterable[Found]) -> Found:
    """Return the moments of all parts, or all their vectors, None where there are none."""
    whole: Any = None
    rows, refused = [], Counter[str]()
    for found, faults in parts:
        refused += faults
        if isinstance(found, Moments):
            _check_one_width(*(len(each.mean) for each in (found, whole) if each is not None))
            whole = found if whole is None else whole.merge(found)
        elif found is not None:
            rows.append(found)
    if rows:
        _check_one_width(*(x.shape[1] for x in rows))
        whole = np.concatenate(rows)
    return whole, refused


def all_of(parts: Iterable[Found]) -> tuple[Any, str]:
    """Return what all parts hold together, which must be something, and what was left out."""
    whole, refused = merged(parts)
    why = next(iter(refused), "there are no rows")
    if whole is None:
        raise InputError(f"no row has a usable vector ({why})")
    return whole, f"{refused.total():,} rows are left out ({why})" if refused else ""


def _check_one_width(*widths: int) -> None:
    several = sorted({*widths})
    if len(several) > 1:
        raise InputError(
            f"the vectors have different widths ({listed([*map(str, several)])}): expected one"
        )


def vectors_of(
    batch: "pa.Table", column: str, width: int | None = None
) -> tuple[FloatArray, np.ndarray]:
    """Return the usable vectors of a column, and why each other row has none.

    Args:
        batch: n rows.
        column: Lists of numbers.
        width: D; None takes that of most rows, which a damaged row does not decide.

    Returns:
        Vectors, float32, shape (m, D), and reasons, shape (n,), None where a row is used.
    """
    import pyarrow as pa
    from pyarrow import compute

    values = _column(_with_columns(batch, (column,)), column)
    reasons = np.full(len(values), None, object)
    try:
        lists = values.cast(pa.list_(pa.float32()), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        reasons[:] = f"{column} holds {values.type}: expected lists of numbers"
        return np.empty((0, width or 1), np.float32), reasons
    lengths = compute.fill_null(compute.list_value_length(lists), -1).to_numpy()
    if width is None:
        width = int(np.bincount(lengths[lengths > 0], minlength=2).argmax()) or 1
    for row in np.flatnonzero(lengths != width):
        has = f"has {lengths[row]:,} numbers: expected {width:,}"
        reasons[row] = f"{column} {'is blank' if lengths[row] < 0 else has}"
    x = lists.filter(lengths == width).flatten().to_numpy(zero_copy_only=False).reshape(-1, width)
    finite = np.isfinite(x).all(axis=1)
    rows = np.flatnonzero(lengths == width)
    reasons[rows[~finite]] = f"{column} holds values that are not finite"
    return x if finite.all() else x[finite], reasons


def _texts_of(table: "pa.Table", column: str) -> tuple[list[str], np.ndarray]:
    """Return the usable texts of a column, and why each other row has none, shape (n,)."""
    texts: list[str] = []
    reasons = np.full(len(table), None, object)
    for row, cell in enumerate(_column(table, column).to_pylist()):
        try:
            texts.append(sentence_cell(cell, column))
        except ValueError as error:
            reasons[row] = str(error)
    return texts, reasons


def _is_used(reasons: np.ndarray) -> np.ndarray:
    return np.array([why is None for why in reasons], bool)


def _outcome(
    kept: "pa.Table", more: dict[str, np.ndarray], x: FloatArray, reasons: np.ndarray
) -> "pa.Table":
    """Return n rows that are kept, with vectors, null where a row was refused, and the reasons.

    Args:
        kept: n rows.
        more: Columns before these two, n values each.
        x: Vectors of the rows that are used, shape (m, D).
        reasons: Why each other row is not, shape (n,).
    """
    import pyarrow as pa

    used, whole = _is_used(reasons), x
    if not used.all():
        whole = np.zeros((len(used), x.shape[1]), np.float32)
        whole[used] = x
    flat = pa.array(np.ascontiguousarray(whole, np.float32).reshape(-1))
    vectors = pa.FixedSizeListArray.from_arrays(flat, x.shape[1], mask=pa.array(~used))
    columns = {name: kept.column(name) for name in kept.column_names}
    refused = pa.array(reasons.tolist(), pa.string())
    return pa.table({**columns, **more, VECTOR: vectors, REFUSED: refused})


def _with_columns(batch: "pa.Table", columns: Sequence[str]) -> "pa.Table":
    import pyarrow as pa

    check_type(batch, pa.Table, "a batch", 'a table of Arrow (batch_format="pyarrow")')
    return batch.select(present(columns, batch.column_names))


def present(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return those of some columns that there are; the last, which is what is read, must be."""
    if columns[-1] not in names:
        raise InputError(f"there is no column {quoted(columns[-1])}: {nearest(columns[-1], names)}")
    return [name for name in columns if name in names]


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


def vectors_recipe(recipe: Recipe) -> Recipe:
    """Return what of a recipe decides vectors."""
    return recipe.without(*_NO_VECTORS)
