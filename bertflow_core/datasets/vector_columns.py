"""Which columns of a table hold vectors: lists of numbers, or one number for each dimension."""

from collections.abc import Sequence
from dataclasses import dataclass

from bertflow_core.datasets.column_names import (
    PAIR_NAMES,
    SCORE_NAMES,
    SENTENCE_NAMES,
    SUBSET_NAMES,
    plain,
)
from bertflow_core.errors import InputError, listed, nearest
from bertflow_core.wording import quoted

__all__ = ["VECTOR_PAIR_NAMES", "VectorColumns", "choose_vector_columns"]

VECTOR_PAIR_NAMES = (
    ("vector1", "vector2"),
    ("vector_1", "vector_2"),
    ("embedding1", "embedding2"),
    ("embedding_1", "embedding_2"),
)
_KEY_NAMES = (*SENTENCE_NAMES, "id", "key")
_NO_DIMENSION = {
    "",
    "index",
    "unnamed:0",
    "indexlevel0",
    "split",
    *_KEY_NAMES,
    *SCORE_NAMES,
    *SUBSET_NAMES,
    *(name for pair in PAIR_NAMES for name in pair),
}


@dataclass(frozen=True)
class VectorColumns:
    """The columns to read.

    Attributes:
        sides: For each array of vectors its columns: one that holds lists, or one a dimension. Two
            arrays are the two sides of pairs.
        are_lists: Whether the columns hold lists.
        key: The column of sentences or ids, for a single array; None where there is none.
    """

    sides: tuple[tuple[str, ...], ...]
    are_lists: bool
    key: str | None


def choose_vector_columns(
    name: str,
    header: Sequence[str],
    lists: Sequence[str],
    numbers: Sequence[str],
    key: str | None = None,
) -> VectorColumns:
    """Choose the columns of the table `name` that hold vectors.

    Args:
        name: Of the file, for messages.
        header: All columns.
        lists: Those that hold lists of numbers.
        numbers: Those that hold numbers.
        key: The column of sentences or ids; None finds one by its name.

    Raises:
        InputError: None hold vectors, or it is not clear which do; or there is no such key.
    """
    if key is not None and key not in header:
        raise InputError(
            f"{quoted(name)} has no column {quoted(key)} of ids: {nearest(key, header)}"
        )
    spelled = {column.lower(): column for column in reversed(header)}
    key = key or next((spelled[each] for each in _KEY_NAMES if each in spelled), None)
    for pair in VECTOR_PAIR_NAMES:
        if all(spelled.get(side) in lists for side in pair):
            return VectorColumns(tuple((spelled[side],) for side in pair), True, None)
    if len(lists) == 1:
        return VectorColumns(((lists[0],),), True, key)
    if lists:
        raise InputError(
            f"{quoted(name)} has {len(lists)} columns of lists ({listed(lists)}): name the two "
            "sides of pairs vector1 and vector2, or keep one"
        )
    dimensions = tuple(each for each in numbers if plain(each) not in _NO_DIMENSION and each != key)
    if len(dimensions) < 2:
        raise InputError(
            f"{quoted(name)} has no vectors: expected a column of lists of numbers, vector1 and "
            "vector2 for pairs, or one column of numbers for each dimension"
        )
    return VectorColumns((dimensions,), False, key)
