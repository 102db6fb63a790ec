"""Steps of gradient descent in compiled code: what the plain torch loop does, all in one."""

import math
from typing import NamedTuple

import numpy as np

from bertflow_core.flows.actnorm import LOGSCALE_FACTOR
from bertflow_core.flows.adamw import BETAS, EPS
from bertflow_core.flows.compiled.gradient import backward_step, finish_gradient
from bertflow_core.flows.compiled.jit import entry, kernel
from bertflow_core.flows.compiled.passage import enter, exponentials
from bertflow_core.flows.compiled.steps import forward_step
from bertflow_core.flows.compiled.table import (
    FEATURES,
    KEPT,
    LANES,
    LOGS,
    ROWS,
    STATES,
    FlatFlow,
    Room,
)
from bertflow_core.linalg import FloatArray, Rows

__all__ = ["Optimizer", "advance"]


_U = np.uint64
_CLIP_EPS = 1e-6
"""What torch adds to a norm before it divides by it."""


class Optimizer(NamedTuple):
    """What the steps change besides the parameters, and their options.

    Attributes:
        gradient: Laid out as the parameters.
        means: Of the gradients.
        squares: Means of their squares.
        learning_rate: eta of `AdamW`.
        weight_decay: lambda of `AdamW`.
        clip_norm: Largest norm of the gradient; infinity clips none.
        is_corrected: Whether the bias of the moments is corrected.
    """

    gradient: FloatArray
    means: FloatArray
    squares: FloatArray
    learning_rate: float
    weight_decay: float
    clip_norm: float
    is_corrected: bool


@entry
def advance(
    x: FloatArray,
    batches: Rows,
    n_taken: int,
    position: Rows,
    most_blocks: int,
    sums: FloatArray,
    records: FloatArray,
    flow: FlatFlow,
    optimizer: Optimizer,
    room: Room,
) -> None:
    """Go on with steps of descent, one batch each, until they are done or time is up.

    Args:
        x: All rows, shape (N, D).
        batches: Row numbers of each step, shape (steps, rows of a batch).
        n_taken: Steps before these.
        position: Step and block to begin with; moved on.
        most_blocks: Blocks of `ROWS` rows to compute at most.
        sums: Of the step begun, float64: the loss of its rows, and the ladj of the ActNorms.
        records: Receives bits per dimension and gradient norm of each step, (steps, 2), float64.
        flow: Changed by each step.
        optimizer: Changed by each step.
        room: With place for what every flow step leaves.
    """
    n_steps, n_rows = batches.shape
    bits = 1 / (x.shape[1] * math.log(2))
    base = 0.5 * x.shape[1] * math.log(2 * math.pi)
    for _ in range(most_blocks):
        step, first = position[0], position[1] * ROWS
        if step == n_steps:
            return
        if first == 0:
            optimizer.gradient[:] = 0
            sums[0], sums[1] = 0.0, exponentials(flow)
        rows = batches[step, first : first + ROWS]
        for lane in range(ROWS):
            room.weights[lane] = bits / n_rows if lane < len(rows) else 0.0
        sums[0] += _forth_and_back(x, rows, optimizer.gradient, flow, room)
        position[1] += 1
        if first + ROWS < n_rows:
            continue
        records[step, 0] = (sums[0] / n_rows + base - sums[1]) * bits
        records[step, 1] = _norm(optimizer.gradient, flow, bits)
        _step(flow.values, optimizer, records[step, 1], n_taken + step + 1)
        position[0], position[1] = step + 1, 0


@kernel
def _forth_and_back(
    x: FloatArray, rows: Rows, gradient: FloatArray, flow: FlatFlow, room: Room
) -> float:
    """Add the gradient of up to `ROWS` rows; return the sum over them of |z|^2 / 2 - ladj."""
    size = 2 * flow.width * ROWS
    enter(x, rows, room)
    total = 0.0
    for t in range(len(flow.table)):
        row = flow.table[t]
        normalised, hidden = room.normalised[row[STATES] :], room.hidden[t * size :]
        forward_step(room, normalised, hidden, flow, row)
        total += _leave(room, row[KEPT], row[FEATURES], len(rows))
    for t in range(len(flow.table) - 1, -1, -1):
        row = flow.table[t]
        normalised, hidden = room.normalised[row[STATES] :], room.hidden[t * size :]
        backward_step(gradient, room, normalised, hidden, flow, row)
    for lane in range(len(rows)):
        total -= room.ladj[lane]
    return total


@kernel
def _leave(room: Room, first: int, last: int, n_rows: int) -> float:
    """Start the way back of features that no later step changes; return the sum of z^2 / 2."""
    state, by_state, total = room.state, room.by_state, 0.0
    for j in range(first, last):
        at, squares = _U(j) * LANES, state.dtype.type(0)
        for lane in range(LANES):
            by_state[at + lane] = state[at + lane] * room.weights[lane]
        for lane in range(_U(n_rows)):
            squares += state[at + lane] * state[at + lane]
        total += float(squares)
    return total / 2


@kernel
def _norm(gradient: FloatArray, flow: FlatFlow, bits: float) -> float:
    """Complete the gradient with what depends on no row; return its norm."""
    by_ladj, total = gradient.dtype.type(LOGSCALE_FACTOR * bits), 0.0
    for row in flow.table:
        finish_gradient(gradient, flow, row)
        for i in range(row[LOGS], row[LOGS] + row[FEATURES]):
            gradient[i] -= by_ladj
    for i in range(len(gradient)):
        total += np.float64(gradient[i]) * np.float64(gradient[i])
    return math.sqrt(total)


@kernel
def _step(values: FloatArray, optimizer: Optimizer, norm: float, n: int) -> None:
    """Clip the gradient and take the n-th step of AdamW, n from 1."""
    gradient, means, squares = optimizer.gradient, optimizer.means, optimizer.squares
    number = values.dtype.type
    first, second = 1.0, 1.0
    if optimizer.is_corrected:
        first, second = 1 - BETAS[0] ** n, 1 - BETAS[1] ** n
    clip = number(min(1.0, optimizer.clip_norm / (norm + _CLIP_EPS)))
    keep = number(1 - optimizer.learning_rate * optimizer.weight_decay)
    root = math.sqrt(second)  # both sides of the fraction are multiplied by it
    rate, eps = number(optimizer.learning_rate / first * root), number(EPS * root)
    fresh_mean, old_square = number(1 - BETAS[0]), number(BETAS[1])
    fresh_square = number(1 - BETAS[1])
    for i in range(len(values)):
        g = gradient[i] * clip
        means[i] += (g - means[i]) * fresh_mean
        squares[i] = squares[i] * old_square + g * g * fresh_square
        values[i] = values[i] * keep - rate * means[i] / (np.sqrt(squares[i]) + eps)
