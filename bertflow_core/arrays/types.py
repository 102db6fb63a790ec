"""The array types of the core, and the check of arrays from users."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import wrong_type

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
Rows: TypeAlias = npt.NDArray[np.int64]


def as_numbers(values: object, what: str) -> npt.NDArray[Any]:
    """Return a user's value as an array of numbers of any shape."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise wrong_type(values, what, "an array of numbers") from None
    if values is None or array.dtype.kind not in "biuf":
        raise wrong_type(values, what, "an array of numbers")
    return array
