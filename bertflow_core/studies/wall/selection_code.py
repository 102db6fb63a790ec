"""A selection of a wall's rows as a short text, such as an address can hold.

The numbers of the selected rows are written by interpolative coding (Moffat and Stuiver, 2000): the
middle one first, then each half within what is left of the range. A range that is full costs
nothing, so neighbouring rows cost little. Every choice is a digit of one number, whose base is the
size of the range.
"""

import base64
import hashlib
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError

__all__ = ["LONGEST", "decode_selection", "encode_selection"]

LONGEST = 1_500
"""Characters of a text at most: browsers and mail programs cut addresses of more than 2,000."""

_MARK = "r"
_CHECK_BYTES = 4
_MOST_BITS = 6 * (LONGEST - 1) - 8
_Integers: TypeAlias = npt.NDArray[np.int64]


def encode_selection(selected: Sequence[int], ids: str, n_rows: int) -> str | None:
    """Return a text that names some rows of a wall.

    Args:
        selected: The rows, from 0, rising; at least one.
        ids: The digest of all rows.
        n_rows: How many rows there are, N.

    Returns:
        None where the text would be longer than `LONGEST`.
    """
    rows = np.asarray(selected, np.int64)
    check = _check(rows, ids)
    digits, radices = _digits(rows, n_rows)
    return _text(check, digits, radices) if _bits(radices) <= _MOST_BITS else None


def decode_selection(text: str, ids: str, n_rows: int) -> tuple[int, ...]:
    """Return the rows that a text of `encode_selection` names, rising.

    Raises:
        InputError: It is no such text, or one about other rows.
    """
    if not text.startswith(_MARK):
        raise _refused()
    number, check = divmod(_number(text), 1 << 8 * _CHECK_BYTES)
    number, n_selected = divmod(number, n_rows + 1)
    places = np.zeros(n_selected, np.int64)

    def read(middle: _Integers, lowest: _Integers, radices: _Integers) -> _Integers:
        nonlocal number
        for i in np.flatnonzero(radices > 1).tolist():
            number, digit = divmod(number, int(radices[i]))
            lowest[i] += digit
        places[middle] = lowest
        return lowest

    _descend(n_rows, n_selected, read)
    if number or not n_selected or check != _check(places, ids):
        raise _refused()
    return tuple(places.tolist())


def _refused() -> InputError:
    return InputError(
        "the selection in the address is of other rows, or its text was changed: nothing is "
        "selected"
    )


def _check(rows: _Integers, ids: str) -> int:
    digest = hashlib.blake2b(ids.encode(), digest_size=_CHECK_BYTES)
    digest.update(rows.astype("<i8").tobytes())
    return int.from_bytes(digest.digest(), "little")


def _digits(places: _Integers, n_rows: int) -> tuple[list[int], list[int]]:
    """Return the digits of rising places from 0 to below `n_rows`, and the base of each."""
    digits, radices = [len(places)], [n_rows + 1]

    def write(middle: _Integers, lowest: _Integers, sizes: _Integers) -> _Integers:
        is_open = sizes > 1
        digits.extend((places[middle] - lowest)[is_open].tolist())
        radices.extend(sizes[is_open].tolist())
        return places[middle]

    _descend(n_rows, len(places), write)
    return digits, radices


def _descend(
    n_rows: int, n_selected: int, place: Callable[[_Integers, _Integers, _Integers], _Integers]
) -> None:
    """Go through rising places by halves, all halves of a level at once.

    Args:
        n_rows: The places are below it.
        n_selected: How many there are.
        place: Called with the indices of places, the lowest that each can be, and how many it can
            be; returns the places.
    """
    first, end = np.array([0]), np.array([n_selected])
    low, high = np.array([0]), np.array([n_rows - 1])
    while (is_left := end > first).any():
        first, end, low, high = first[is_left], end[is_left], low[is_left], high[is_left]
        middle = (first + end) // 2
        lowest = low + middle - first
        highest = high - (end - 1 - middle)
        found = place(middle, lowest.copy(), highest - lowest + 1)
        first, end = np.concatenate([first, middle + 1]), np.concatenate([middle, end])
        low, high = np.concatenate([low, found + 1]), np.concatenate([found - 1, high])


def _bits(radices: Sequence[int]) -> float:
    return 8 * _CHECK_BYTES + float(np.log2(np.asarray(radices, float)).sum())


def _text(check: int, digits: Sequence[int], radices: Sequence[int]) -> str:
    number = 0
    for digit, radix in zip(reversed(digits), reversed(radices), strict=True):
        number = number * radix + digit
    number = (number << 8 * _CHECK_BYTES) + check
    packed = number.to_bytes(-(-number.bit_length() // 8), "little")
    return _MARK + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _number(text: str) -> int:
    """Return the number that a text holds behind its first letter."""
    if len(text) > LONGEST:
        raise _refused()
    try:
        padded = text[1:].encode("ascii") + b"=" * (-(len(text) - 1) % 4)
        return int.from_bytes(base64.b64decode(padded, b"-_", validate=True), "little")
    except ValueError as error:  # binascii.Error is one
        raise _refused() from error
