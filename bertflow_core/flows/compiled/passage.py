"""Rows into the flow and out of it in compiled code, `ROWS` at a time."""

import math

import numpy as np

from bertflow_core.flows.actnorm import LOGSCALE_FACTOR
from bertflow_core.flows.compiled.jit import entry, kernel
from bertflow_core.flows.compiled.steps import forward_step, inverse_step
from bertflow_core.flows.compiled.table import (
    FEATURES,
    LOGS,
    LOGS1,
    LOGS2,
    LOGS3,
    OUTPUTS,
    ROWS,
    FlatFlow,
    Room,
)
from bertflow_core.linalg import FloatArray, Rows

__all__ = ["enter", "exponentials", "from_latent", "to_latent"]

_STRIP = 16
"""Features that are turned together: a cache line of float32."""


@kernel
def exponentials(flow: FlatFlow) -> float:
    """Set the scales to exp(3 logs); return the ladj of all ActNorms."""
    values, scales, ladj = flow.values, flow.scales, 0.0
    factor = values.dtype.type(LOGSCALE_FACTOR)
    for row in flow.table:
        for i in range(row[LOGS], row[LOGS] + row[FEATURES]):
            scales[i] = math.exp(factor * values[i])
            ladj += factor * values[i]
        for k in range(flow.width):
            scales[row[LOGS1] + k] = math.exp(factor * values[row[LOGS1] + k])
            scales[row[LOGS2] + k] = math.exp(factor * values[row[LOGS2] + k])
        for i in range(row[LOGS3], row[LOGS3] + row[OUTPUTS]):
            scales[i] = math.exp(factor * values[i])
    return ladj


@kernel
def enter(x: FloatArray, rows: Rows, room: Room) -> None:
    """Set the state to at most `ROWS` of the rows `x`, shape (N, D), and other lanes to zero."""
    state, n_features = room.state, x.shape[1]
    if len(rows) < ROWS:
        state[:] = 0
    for first in range(0, n_features, _STRIP):
        last = min(first + _STRIP, n_features)
        for lane in range(len(rows)):
            source = x[rows[lane]]
            for j in range(first, last):
                state[j * ROWS + lane] = source[j]
    room.ladj[:] = 0


@kernel
def _leave(out: FloatArray, room: Room) -> None:
    """Set the rows `out`, shape (at most ROWS, D), to the state."""
    n_features = out.shape[1]
    for first in range(0, n_features, _STRIP):
        last = min(first + _STRIP, n_features)
        for lane in range(len(out)):
            target = out[lane]
            for j in range(first, last):
                target[j] = room.state[j * ROWS + lane]


@entry
def to_latent(x: FloatArray, z: FloatArray, ladj: FloatArray, flow: FlatFlow, room: Room) -> None:
    """Set `z`, shape (N, D), and `ladj`, shape (N,), to those of the rows `x`, shape (N, D)."""
    constant = exponentials(flow)
    for first in range(0, len(x), ROWS):
        rows = np.arange(first, min(first + ROWS, len(x)))
        enter(x, rows, room)
        for row in flow.table:
            forward_step(room, room.normalised, room.hidden, flow, row)
        _leave(z[first : first + ROWS], room)
        for lane in range(len(rows)):
            ladj[first + lane] = constant + room.ladj[lane]


@entry
def from_latent(z: FloatArray, x: FloatArray, flow: FlatFlow, room: Room) -> None:
    """Set `x`, shape (N, D), to the rows whose latents are `z`, shape (N, D)."""
    exponentials(flow)
    for first in range(0, len(z), ROWS):
        enter(z, np.arange(first, min(first + ROWS, len(z))), room)
        for t in range(len(flow.table) - 1, -1, -1):
            inverse_step(room, flow, flow.table[t])
        _leave(x[first : first + ROWS], room)
