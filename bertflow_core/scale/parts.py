"""A Ray dataset reduced: something is made of each block where it lies, and brought here."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

import numpy as np

from bertflow_core.scale.columns import Batch

__all__ = ["parts_of"]

Part = TypeVar("Part")
_PART = "part"


def parts_of(
    dataset: Any,  # noqa: ANN401 - of Ray, an extra
    make: Callable[[Batch], Part],
) -> Iterator[Part]:
    """Yield what is made of each block of a Ray dataset, in any order.

    Args:
        dataset: Its rows.
        make: It and what it gives can be pickled.
    """
    made = dataset.map_batches(partial(_boxed, make), batch_size=None, batch_format="pyarrow")
    for row in made.iter_rows():
        yield row[_PART]


def _boxed(make: Callable[[Batch], Part], batch: Batch) -> dict[str, np.ndarray]:
    box = np.empty(1, object)
    box[0] = make(batch)
    return {_PART: box}
