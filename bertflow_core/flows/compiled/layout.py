"""Where a flow's parameters lie in one flat array, as the compiled loops read them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from bertflow_core.flows.actnorm import ActNorm
from bertflow_core.flows.compiled.table import (
    FEATURES,
    KEPT,
    OUTPUTS,
    PANEL,
    ROWS,
    FlatFlow,
    Room,
)
from bertflow_core.flows.config import Coupling
from bertflow_core.flows.coupling import AdditiveCoupling, AffineCoupling, CouplingNetwork
from bertflow_core.flows.flow import Flow
from bertflow_core.flows.glow import LeadingTransform
from bertflow_core.flows.permutation import RandomPermutation
from bertflow_core.linalg import FloatArray, Rows

__all__ = ["Layout", "aligned", "layout_of"]

_LINE = 64
"""Bytes of a cache line: every array begins at one."""


@dataclass(frozen=True)
class _Slot:
    """A parameter's place. A vector has one row; a matrix lies in panels. Zeros fill both up."""

    parameter: Tensor
    start: int
    rows: int
    columns: int
    is_transposed: bool

    def write(self, flat: FloatArray) -> None:
        """Copy the parameter into the flat array."""
        values = self.parameter.detach().numpy()
        matrix = np.atleast_2d(values.T if self.is_transposed else values)
        full = np.zeros((self.rows, self.columns), flat.dtype)
        full[: matrix.shape[0], : matrix.shape[1]] = matrix
        self._panels(flat)[:] = full.reshape(self.rows, -1, self._panel).swapaxes(0, 1)

    def read(self, flat: FloatArray) -> None:
        """Copy the flat array's numbers into the parameter."""
        full = self._panels(flat).swapaxes(0, 1).reshape(self.rows, self.columns)
        shape = self.parameter.shape if self.parameter.ndim == 2 else (1, len(self.parameter))
        if self.is_transposed:
            full = full.T
        matrix = np.ascontiguousarray(full[: shape[0], : shape[1]])
        self.parameter.copy_(torch.from_numpy(matrix).view_as(self.parameter))

    @property
    def _panel(self) -> int:
        return self.columns if self.rows == 1 else PANEL

    def _panels(self, flat: FloatArray) -> FloatArray:
        end = self.start + self.rows * self.columns
        return flat[self.start : end].reshape(-1, self.rows, self._panel)


@dataclass(frozen=True, eq=False)
class Layout:
    """The places of a flow's parameters.

    Attributes:
        n_features: D.
        width: Hidden units of a coupling's network, filled up to whole panels.
        is_affine: Whether the couplings are affine; else additive.
        table: Sizes and places of each flow step, shape (steps, columns).
        order: Each step's order of features, one after another.
        size: Numbers in the flat array.
        n_states: Features of all steps together.
    """

    n_features: int
    width: int
    is_affine: bool
    table: Rows = field(repr=False)
    order: Rows = field(repr=False)
    size: int
    n_states: int
    _slots: tuple[_Slot, ...] = field(repr=False)

    def read(self) -> FlatFlow:
        """Return the flow for compiled code, with parameters of its own."""
        dtype = self._slots[0].parameter.detach().numpy().dtype
        values = aligned(self.size, dtype)
        for slot in self._slots:
            slot.write(values)
        scales = aligned(self.size, dtype)
        return FlatFlow(values, scales, self.table, self.order, self.width, self.is_affine)

    @torch.no_grad()
    def write(self, flow: FlatFlow) -> None:
        """Give the flow the parameters of what `read` returned."""
        for slot in self._slots:
            slot.read(flow.values)

    def room(self, dtype: npt.DTypeLike, *, with_gradient: bool) -> Room:
        """Return room for `ROWS` rows, on their way back too or only forth."""
        n_features, n_steps = self.n_features, len(self.table)
        n_states = self.n_states if with_gradient else n_features
        sizes = {
            "state": n_features,
            "normalised": n_states,
            "hidden": 2 * self.width * (n_steps if with_gradient else 1),
            "change": int(self.table[:, OUTPUTS].max()),
            "ladj": 1,
            "by_state": n_features if with_gradient else 0,
            "spare": max(n_features, 3 * self.width) if with_gradient else 0,
            "weights": 1,
        }
        return Room(**{name: aligned(size * ROWS, dtype) for name, size in sizes.items()})


def aligned(size: int, dtype: npt.DTypeLike) -> FloatArray:
    """Return zeros, shape (size,), that begin at a cache line."""
    bytes_needed = size * np.dtype(dtype).itemsize
    raw = np.zeros(bytes_needed + _LINE, np.uint8)
    start = -raw.ctypes.data % _LINE
    return raw[start : start + bytes_needed].view(dtype)


def layout_of(flow: Flow) -> Layout:
    """Lay out a flow on the CPU whose permutations only reorder features."""
    width = -(-flow.glow.coupling_width // PANEL) * PANEL
    slots: list[_Slot] = []
    rows: list[list[int]] = []
    orders: list[Rows] = []
    place = 0
    for actnorm, permutation, coupling in _steps(flow):
        n, network = len(actnorm.b), coupling.network
        sizes = [n, coupling.n_inputs, len(network.c), 0]
        rows.append([*sizes, place, place * ROWS, *_placed(actnorm, network, width, slots)])
        orders.append(_order(permutation, n))
        place += n
    for row, following in pairwise(rows):
        row[KEPT] = following[FEATURES]
    return Layout(
        n_features=flow.n_features,
        width=width,
        is_affine=flow.glow.coupling is Coupling.AFFINE,
        table=np.array(rows, np.int64),
        order=np.concatenate(orders),
        size=_end(slots),
        n_states=place,
        _slots=tuple(slots),
    )


def _steps(flow: Flow) -> Iterator[tuple[ActNorm, nn.Module, AdditiveCoupling | AffineCoupling]]:
    """Yield the flow steps: an ActNorm, a permutation and a coupling each."""
    for level in cast(Any, flow.transform.transforms):
        steps: Any = level.transform if isinstance(level, LeadingTransform) else level
        parts = list(steps.transforms)
        yield from zip(parts[::3], parts[1::3], parts[2::3], strict=True)


def _order(permutation: nn.Module, n: int) -> Rows:
    if isinstance(permutation, RandomPermutation):
        order: Rows = permutation.order.numpy()
        return order
    return np.arange(n, dtype=np.int64)[::-1]


def _placed(
    actnorm: ActNorm, network: CouplingNetwork, width: int, slots: list[_Slot]
) -> list[int]:
    """Append a step's parameters to `slots`; return where each begins, as in the table."""
    n, n_inputs, n_outputs = len(actnorm.b), network.weight1.shape[1], len(network.c)
    first = len(slots)
    for parameter, rows, columns, is_transposed in (
        (actnorm.b, 1, n, False),
        (actnorm.logs, 1, n, False),
        (network.weight1, n_inputs, width, True),
        (network.actnorm1.b, 1, width, False),
        (network.actnorm1.logs, 1, width, False),
        (network.weight2, width, width, False),
        (network.actnorm2.b, 1, width, False),
        (network.actnorm2.logs, 1, width, False),
        (network.weight3, n_outputs, width, False),
        (network.c, 1, n_outputs, False),
        (network.logs, 1, n_outputs, False),
    ):
        slots.append(_Slot(parameter, _end(slots), rows, columns, is_transposed))
    return [slot.start for slot in slots[first:]]


def _end(slots: list[_Slot]) -> int:
    """Return where the next array may begin."""
    end = slots[-1].start + slots[-1].rows * slots[-1].columns if slots else 0
    return -(-end // _LINE) * _LINE
