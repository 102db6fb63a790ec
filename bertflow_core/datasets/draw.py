"""A bounded part of a large corpus, the same each time."""

import random
from collections.abc import Iterable
from typing import TypeVar

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

MAX_SENTENCES = 300_000
"""Most sentences of a large corpus. The paper fits on NLI for 0.15 epoch, which sees 288,521 of its
1,923,470 sentences: the others would be embedded for nothing."""

Item = TypeVar("Item")


def drawn(items: Iterable[Item], at_most: int) -> tuple[list[Item], int]:
    """Return at most so many items in their order, and how many there were.

    Each item has the same chance, the draw is the same each time, and the memory holds only what is
    returned (Vitter, 1985, algorithm R).
    """
    rng, n = random.Random(0), 0
    kept: list[tuple[int, Item]] = []
    for n, item in enumerate(items, start=1):
        if len(kept) < at_most:
            kept.append((n, item))
            continue
        place = rng.randrange(n)
        if place < at_most:
            kept[place] = (n, item)
    kept.sort(key=lambda each: each[0])
    return [item for _, item in kept], n


def sized(fit_on: str) -> tuple[str, int]:
    """Return a fit corpus and the most sentences of it, which stand behind its name.

    Example:
        >>> from bertflow_core.datasets.draw import sized
        >>> sized("nli:20000"), sized("nli")
        (('nli', 20000), ('nli', 300000))
    """
    name, mark, number = fit_on.rpartition(":")
    if not (name and mark and number.isdecimal()):
        return fit_on, MAX_SENTENCES
    if len(number) > len(str(MAX_SENTENCES)) or not 2 <= int(number) <= MAX_SENTENCES:
        raise InputError(
            f"of a fit corpus 2 to {MAX_SENTENCES:,} sentences can be drawn, got {quoted(number)}: "
            "name as many, as in nli:20000"
        )
    return name, int(number)


def part_of(n: int, total: int, what: str) -> str:
    """Say which part of a corpus was drawn."""
    if n == total:
        return f"{total:,} {what}"
    return f"{n:,} of {total:,} {what}, drawn at random and the same each time"
