"""In which precisions a product can be computed and its numbers compared: float32 and bfloat16.

bfloat16 is three to four times as fast as float32 where a CPU has instructions for it, and half as
large to look through.
"""

import sys
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from bertflow_core.device import AUTO, settle_precision
from bertflow_core.linalg import FloatArray

__all__ = ["Ordered", "Precision", "Table", "precisions"]

Table: TypeAlias = Any  # of numpy or torch, which take the same assignments
Ordered: TypeAlias = npt.NDArray[np.float32 | np.int16]

_WORTH = 10**9  # multiplications from which on rounding to bfloat16 pays
_WORTH_IMPORT = 4 * 10**11  # and from which on importing torch does


class Precision(Protocol):
    """How numbers are rounded, multiplied and put in order."""

    n_bytes: int
    """Of a number."""
    pieces: int
    """How many numbers together hold the 24 bits of float32."""
    step: float
    """The largest share of a number by which rounding moves it."""
    positive: bool
    """Whether only numbers that are not negative can be put in order."""

    def table(self, a: FloatArray) -> Table:
        """Round."""

    def numbers(self, table: Table) -> FloatArray:
        """Return rounded numbers in float64."""

    def empty(self, n: int, m: int) -> Table:
        """Return room for (n, m) numbers."""

    def product(self, a: Table, b: Table, room: Table) -> Ordered:
        """Return `a` (n, D) times `b` (m, D) transposed, computed in `room`."""

    def ordered(self, a: FloatArray) -> Ordered:
        """Round to what can be compared with a product."""


class _Float32:
    n_bytes, pieces, step, positive = 4, 1, 2.0**-24, False

    def table(self, a: FloatArray) -> Table:
        return a.astype(np.float32)

    def numbers(self, table: Table) -> FloatArray:
        numbers: FloatArray = table.astype(np.float64)
        return numbers

    def empty(self, n: int, m: int) -> Table:
        return np.empty((n, m), np.float32)

    def product(self, a: Table, b: Table, room: Table) -> Ordered:
        found: Ordered = np.matmul(a, b.T, out=room)
        return found

    def ordered(self, a: FloatArray) -> Ordered:
        return a.astype(np.float32)


class _BFloat16:
    """By torch, since numpy has none.

    The bits of positive numbers have their order. Those of a negative bound come before all others,
    as it may: no cost is negative, so that its row is within any limit.
    """

    n_bytes, pieces, step, positive = 2, 3, 2.0**-8, True

    def table(self, a: FloatArray) -> Table:
        import torch

        return torch.from_numpy(a.astype(np.float32)).bfloat16()

    def numbers(self, table: Table) -> FloatArray:
        numbers: FloatArray = table.double().numpy()
        return numbers

    def empty(self, n: int, m: int) -> Table:
        import torch

        return torch.empty(n, m, dtype=torch.bfloat16)

    def product(self, a: Table, b: Table, room: Table) -> Ordered:
        import torch

        return self._bits(torch.mm(a, b.T, out=room))

    def ordered(self, a: FloatArray) -> Ordered:
        return self._bits(self.table(a))

    def _bits(self, table: Table) -> Ordered:
        import torch

        bits: Ordered = table.view(torch.int16).numpy()
        return bits


def precisions(multiplications: int) -> list[Precision]:
    """Return in which precisions to screen, the cheapest first, for so many multiplications."""
    worth = _WORTH if "torch" in sys.modules else _WORTH_IMPORT
    if multiplications >= worth and settle_precision(AUTO, "cpu") == "bfloat16":
        return [_BFloat16(), _Float32()]
    return [_Float32()]
