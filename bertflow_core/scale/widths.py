"""The width of a corpus of vectors, settled once, so that no damaged row decides it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.scale.columns import Batch
from bertflow_core.scale.columns import vectors as vectors_of
from bertflow_core.scale.engines import Note
from bertflow_core.scale.parts import parts_of
from bertflow_core.scale.shard import Shard

__all__ = ["CountWidths", "settled_width", "width_of"]

_ROWS, _ROWS_OF_ALL = 1024, 16_384


@dataclass(frozen=True)
class CountWidths:
    """Counts the usable rows at the beginning of a shard by the width that most of them have.

    Attributes:
        column: The vectors.
    """

    column: str

    def __call__(self, shard: Shard, note: Note) -> "Counter[int]":
        """Return the count; nothing of a shard that cannot be read, whose own work says why."""
        try:
            _, batch = next(shard.batches((self.column,), _ROWS))
            return _counted(self.column, batch)
        except InputError:
            return Counter()


def width_of(dataset: Any, column: str) -> int | None:  # noqa: ANN401 - of Ray, an extra
    """Return the width of the vectors of a Ray dataset, by its first rows.

    Raises:
        InputError: There is no such column, or the vectors have several widths.
    """
    return settled_width(parts_of(dataset.limit(_ROWS_OF_ALL), partial(_counted, column)))


def _counted(column: str, batch: Batch) -> "Counter[int]":
    x = vectors_of(batch, column).values
    return Counter({x.shape[1]: len(x)} if len(x) else {})


def settled_width(counts: "Iterable[Counter[int]]") -> int | None:
    """Return the width of more than half of the rows, None where no row was counted.

    Raises:
        InputError: No width has more than half.
    """
    whole: Counter[int] = Counter()
    for each in counts:
        whole.update(each)
    if not whole:
        return None
    width, n = whole.most_common(1)[0]
    if 2 * n <= whole.total():
        widths = ", ".join(map(str, sorted(whole)))
        raise InputError(f"the vectors have different widths ({widths}): expected one")
    return width
