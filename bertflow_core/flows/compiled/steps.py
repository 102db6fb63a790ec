"""A flow step in compiled code, on `ROWS` rows that lie side by side.

The formulas are those of `actnorm`, `permutation` and `coupling`. A permutation costs nothing: it
says which feature is read next. `row` is always the step's row of the flow's table.
"""

import math

import numpy as np

from bertflow_core.flows.compiled.jit import kernel
from bertflow_core.flows.compiled.products import add_product, add_transposed_product
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

__all__ = ["affine_terms", "change_of", "copy", "forward_step", "inverse_step"]

_U = np.uint64


@kernel
def forward_step(
    room: Room, normalised: FloatArray, hidden: FloatArray, flow: FlatFlow, row: Rows
) -> None:
    """Take the state a step on, and add the ladj of an affine coupling.

    What the gradient needs stays in `normalised`, shape (n, ROWS), the rows after ActNorm and
    permutation, and in `hidden`, shape (2 width, ROWS), the activations of the network.
    """
    state, change = room.state, room.change
    n, n_inputs = row[FEATURES], row[INPUTS]
    for j in range(n):
        source = flow.order[row[ORDER] + j]
        b, scale = flow.values[row[B] + source], flow.scales[row[LOGS] + source]
        x, y = _U(source) * LANES, _U(j) * LANES
        for lane in range(LANES):
            normalised[y + lane] = (state[x + lane] + b) * scale
    _activate(hidden, normalised, flow, row)
    change_of(change, hidden, flow, row)
    copy(state, normalised, n_inputs * ROWS)
    for i in range(n - n_inputs):
        t, s, y = _U(i) * LANES, _U(n - n_inputs + i) * LANES, _U(n_inputs + i) * LANES
        by_t = flow.scales[row[LOGS3] + i]
        if flow.is_affine:
            by_s = flow.scales[row[LOGS3] + n - n_inputs + i]
            for lane in range(LANES):
                scale, log_scale = affine_terms(change[s + lane] * by_s)
                state[y + lane] = (normalised[y + lane] + change[t + lane] * by_t) * scale
                room.ladj[lane] += log_scale
        else:
            for lane in range(LANES):
                state[y + lane] = normalised[y + lane] + change[t + lane] * by_t


@kernel
def inverse_step(room: Room, flow: FlatFlow, row: Rows) -> None:
    """Take the state a step back."""
    state, normalised, change = room.state, room.normalised, room.change
    n, n_inputs = row[FEATURES], row[INPUTS]
    _activate(room.hidden, state, flow, row)
    change_of(change, room.hidden, flow, row)
    copy(normalised, state, n_inputs * ROWS)
    for i in range(n - n_inputs):
        t, s, y = _U(i) * LANES, _U(n - n_inputs + i) * LANES, _U(n_inputs + i) * LANES
        by_t = flow.scales[row[LOGS3] + i]
        if flow.is_affine:
            by_s = flow.scales[row[LOGS3] + n - n_inputs + i]
            for lane in range(LANES):
                scale, _ = affine_terms(change[s + lane] * by_s)
                normalised[y + lane] = state[y + lane] / scale - change[t + lane] * by_t
        else:
            for lane in range(LANES):
                normalised[y + lane] = state[y + lane] - change[t + lane] * by_t
    for j in range(n):
        source = flow.order[row[ORDER] + j]
        b, scale = flow.values[row[B] + source], flow.scales[row[LOGS] + source]
        x, y = _U(source) * LANES, _U(j) * LANES
        for lane in range(LANES):
            state[x + lane] = normalised[y + lane] / scale - b


@kernel
def change_of(change: FloatArray, hidden: FloatArray, flow: FlatFlow, row: Rows) -> None:
    """Set `change`, shape (outputs, ROWS), to W h + c; the network's result is its exp(3 logs)."""
    n, last = row[OUTPUTS], hidden[flow.width * ROWS :]
    for i in range(n):
        c, at = flow.values[row[C] + i], _U(i) * LANES
        for lane in range(LANES):
            change[at + lane] = c
    for h in range(0, flow.width, PANEL):
        add_product(change, flow.values[row[WEIGHT3] + h * n :], last[h * ROWS :], n)


@kernel
def affine_terms(s: float) -> tuple[float, float]:
    """Return sigmoid(s + 2) and its logarithm, in float64; neither overflows."""
    v = np.float64(s) + 2.0
    log_scale = min(v, 0.0) - math.log1p(math.exp(-abs(v)))
    return math.exp(log_scale), log_scale


@kernel
def copy(out: FloatArray, x: FloatArray, n: int) -> None:
    """Set the first n numbers of `out` to those of `x`."""
    for i in range(n):
        out[i] = x[i]


@kernel
def _activate(hidden: FloatArray, inputs: FloatArray, flow: FlatFlow, row: Rows) -> None:
    """Set `hidden` to the activations of both layers for the conditioning features."""
    n, width = row[INPUTS], flow.width
    first, second = hidden[: width * ROWS], hidden[width * ROWS : 2 * width * ROWS]
    for i in range(2 * width * ROWS):
        hidden[i] = 0
    for h in range(0, width, PANEL):
        weight = flow.values[row[WEIGHT1] + h * n :]
        add_transposed_product(first[h * ROWS :], weight, inputs, n)
    _actnorm_relu(first, flow.values[row[B1] :], flow.scales[row[LOGS1] :], width)
    for h in range(0, width, PANEL):
        weight = flow.values[row[WEIGHT2] + h * width :]
        add_product(second, weight, first[h * ROWS :], width)
    _actnorm_relu(second, flow.values[row[B2] :], flow.scales[row[LOGS2] :], width)


@kernel
def _actnorm_relu(h: FloatArray, b: FloatArray, scale: FloatArray, width: int) -> None:
    zero = h.dtype.type(0)
    for i in range(width):
        shift, factor, at = b[i], scale[i], _U(i) * LANES
        for lane in range(LANES):
            y = (h[at + lane] + shift) * factor
            h[at + lane] = zero if y < zero else y  # NaN stays NaN
