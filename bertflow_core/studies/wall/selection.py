"""The selected rows of a wall: a table, a report, and a short text such as an address can hold.

In the text the numbers of the rows are written by interpolative coding (Moffat and Stuiver, 2000):
the middle one first, then each half within what is left of the range. A range that is full costs
nothing, so neighbouring rows cost little. Every choice is a digit of one number, whose base is the
size of the range.
"""

import base64
import hashlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.report import Column as Shown
from bertflow_core.report import Report, Row
from bertflow_core.studies.wall.recipe import Picture, WallRecipe
from bertflow_core.studies.wall.spaces import Column, Wall

LONGEST = 1_500
"""Characters of a text at most: browsers and mail programs cut addresses of more than 2,000."""

_MARK = "r"
_CHECK_BYTES = 4
_MOST_BITS = 6 * (LONGEST - 1) - 8


def selection_records(wall: Wall, rows: Sequence[int], extra: Sequence[Column] = ()) -> list[Row]:
    """Return one record per row: id, text, shared columns, then those of each pane by its name.

    Texts are as they were written: a report guards them for spreadsheets. `extra` are more columns,
    such as `faithfulness_column`.
    """
    cells: dict[str, list[Any]] = {
        "id": wall.rows.ids[list(rows)].tolist(),
        "text": [wall.rows.texts[row] for row in rows],
    }
    for column in (*wall.columns, *extra):
        if not column.per_pane:
            cells[column.header] = column.cells(rows)
            continue
        for pane, space in enumerate(wall.spaces):
            cells[f"{column.header}, {space.name}"] = column.cells(rows, pane)
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def selection_report(
    wall: Wall, picture: Picture, rows: Sequence[int], extra: Sequence[Column] = ()
) -> Report:
    """Report selected rows with every column; the arguments are those of `selection_records`."""
    remarks, records = wall.remarks(picture), selection_records(wall, rows, extra)
    return Report(
        name="selection",
        params=picture,
        columns=[Shown(key, key) for key in records[0]],
        rows=[{**row, "recipe": " ".join(remarks)} for row in records],
        remarks=remarks,
        facts={} if wall.recipe is None else {"wall": _without_paths(wall.recipe)},
    )


def _without_paths(recipe: WallRecipe) -> dict[str, Any]:
    """Return a recipe's fields; files of word counts by their name, not by their folder here."""
    fields = recipe.to_dict()
    for each in (fields, fields["base"]):
        if each.get("counts"):
            each["counts"] = Path(each["counts"]).name
    return fields


def encode_selection(selected: Sequence[int], ids: str, n_rows: int) -> str | None:
    """Return a text that names rows of a wall, rising, of `n_rows`; None where it is too long.

    `ids` is the digest of all rows.
    """
    rows = [int(row) for row in selected]
    digits = [(len(rows), n_rows + 1)]

    def write(place: int, lowest: int, n_choices: int) -> int:
        digits.append((rows[place] - lowest, n_choices))
        return rows[place]

    _by_halves(n_rows, len(rows), write)
    if 8 * _CHECK_BYTES + sum(math.log2(base) for _, base in digits) > _MOST_BITS:
        return None
    number = 0
    for digit, base in reversed(digits):
        number = number * base + digit
    number = (number << 8 * _CHECK_BYTES) + _check(rows, ids)
    packed = number.to_bytes(-(-number.bit_length() // 8), "little")
    return _MARK + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode_selection(text: str, ids: str, n_rows: int) -> tuple[int, ...]:
    """Return the rows that a text of `encode_selection` names; another text is refused."""
    number, check = divmod(_number(text), 1 << 8 * _CHECK_BYTES)
    number, n_selected = divmod(number, n_rows + 1)

    def read(_place: int, lowest: int, n_choices: int) -> int:
        nonlocal number
        number, digit = divmod(number, n_choices)
        return lowest + digit

    rows = _by_halves(n_rows, n_selected, read)
    if number or not rows or check != _check(rows, ids):
        raise InputError(
            "the selection in the address is of other rows, or its text was changed: nothing is "
            "selected"
        )
    return tuple(rows)


def _by_halves(n_rows: int, n: int, choose: Callable[[int, int, int], int]) -> list[int]:
    """Return n rising numbers below `n_rows`, chosen by halves, all halves of a level at once.

    `choose` takes a number's place, the lowest that it can be, and how many it can be.
    """
    chosen = [0] * n
    level = [(0, n, 0, n_rows - 1)] if n else []
    while level:
        before, after = [], []
        for first, end, low, high in level:
            middle = (first + end) // 2
            lowest, highest = low + middle - first, high - (end - 1 - middle)
            number = chosen[middle] = choose(middle, lowest, highest - lowest + 1)
            before.append((first, middle, low, number - 1))
            after.append((middle + 1, end, number + 1, high))
        level = [half for half in before + after if half[0] < half[1]]
    return chosen


def _number(text: str) -> int:
    """Return the number that a text holds behind its first letter; 0 where it holds none."""
    if not text.startswith(_MARK) or len(text) > LONGEST:
        return 0
    try:
        padded = text[1:].encode("ascii") + b"=" * (-(len(text) - 1) % 4)
        return int.from_bytes(base64.b64decode(padded, b"-_", validate=True), "little")
    except ValueError:  # binascii.Error is one
        return 0


def _check(rows: Sequence[int], ids: str) -> int:
    digest = hashlib.blake2b(ids.encode(), digest_size=_CHECK_BYTES)
    digest.update(np.asarray(rows, "<i8").tobytes())
    return int.from_bytes(digest.digest(), "little")
