"""The way back through a flow step: the gradient of the loss, on `ROWS` rows side by side."""

import numpy as np

from bertflow_core.flows.actnorm import LOGSCALE_FACTOR
from bertflow_core.flows.compiled.jit import kernel
from bertflow_core.flows.compiled.products import add_gradient, add_product, add_transposed_product
from bertflow_core.flows.compiled.steps import affine_terms, change_of, copy
from bertflow_core.flows.compiled.table import (
    B1,
    B2,
    FEATURES,
    INPUTS,
    LANES,
    LOGS,
    LOGS1,
    LOGS2,
    LOGS3,
    ORDER,
    OUTPUTS,
    PANEL,
    ROWS,
    WEIGHT1,
    WEIGHT2,
    WEIGHT3,
    B,
    C,
    FlatFlow,
    Room,
)
from bertflow_core.linalg import FloatArray, Rows

__all__ = ["backward_step", "finish_gradient"]

_U = np.uint64


@kernel
def backward_step(
    gradient: FloatArray,
    room: Room,
    normalised: FloatArray,
    hidden: FloatArray,
    flow: FlatFlow,
    row: Rows,
) -> None:
    """Take the gradient by what leaves a step to that by what enters it.

    Args:
        gradient: By the parameters, laid out as they are; this step's share is added.
        room: `by_state` is taken a step back; it is zero for lanes without a row.
        normalised: As `forward_step` left it.
        hidden: As `forward_step` left it.
        flow: The flow.
        row: The step's row of the table.
    """
    by_state, by_normalised, change = room.by_state, room.spare, room.change
    n, n_inputs = row[FEATURES], row[INPUTS]
    if flow.is_affine:
        _back_through_affine(room, normalised, hidden, flow, row)
        _back_through_scale(gradient, change, change, flow, row)
    else:
        _back_through_scale(gradient, change, by_state[n_inputs * ROWS :], flow, row)
    _back_through_network(gradient, room, normalised, hidden, flow, row)
    copy(by_normalised, by_state, n * ROWS)
    zero, factor = flow.values.dtype.type(0), flow.values.dtype.type(LOGSCALE_FACTOR)
    for j in range(n):
        source = flow.order[row[ORDER] + j]
        scale, x, y = flow.scales[row[LOGS] + source], _U(source) * LANES, _U(j) * LANES
        total, moment = zero, zero
        for lane in range(LANES):
            by = by_normalised[y + lane]
            total += by
            moment += by * normalised[y + lane]
            by_state[x + lane] = by * scale
        gradient[row[B] + source] += total * scale
        gradient[row[LOGS] + source] += moment * factor


@kernel
def finish_gradient(gradient: FloatArray, flow: FlatFlow, row: Rows) -> None:
    """Set a step's gradient by the logs of its network's last layer.

    With u = W h + c and y = u exp(3 logs) it is 3 sum(dy y) = 3 (sum(W dW) + c dc), since dW and dc
    are the sums over the rows of du h and du. So no row is needed for it.
    """
    n, values = row[OUTPUTS], flow.values
    for i in range(n):
        total = values[row[C] + i] * gradient[row[C] + i]
        for h in range(0, flow.width, PANEL):
            start = row[WEIGHT3] + h * n + i * PANEL
            for k in range(PANEL):
                total += values[start + k] * gradient[start + k]
        gradient[row[LOGS3] + i] = total * values.dtype.type(LOGSCALE_FACTOR)


@kernel
def _back_through_affine(
    room: Room, normalised: FloatArray, hidden: FloatArray, flow: FlatFlow, row: Rows
) -> None:
    """Set `change` to the gradient by the network's result, and take `by_state` behind it."""
    change, by_state = room.change, room.by_state
    n_inputs, n_changed = row[INPUTS], row[FEATURES] - row[INPUTS]
    change_of(change, hidden, flow, row)
    for i in range(n_changed):
        t, s, y = _U(i) * LANES, _U(n_changed + i) * LANES, _U(n_inputs + i) * LANES
        by_t, by_s = flow.scales[row[LOGS3] + i], flow.scales[row[LOGS3] + n_changed + i]
        for lane in range(LANES):
            scale, _ = affine_terms(change[s + lane] * by_s)
            z = (normalised[y + lane] + change[t + lane] * by_t) * scale
            change[s + lane] = (by_state[y + lane] * z - room.weights[lane]) * (1 - scale)
            by_state[y + lane] *= scale
            change[t + lane] = by_state[y + lane]


@kernel
def _back_through_network(
    gradient: FloatArray,
    room: Room,
    normalised: FloatArray,
    hidden: FloatArray,
    flow: FlatFlow,
    row: Rows,
) -> None:
    """Add the gradient by the conditioning features, and by the network's parameters."""
    n, n_inputs, width, change = row[OUTPUTS], row[INPUTS], flow.width, room.change
    size = width * ROWS
    first, second = hidden[:size], hidden[size : 2 * size]
    by_first, by_second = room.spare[:size], room.spare[size : 2 * size]
    turned = room.spare[2 * size : 3 * size]
    for i in range(size):
        by_first[i] = by_second[i] = 0
    _turn(turned, second, width)
    for h in range(0, width, PANEL):
        place = row[WEIGHT3] + h * n
        add_gradient(gradient[place:], change, turned[h * ROWS :], n)
        add_transposed_product(by_second[h * ROWS :], flow.values[place:], change, n)
    _back_through_actnorm(by_second, second, gradient, flow, row[B2], row[LOGS2])
    _turn(turned, first, width)
    for h in range(0, width, PANEL):
        place = row[WEIGHT2] + h * width
        add_gradient(gradient[place:], by_second, turned[h * ROWS :], width)
        add_transposed_product(by_first[h * ROWS :], flow.values[place:], by_second, width)
    _back_through_actnorm(by_first, first, gradient, flow, row[B1], row[LOGS1])
    _turn(turned, by_first, width)
    for h in range(0, width, PANEL):
        place = row[WEIGHT1] + h * n_inputs
        add_gradient(gradient[place:], normalised, turned[h * ROWS :], n_inputs)
        add_product(room.by_state, flow.values[place:], by_first[h * ROWS :], n_inputs)


@kernel
def _back_through_scale(
    gradient: FloatArray, change: FloatArray, by_result: FloatArray, flow: FlatFlow, row: Rows
) -> None:
    """Set `change` to the gradient by W h + c, from that by the network's result."""
    zero = change.dtype.type(0)
    for i in range(row[OUTPUTS]):
        scale, at, total = flow.scales[row[LOGS3] + i], _U(i) * LANES, zero
        for lane in range(LANES):
            by = by_result[at + lane] * scale
            change[at + lane] = by
            total += by
        gradient[row[C] + i] += total


@kernel
def _back_through_actnorm(
    by_h: FloatArray, h: FloatArray, gradient: FloatArray, flow: FlatFlow, b: int, logs: int
) -> None:
    """Take `by_h`, shape (width, ROWS), behind a ReLU and the ActNorm that gave `h`."""
    zero, factor = h.dtype.type(0), h.dtype.type(LOGSCALE_FACTOR)
    for i in range(flow.width):
        scale, at, total, moment = flow.scales[logs + i], _U(i) * LANES, zero, zero
        for lane in range(LANES):
            by = by_h[at + lane] if h[at + lane] > zero else zero
            total += by
            moment += by * h[at + lane]
            by_h[at + lane] = by * scale
        gradient[b + i] += total * scale
        gradient[logs + i] += moment * factor


@kernel
def _turn(out: FloatArray, x: FloatArray, width: int) -> None:
    """Write `x`, shape (width, ROWS), as panels of shape (ROWS, PANEL)."""
    for h in range(width):
        panel, at = _U(h // PANEL * PANEL) * LANES + _U(h % PANEL), _U(h) * LANES
        for lane in range(LANES):
            out[panel + lane * _U(PANEL)] = x[at + lane]
