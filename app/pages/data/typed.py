"""Sentences and pairs that a visitor types or pastes: their lines become a table."""

import csv
import io

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

MAX_CHARACTERS = 50_000
SCALE = "0,5"
FILE = "typed-pairs.csv"
EXAMPLE = (
    "I like this restaurant. | I dislike this restaurant. | 1.5\n"
    "He bought a car. | A vehicle was purchased by him. | 4.5\n"
    "The dog bit the man. | The man bit the dog. | 2"
)


def as_table(text: str) -> bytes:
    """Return typed lines as the bytes of a CSV table."""
    rows = [
        (number, [part.strip() for part in line.replace("\t", "|").split("|")])
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip(" \t|")
    ]
    if len(rows) < 2:
        raise InputError(f"type at least two sentences or pairs, one a line: got {len(rows)}")
    width = len(rows[0][1])
    for number, parts in rows:
        if len(parts) > 3 or not all(parts) or len(parts) < min(width, 2):
            shown = quoted(" | ".join(parts))
            raise InputError(f"line {number}: expected first | second | gold, got {shown}")
        if len(parts) != width:
            raise InputError(f"line {number}: give gold scores in every line or in none")
        if width == 3:
            _check_gold(number, parts[2])
    stream = io.StringIO()
    writer = csv.writer(stream)
    names = ("sentence1", "sentence2", "score")[:width]
    writer.writerow(names if width > 1 else ("sentence",))
    writer.writerows(parts for _, parts in rows)
    return stream.getvalue().encode()


def _check_gold(number: int, text: str) -> None:
    try:
        gold = float(text)
    except ValueError:
        gold = -1.0
    if not 0 <= gold <= 5:
        raise InputError(f"line {number}: gold must be a number from 0 to 5, got {quoted(text)}")
