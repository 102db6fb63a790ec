"""A cheap lower bound of every distance: which rows can be among the nearest at all.

The cost of a row x to a query q is half its squared distance, |q|^2 / 2 + |x|^2 / 2 - q.x, or -q.x
where products are asked for. A product in low precision knows only the rounded q' and x', but

    q.x <= q'.x' + |q - q'| |x| + |q'| |x - x'|    (Cauchy-Schwarz)

so with these lengths as two more features one product bounds the cost of every pair from below.
The bound is never above the cost, whatever the precision; a low one only leaves more rows to be
computed exactly. bfloat16 is three to four times as fast as float32 where a CPU has instructions
for it, and half as large to look through.
"""

import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from bertflow_core.device import AUTO, settle_precision
from bertflow_core.linalg import FloatArray, Rows

__all__ = ["GROUP", "Bounds", "Frame", "Metric", "Ordered", "Precision", "Screen", "precisions"]

Table: TypeAlias = Any  # of numpy or torch, which take the same assignments
Ordered: TypeAlias = npt.NDArray[np.float32 | np.int16]

GROUP = 32
"""Rows are padded to a multiple of this many, so that bounds can be looked through in groups."""

_CHUNK = 1024  # rows that are float64 at once

_NEVER = 1e37  # above every cost, of which none is larger than a few D

_WORTH = 10**9  # multiplications from which on rounding to bfloat16 pays
_WORTH_IMPORT = 4 * 10**11  # and from which on importing torch does

_ROUNDING = 2.0**-22  # of a sum in float32, four times over
_ROUNDING_64 = 2.0**-50  # of one in float64, eight times
_TINY = 2.0**-120  # what a processor may take for zero


class Metric(StrEnum):
    """By what measure rows are near."""

    L2 = "l2"
    DOT = "dot"


@dataclass(frozen=True)
class Frame:
    """Where costs are counted from: rows less a centre, and all divided by a scale.

    No distance depends on the centre, and products only by what is the same for every row.
    """

    metric: Metric
    centre: FloatArray
    scale: float

    @classmethod
    def of(cls, x: FloatArray, queries: FloatArray, metric: Metric) -> "Frame":
        """Return a frame in which nothing of `x` (V, D) or `queries` (n, D) is larger than 1."""
        centre = x.mean(axis=0, dtype=np.float64)
        theirs = centre if metric is Metric.L2 else np.zeros_like(centre)
        return cls(metric, centre, max(_reach(x, centre), _reach(queries, theirs)) or 1.0)

    def rows(self, x: FloatArray) -> FloatArray:
        """Return rows (N, D) in the frame, float64."""
        moved: FloatArray = (x - self.centre) / self.scale
        return moved

    def queries(self, queries: FloatArray) -> FloatArray:
        """Return queries (n, D) in the frame, float64."""
        if self.metric is Metric.L2:
            return self.rows(queries)
        scaled: FloatArray = np.asarray(queries, np.float64) / self.scale
        return scaled

    def costs(self, values: FloatArray, queries: FloatArray) -> FloatArray:
        """Return the costs of one distance or product of each query in the frame, shape (n,)."""
        scaled = np.asarray(values, np.float64) / self.scale
        if self.metric is Metric.L2:
            half_squares: FloatArray = 0.5 * np.square(scaled)
            return half_squares
        products: FloatArray = queries @ (self.centre / self.scale) - scaled / self.scale
        return products


def _reach(x: FloatArray, centre: FloatArray) -> float:
    """Return the largest absolute value of `x` - `centre`."""
    return float(max((x.max(axis=0) - centre).max(), (centre - x.min(axis=0)).max()))


class Precision(Protocol):
    """How numbers are rounded, multiplied and put in order."""

    bytes: int
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
    bytes, pieces, step, positive = 4, 1, 2.0**-24, False

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

    bytes, pieces, step, positive = 2, 3, 2.0**-8, True

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


@dataclass(frozen=True)
class Bounds:
    """What every row costs each of some queries at least.

    Attributes:
        least: The bounds, shape (n, W), of the V rows and of padding, which costs more than any.
            They can be compared with each other and with a limit, and are in no unit.
    """

    least: Ordered
    _precision: Precision = field(repr=False)
    _shift: FloatArray = field(repr=False)

    def limit(self, costs: FloatArray) -> Ordered:
        """Return what no bound of a row is above that costs a query no more than `costs`, (n,)."""
        return self._precision.ordered(costs + self._shift)

    def leave_out(self, queries: Rows, rows: Rows) -> None:
        """Make one row cost a query more than any other does."""
        self.least[queries, rows] = self._precision.ordered(np.array([_NEVER]))[0]


@dataclass(frozen=True)
class Screen:
    """All rows, ready to be multiplied with queries in one precision."""

    frame: Frame
    precision: Precision = field(repr=False)
    table: Table = field(repr=False)
    longest: float
    most_lost: float
    bias: float

    @classmethod
    def of(cls, x: FloatArray, frame: Frame, precision: Precision) -> "Screen":
        """Round the rows `x`, shape (V, D), once for all queries."""
        n, d = x.shape
        table = precision.empty(-(-n // GROUP) * GROUP, d + 2 * precision.pieces + 2)
        table[n:] = 0
        table[n:, d] = _NEVER
        largest = np.zeros(3)
        for start in range(0, n, _CHUNK):
            moved = frame.rows(x[start : start + _CHUNK])
            rounded, lengths, lost = _rounded(moved, precision)
            biases = 0.5 * np.square(lengths) * (frame.metric is Metric.L2)
            block = table[start : start + len(moved)]
            block[:, :d] = -rounded
            block[:, d:] = precision.table(
                np.column_stack(
                    [
                        *_pieces(biases, precision),
                        -_above(lengths, precision),
                        -_above(lost, precision),
                        *[np.ones(len(moved))] * precision.pieces,
                    ]
                )
            )
            largest = np.maximum(largest, [lengths.max(), lost.max(), biases.max()])
        return cls(frame, precision, table, *largest.tolist())

    def bounds(self, queries: FloatArray, room: Table) -> Bounds:
        """Return the bounds for queries in the frame, float64 of shape (n, D), held in `room`."""
        precision = self.precision
        rounded, lengths, lost = _rounded(queries, precision)
        products = lengths * self.longest
        is_l2 = self.frame.metric is Metric.L2
        own = 0.5 * np.square(lengths) * is_l2
        base = (own if is_l2 else products) * precision.positive  # no cost is negative with it
        slack = _ROUNDING * (products + self.bias + base) + _TINY
        far = np.linalg.norm(self.frame.centre / self.frame.scale)
        slack += _ROUNDING_64 * (products + self.bias + own + far * (lengths + self.longest))
        slack *= self.table.shape[1] + 8
        extra = [
            *[np.ones(len(queries))] * precision.pieces,
            _above(lost, precision),
            _above(lengths, precision),
            *_pieces(base, precision),
        ]
        left = precision.empty(len(queries), self.table.shape[1])
        left[:, : queries.shape[1]] = rounded
        left[:, queries.shape[1] :] = precision.table(np.column_stack(extra))
        return Bounds(precision.product(left, self.table, room), precision, base - own + slack)


def _rounded(a: FloatArray, precision: Precision) -> tuple[Table, FloatArray, FloatArray]:
    """Return rows rounded, and the lengths of the rows and of what rounding took from them."""
    rounded = precision.table(a)
    lost = a - precision.numbers(rounded)
    return rounded, np.linalg.norm(a, axis=1), np.linalg.norm(lost, axis=1)


def _above(lengths: FloatArray, precision: Precision) -> FloatArray:
    """Return what is no smaller than `lengths`, of rounded rows too, when it is rounded itself."""
    return lengths * (1 + 3 * precision.step)


def _pieces(a: FloatArray, precision: Precision) -> list[FloatArray]:
    """Split numbers into those that the precision holds and that add up to them."""
    found: list[FloatArray] = []
    for _ in range(precision.pieces):
        found.append(precision.numbers(precision.table(a)))
        a = a - found[-1]
    return found
