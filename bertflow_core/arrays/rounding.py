"""Rounding error: the spread of values that their precision alone explains.

A layer can have directions without variance, because of LayerNorm, dead features, or fewer
sentences than features. Values along them are rounding errors, which differ between processors, so
nothing may divide by them or rank them.
"""

from collections.abc import Mapping

import numpy as np

from bertflow_core.arrays.blocks import row_blocks

ERRORS: Mapping[str, float] = {
    "float64": 1e-12,
    "float32": 1e-5,
    "float16": 1e-3,
    "bfloat16": 4e-3,
}
"""Relative error of a value, by the precision of its computation.

A direction whose standard deviation, relative to the values, is smaller counts as rounding. On an
encoder of 6 layers and 384 features, rounding alone causes 8e-8 (float32), 6e-5 (float16) or 6e-4
(bfloat16), measured in the direction that LayerNorm leaves without variance. The smallest of all
other directions has 2e-2. Between two batches a float32 value differs by 1e-6.
"""


def precision_of(x: np.ndarray, named: str | None = None) -> str:
    """Return the precision in which values were computed, a key of `ERRORS`.

    It is the coarser of `named` and the array's own precision. float64 values that float32 can
    represent exactly count as computed in float32.
    """
    is_double = x.dtype == np.float64 and not _float32_holds(x)
    return coarser("float64" if is_double else "float32", named or "float64")


def coarser(one: str, other: str) -> str:
    """Return the precision with the larger error."""
    return max(one, other, key=ERRORS.__getitem__)


def _float32_holds(x: np.ndarray) -> bool:
    blocks = row_blocks(x, 256)  # the first block often decides
    with np.errstate(over="ignore", under="ignore"):
        return all((rows == rows.astype(np.float32)).all() for rows in blocks)


def rounding_spread(sizes: np.ndarray, precision: str) -> np.ndarray:
    """Return the standard deviation that rounding can cause in each of D features, shape (D,).

    `sizes` are the features' root mean squares, shape (D,). The result adds the error of the
    feature's own values and that of sums of D terms as large as the largest feature. Half
    precisions sum in float32. Numbers so small that they or their squares lose digits count as
    rounding error too.
    """
    of_a_sum, smallest = (2**-53, 2**-511) if precision == "float64" else (2**-24, 2**-126)
    of_sums = np.sqrt(len(sizes)) * of_a_sum * sizes.max(initial=0.0)
    spread: np.ndarray = ERRORS[precision] * sizes + of_sums + smallest
    return spread


def varying(mean: np.ndarray, variances: np.ndarray, precision: str) -> np.ndarray:
    """Tell from means and variances, shape (D,), which features vary beyond rounding error."""
    spread = rounding_spread(np.sqrt(mean**2 + variances), precision)
    varies: np.ndarray = variances > spread**2
    return varies


def is_constant(values: np.ndarray) -> bool:
    """Tell whether float64 numbers, shape (N,), are equal up to rounding error."""
    return bool(np.ptp(values) <= ERRORS["float64"] * np.abs(values).max())
