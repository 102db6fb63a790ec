"""A cheap lower bound of every distance: which rows can be among the nearest at all.

The cost of a row x to a query q is half its squared distance, |q|^2 / 2 + |x|^2 / 2 - q.x, or -q.x
where products are asked for. A product in low precision knows only the rounded q' and x', but

    q.x <= q'.x' + |q - q'| |x| + |q'| |x - x'|    (Cauchy-Schwarz)

so with these lengths as two more features one product bounds the cost of every pair from below.
The bound is never above the cost, whatever the precision; a low one only leaves more rows to be
computed exactly.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from bertflow_core.analysis.precisions import Ordered, Precision, Table
from bertflow_core.linalg import FloatArray, Rows

__all__ = ["GROUP", "Bounds", "Frame", "Metric", "Screen"]

GROUP = 32
"""Rows are padded to a multiple of this many, so that bounds can be looked through in groups."""

_CHUNK = 256  # rows that are float64 at once, few enough for the cache

_NEVER = 1e37  # above every cost, of which none is larger than a few D

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
        # where rounding hides every cost, all rows are within it, but no padding
        return self._precision.ordered(np.fmin(costs + self._shift, _NEVER / 2))

    def leave_out(self, queries: Rows, rows: Rows) -> None:
        """Make one row cost a query more than any other does."""
        self.least[queries, rows] = self._precision.ordered(np.array([_NEVER]))[0]


@dataclass(frozen=True)
class Screen:
    """All rows, ready to be multiplied with queries in one precision.

    Attributes:
        table: The rows and their further features, with padding, shape (W, D + ...).
        longest: The length of the longest row in the frame.
        bias: The largest |x|^2 / 2, or 0 for products.
    """

    frame: Frame
    precision: Precision = field(repr=False)
    table: Table = field(repr=False)
    longest: float
    bias: float

    @classmethod
    def of(cls, x: FloatArray, frame: Frame, precision: Precision) -> "Screen":
        """Round the rows `x`, shape (V, D), once for all queries."""
        n, d = x.shape
        table = precision.empty(-(-n // GROUP) * GROUP, d + 2 * precision.pieces + 2)
        table[n:] = 0
        table[n:, d] = _NEVER
        largest = np.zeros(2)
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
            largest = np.maximum(largest, [lengths.max(), biases.max()])
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
