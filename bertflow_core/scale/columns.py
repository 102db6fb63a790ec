"""The texts and vectors in a batch of rows: those that can be used, and why the others cannot.

A batch is a table of Arrow, a DataFrame, or a mapping of names to arrays, as Ray Data hands it out.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from bertflow_core.datasets.table_rows import sentence_cell
from bertflow_core.errors import InputError, nearest
from bertflow_core.linalg import FloatArray
from bertflow_core.scale.names import REFUSED, VECTOR
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "Batch",
    "Sifted",
    "column_values",
    "has_column",
    "ids",
    "outcome",
    "texts",
    "vectors",
]

Batch = Any
"""`pyarrow.Table`, `pandas.DataFrame` or a mapping of names to arrays, of n rows."""

Values = TypeVar("Values")


@dataclass(frozen=True)
class Sifted(Generic[Values]):
    """A column of a batch of n rows.

    Attributes:
        values: Of the rows that can be used, in their order.
        rows: Their numbers in the batch, rising.
        refused: Why each other row cannot be used, by its number.
    """

    values: Values
    rows: np.ndarray
    refused: dict[int, str] = field(default_factory=dict)


def texts(batch: Batch, column: str) -> Sifted[list[str]]:
    """Return the sentences of a column.

    Raises:
        InputError: There is no such column.
    """
    good: list[str] = []
    rows: list[int] = []
    refused: dict[int, str] = {}
    for row, cell in enumerate(_cells(column_values(batch, column))):
        try:
            good.append(sentence_cell(cell, column))
            rows.append(row)
        except ValueError as reason:
            refused[row] = str(reason)
    return Sifted(good, np.array(rows, np.int64), refused)


def vectors(batch: Batch, column: str, width: int | None = None) -> Sifted[FloatArray]:
    """Return the vectors of a column, float32, shape (n, D).

    Args:
        batch: The rows.
        column: Lists of numbers.
        width: D; None takes that of most rows.

    Raises:
        InputError: There is no such column.
    """
    values = column_values(batch, column)
    if isinstance(values, np.ndarray):
        return _of_arrays(values, column, width)
    return _of_lists(values, column, width)


def ids(batch: Batch, column: str) -> list[object]:
    """Return the cells of a column as Python has them, n values.

    Raises:
        InputError: There is no such column.
    """
    return _cells(column_values(batch, column))


def outcome(
    n: int, x: FloatArray, rows: np.ndarray, refused: Mapping[int, str], more: Mapping[str, Any]
) -> "pa.Table":
    """Return a table of n rows: vectors, null where a row was refused, and the reasons.

    Args:
        n: Rows of the batch.
        x: Vectors of the rows that were used, shape (m, D).
        rows: Their numbers, shape (m,).
        refused: Why each other row was not.
        more: Columns that stand before these two, n values each.
    """
    import pyarrow as pa

    whole = x
    mask = None
    if len(rows) < n:
        whole = np.zeros((n, x.shape[1]), np.float32)
        whole[rows] = x
        absent = np.ones(n, bool)
        absent[rows] = False
        mask = pa.array(absent)
    flat = pa.array(np.ascontiguousarray(whole, np.float32).reshape(-1))
    column = pa.FixedSizeListArray.from_arrays(flat, x.shape[1], mask=mask)
    reasons = pa.array([refused.get(row) for row in range(n)], pa.string())
    return pa.table({**more, VECTOR: column, REFUSED: reasons})


def has_column(batch: Batch, column: str) -> bool:
    """Tell whether a batch has a column of this name."""
    return column in _names(batch)


def _names(batch: Batch) -> list[str]:
    return [str(each) for each in getattr(batch, "column_names", None) or list(batch)]


def column_values(batch: Batch, name: str) -> Any:  # noqa: ANN401 - of Arrow, or an array
    """Return a column as the batch has it.

    Raises:
        InputError: There is no such column.
    """
    names = _names(batch)
    if name not in names:
        raise InputError(f"there is no column {quoted(name)}: {nearest(name, names)}")
    values = batch[name]
    if not hasattr(values, "to_pylist"):
        return np.asarray(values)
    if hasattr(values, "combine_chunks"):
        values = values.combine_chunks()
    return getattr(values, "storage", values)  # what Ray calls a tensor is a list inside


def _cells(values: Any) -> list[object]:  # noqa: ANN401 - of Arrow, or an array
    if isinstance(values, np.ndarray):
        return [None if _is_nan(cell) else cell for cell in values.tolist()]
    try:
        return list(values.to_pylist())
    except UnicodeDecodeError:  # a file says that it is UTF-8, and some row is not
        return [_cell(value) for value in values]


def _is_nan(cell: object) -> bool:
    """Tell whether a cell is what DataFrames hold where there is no text."""
    return isinstance(cell, float) and math.isnan(cell)


def _cell(value: Any) -> object:  # noqa: ANN401 - a scalar of Arrow
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return bytes(value.as_buffer())


def _of_lists(values: Any, column: str, width: int | None) -> Sifted[FloatArray]:  # noqa: ANN401
    """Return the vectors of an array of Arrow."""
    from pyarrow import compute, types

    kind = values.type
    tests = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    is_list = any(test(kind) for test in tests)
    if not (is_list and _is_number(kind.value_type)):
        reason = f"{column} holds {kind}: expected lists of numbers"
        return _nothing(len(values), width, reason)
    lengths = compute.fill_null(compute.list_value_length(values), -1).to_numpy()
    width = width or _usual_width(lengths)
    good = lengths == width
    kept = values if good.all() else values.filter(good)
    flat = np.asarray(kept.flatten().to_numpy(zero_copy_only=False), np.float32)
    refused = {int(row): _width_fault(column, lengths[row], width) for row in np.flatnonzero(~good)}
    return _finite(flat.reshape(-1, width), np.flatnonzero(good), refused, column)


def _of_arrays(values: np.ndarray, column: str, width: int | None) -> Sifted[FloatArray]:
    """Return the vectors of a matrix, or of an array of arrays."""
    if values.ndim == 2 and values.dtype.kind in "fiu" and width in (None, values.shape[1]):
        x = np.asarray(values, np.float32)
        return _finite(x, np.arange(len(x)), {}, column)
    read = [_row(cell) for cell in values]
    lengths = np.array([-1 if each is None else len(each) for each in read], np.int64)
    width = width or _usual_width(lengths)
    rows = np.flatnonzero(lengths == width)
    x = np.empty((len(rows), width), np.float32)
    for place, row in enumerate(rows):
        x[place] = read[row]
    refused = {
        int(row): _width_fault(column, lengths[row], width)
        for row in np.flatnonzero(lengths != width)
    }
    return _finite(x, rows, refused, column)


def _row(cell: object) -> FloatArray | None:
    """Return the numbers of a cell, shape (D,), or None where it has none."""
    try:
        numbers: FloatArray = np.asarray(cell, np.float32)
    except (TypeError, ValueError):
        return None
    return numbers if numbers.ndim == 1 else None


def _finite(
    x: FloatArray, rows: np.ndarray, refused: dict[int, str], column: str
) -> Sifted[FloatArray]:
    finite = np.isfinite(x).all(axis=1)
    if finite.all():
        return Sifted(x, rows, refused)
    reason = f"{column} holds values that are not finite"
    refused = {**refused, **dict.fromkeys(map(int, rows[~finite]), reason)}
    return Sifted(x[finite], rows[finite], refused)


def _nothing(n: int, width: int | None, reason: str) -> Sifted[FloatArray]:
    x = np.empty((0, width or 1), np.float32)
    return Sifted(x, np.empty(0, np.int64), dict.fromkeys(range(n), reason))


def _usual_width(lengths: np.ndarray) -> int:
    """Return the width that most lists have, which a damaged row does not decide."""
    counts = np.bincount(lengths[lengths > 0])
    return int(counts.argmax()) if len(counts) else 1


def _width_fault(column: str, length: int, width: int) -> str:
    if length < 0:
        return f"{column} is blank"
    return f"{column} has {length:,} numbers: expected {width:,}"


def _is_number(kind: Any) -> bool:  # noqa: ANN401, pyarrow has no hints
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind))
