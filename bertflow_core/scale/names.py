"""The columns of a shard, and by what measure its rows are near."""

from enum import StrEnum

from bertflow_core.errors import InputError, listed
from bertflow_core.wording import quoted

__all__ = [
    "CUT",
    "ID",
    "NO_VECTORS",
    "REASON",
    "REFUSED",
    "ROW",
    "SAMPLE",
    "TEXT",
    "VECTOR",
    "Nearness",
    "check_key",
]

ID, TEXT, VECTOR, CUT, REFUSED = "id", "text", "vector", "cut", "refused"
"""What stays with a row, its text, its vector, whether the text was cut, why it has no vector."""

SAMPLE = 1_000_000
"""Rows of a sample that a calibrator is fitted on."""

ROW, REASON = "row", "reason"
"""Of a refused row, beside its id: its number in the input, from 1, and why."""

NO_VECTORS = ("dataset", "split", "calibrator", "fit_on", "seed", "aggregation")
"""Fields of a recipe that decide no vector."""

_MADE = (CUT, VECTOR, REFUSED, ROW, REASON)


class Nearness(StrEnum):
    """By what measure rows are near."""

    COSINE = "cosine"
    L2 = "l2"
    DOT = "dot"


def check_key(key: str, column: str) -> str:
    """Return the name of the column of ids, which no other column of an output has.

    Raises:
        InputError: Another column has it.
    """
    if key in _MADE:
        raise InputError(
            f"the ids are in the column {quoted(key)}, a name that the output has for something "
            f"else ({listed(_MADE)}): rename the column"
        )
    if key == column:
        raise InputError(f"the column {quoted(key)} cannot be both the input and the ids: name two")
    return key
