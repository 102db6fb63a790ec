"""The default Glow as compiled loops: steps of its fit, and its map there and back.

The formulas are those of `glow`, written for one block of rows at a time, which lie side by side:
an array of a block has the shape (features, rows). Products of matrices are BLAS's; everything
else is a scalar loop. A permutation costs nothing: it says which feature is read next. Gradients
are derived by hand, and tested against automatic differentiation.
"""

import math
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np

from bertflow_core.flows.fit import BETAS, EPS  # what is kept holds them: change this file too
from bertflow_core.flows.glow import LOGSCALE_FACTOR
from bertflow_core.linalg import FloatArray, Rows

Function = TypeVar("Function", bound=Callable[..., Any])

_CLIP_EPS = 1e-6
"""What torch adds to a norm before it divides by it."""

_STRIP = 16
"""Features that are turned together: a cache line of float32."""

# Where a step's vectors begin, in widths of its coupling's network: b and logs of the network's two
# ActNorms; then b and logs of the step's own, n each, then c and logs of the last layer, k each.
_B1, _B2, _OWN = 0, 2, 4


class FlatFlow(NamedTuple):
    """A flow for compiled code."""

    flat: FloatArray  # all parameters: the weights, then the vectors
    weights: FloatArray  # (rows, width), of each step W1 transposed, W2, W3, one below the other
    vectors: FloatArray  # all other parameters, one after another
    scales: FloatArray  # exp(3 logs) where `vectors` holds logs
    order: Rows  # each step's order of features, one after another
    table: Rows  # of each step n, and where its weights, its vectors and its features begin


class Room(NamedTuple):
    """Where a block of R rows is worked on; of one step, or for the way back of each."""

    state: FloatArray  # (D, R), the rows on their way through the flow
    normalised: FloatArray  # they before the coupling, steps one below the other
    hidden: FloatArray  # activations of the network, steps one below the other
    change: FloatArray  # (k, R), the network's W3 h, or the gradient by it
    by_state: FloatArray  # (D, R), gradient by the state
    by_normalised: FloatArray  # (D, R), by the rows before the coupling of one step
    by_hidden: FloatArray  # (2 width, R), by the activations of one step
    spare: FloatArray  # room for the gradient by a matrix


class Step(NamedTuple):
    """A step's part of a flow and of a room; its first m = n // 2 features condition k others."""

    w: FloatArray  # (m + width + k, width)
    v: FloatArray  # its vectors
    s: FloatArray  # their scales
    order: Rows  # of its n features
    y: FloatArray  # (n, R), before the coupling
    h: FloatArray  # (2 width, R)
    change: FloatArray  # (k, R)


class Optimizer(NamedTuple):
    """What the steps of descent change besides the parameters, and their options."""

    gradient: FloatArray  # as `FlatFlow.flat`, with the same two views
    by_weights: FloatArray
    by_vectors: FloatArray
    means: FloatArray
    squares: FloatArray
    learning_rate: float
    weight_decay: float
    clip_norm: float
    is_corrected: bool


def _keeps_code() -> bool:
    """Tell whether numba may keep code: never in a folder that another user could write to.

    By itself it keeps it beside this file or in the user's own cache; `NUMBA_CACHE_DIR` may name
    another folder.
    """
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder or os.name == "nt" or not os.path.exists(folder):
        return True
    state = os.stat(folder)
    return state.st_uid == os.getuid() and not state.st_mode & 0o022


# Sums may be taken in another order, as vector instructions do. Infinity and NaN keep their
# meaning: they tell that a fit diverged.
_OPTIONS: dict[str, Any] = {
    "fastmath": {"contract", "nsz", "reassoc"},
    "nogil": True,
    "error_model": "numpy",
}
_njit: Any = numba.njit  # its stubs do not know every option


def _kernel(function: Function) -> Function:
    """Return a function that is compiled into the entries that call it."""
    part: Function = _njit(**_OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return part


def _entry(function: Callable[..., None]) -> Any:  # noqa: ANN401 - a dispatcher of numba
    """Return a function that Python calls, compiled at its first call and kept on disk."""
    return _njit(**_OPTIONS, cache=_keeps_code())(function)


@_kernel
def _step_of(flow: FlatFlow, room: Room, t: int, keeps: bool) -> Step:
    """Return the t-th step; one that `keeps` what it makes works in a place of its own."""
    width, n, row = flow.weights.shape[1], flow.table[t, 0], flow.table[t, 1]
    start, first = flow.table[t, 2], flow.table[t, 3]
    y, h = (first, 2 * t * width) if keeps else (0, 0)
    return Step(
        flow.weights[row : row + n + width],
        flow.vectors[start:],
        flow.scales[start:],
        flow.order[first : first + n],
        room.normalised[y : y + n],
        room.hidden[h : h + 2 * width],
        room.change[: n - n // 2],
    )


@_kernel
def _exponentials(flow: FlatFlow) -> float:
    """Set the scales to exp(3 logs); return the ladj of all ActNorms."""
    factor, ladj = flow.vectors.dtype.type(LOGSCALE_FACTOR), 0.0
    for i in range(len(flow.vectors)):  # quicker of all vectors than of the logs by themselves
        flow.scales[i] = math.exp(factor * flow.vectors[i])
    for t in range(len(flow.table)):
        n, start = flow.table[t, 0], flow.table[t, 2] + _OWN * flow.weights.shape[1]
        for i in range(start + n, start + 2 * n):
            ladj += factor * flow.vectors[i]
    return ladj


@_kernel
def _enter(rows: FloatArray, state: FloatArray) -> None:
    """Set the state to rows, at most as many as a block has, and what is left of it to zero."""
    n_features, lanes = state.shape
    for first in range(0, n_features, _STRIP):
        last = min(first + _STRIP, n_features)
        for lane in range(len(rows)):
            for j in range(first, last):
                state[j, lane] = rows[lane, j]
        for j in range(first, last):
            for lane in range(len(rows), lanes):
                state[j, lane] = 0


@_kernel
def _leave(state: FloatArray, rows: FloatArray) -> None:
    """Set rows, at most as many as a block has, to the state."""
    for first in range(0, len(state), _STRIP):
        for lane in range(len(rows)):
            for j in range(first, min(first + _STRIP, len(state))):
                rows[lane, j] = state[j, lane]


@_kernel
def _actnorm_relu(h: FloatArray, v: FloatArray, s: FloatArray, at: int) -> None:
    """Shift, scale and cut off the rows of `h`; b stands at `at`, and logs behind it."""
    zero = h.dtype.type(0)
    for i in range(len(h)):
        b, scale = v[at + i], s[at + len(h) + i]
        for lane in range(h.shape[1]):
            y = (h[i, lane] + b) * scale
            h[i, lane] = zero if y < zero else y  # NaN stays NaN


@_kernel
def _network(x: FloatArray, p: Step) -> None:
    """Set `h` to the activations for the conditioning features `x`, and `change` to W3 h."""
    m, width = len(x), p.w.shape[1]
    np.dot(p.w[:m].T, x, p.h[:width])
    _actnorm_relu(p.h[:width], p.v, p.s, _B1 * width)
    np.dot(p.w[m : m + width], p.h[:width], p.h[width:])
    _actnorm_relu(p.h[width:], p.v, p.s, _B2 * width)
    np.dot(p.w[m + width :], p.h[width:], p.change)


@_kernel
def _forward(state: FloatArray, p: Step) -> None:
    """Take the state a step on; what the gradient needs stays in `y` and `h`."""
    (n, lanes), m, own = p.y.shape, len(p.y) // 2, _OWN * p.w.shape[1]
    for j in range(n):
        i = p.order[j]
        b, scale = p.v[own + i], p.s[own + n + i]
        for lane in range(lanes):
            p.y[j, lane] = (state[i, lane] + b) * scale
    _network(p.y[:m], p)
    for j in range(m):
        for lane in range(lanes):
            state[j, lane] = p.y[j, lane]
    for j in range(n - m):
        c, scale = p.v[own + 2 * n + j], p.s[own + 3 * n - m + j]
        for lane in range(lanes):
            state[m + j, lane] = p.y[m + j, lane] + (p.change[j, lane] + c) * scale


@_kernel
def _inverse(state: FloatArray, p: Step) -> None:
    """Take the state a step back."""
    (n, lanes), m, own = p.y.shape, len(p.y) // 2, _OWN * p.w.shape[1]
    _network(state[:m], p)
    for j in range(m):
        for lane in range(lanes):
            p.y[j, lane] = state[j, lane]
    for j in range(n - m):
        c, scale = p.v[own + 2 * n + j], p.s[own + 3 * n - m + j]
        for lane in range(lanes):
            p.y[m + j, lane] = state[m + j, lane] - (p.change[j, lane] + c) * scale
    for j in range(n):
        i = p.order[j]
        b, scale = p.v[own + i], p.s[own + n + i]
        for lane in range(lanes):
            state[i, lane] = p.y[j, lane] / scale - b


@_kernel
def _add_product(out: FloatArray, a: FloatArray, b: FloatArray, spare: FloatArray) -> None:
    """Add A B^T, shape (len(a), len(b)), to `out`."""
    np.dot(a, b.T, spare[: len(a)])
    for i in range(len(a)):
        for j in range(len(b)):
            out[i, j] += spare[i, j]


@_kernel
def _back_through_actnorm(
    by: FloatArray, h: FloatArray, scales: FloatArray, by_v: FloatArray, at: int
) -> None:
    """Take `by`, the gradient by h = relu((u + b) exp(3 logs)), to that by u; b stands `at`."""
    zero, factor = h.dtype.type(0), h.dtype.type(LOGSCALE_FACTOR)
    for i in range(len(h)):
        total, moment, scale = zero, zero, scales[at + len(h) + i]
        for lane in range(h.shape[1]):
            g = by[i, lane] if h[i, lane] > zero else zero
            total += g
            moment += g * h[i, lane]
            by[i, lane] = g * scale
        by_v[at + i] += total * scale
        by_v[at + len(h) + i] += moment * factor


@_kernel
def _backward(room: Room, p: Step, by_w: FloatArray, by_v: FloatArray) -> None:
    """Take `room.by_state`, the gradient by what leaves a step, to that by what enters it.

    This block's share of the gradient is added to `by_w` and `by_v`. `by_state` is zero for places
    without a row.
    """
    (n, lanes), m, width = p.y.shape, len(p.y) // 2, p.w.shape[1]
    own, zero, factor = _OWN * width, p.y.dtype.type(0), p.y.dtype.type(LOGSCALE_FACTOR)
    by_state, by_y, spare = room.by_state, room.by_normalised, room.spare
    for j in range(n - m):
        total, scale = zero, p.s[own + 3 * n - m + j]
        for lane in range(lanes):
            p.change[j, lane] = by_state[m + j, lane] * scale
            total += p.change[j, lane]
        by_v[own + 2 * n + j] += total
    first, by_first = p.h[:width], room.by_hidden[:width]
    second, by_second = p.h[width:], room.by_hidden[width:]
    _add_product(by_w[m + width :], p.change, second, spare)
    np.dot(p.w[m + width :].T, p.change, by_second)
    _back_through_actnorm(by_second, second, p.s, by_v, _B2 * width)
    _add_product(by_w[m : m + width], by_second, first, spare)
    np.dot(p.w[m : m + width].T, by_second, by_first)
    _back_through_actnorm(by_first, first, p.s, by_v, _B1 * width)
    _add_product(by_w, p.y[:m], by_first, spare)
    np.dot(p.w[:m], by_first, by_y[:m])
    for j in range(n):
        for lane in range(lanes):
            by_y[j, lane] = by_state[j, lane] + (by_y[j, lane] if j < m else zero)
    for j in range(n):
        i, total, moment = p.order[j], zero, zero
        scale = p.s[own + n + i]
        for lane in range(lanes):
            by = by_y[j, lane]
            total += by
            moment += by * p.y[j, lane]
            by_state[i, lane] = by * scale
        by_v[own + i] += total * scale
        by_v[own + n + i] += moment * factor


@_kernel
def _turn(room: Room, n_rows: int, weight: float) -> float:
    """Set the gradient by the latents; return the sum of |z|^2 / 2 over the rows of a block."""
    total, zero = 0.0, room.state.dtype.type(0)
    for j in range(len(room.state)):
        for lane in range(room.state.shape[1]):
            z = room.state[j, lane] if lane < n_rows else zero
            total += float(z * z)
            room.by_state[j, lane] = z * room.state.dtype.type(weight)
    return total / 2


@_kernel
def _complete(flow: FlatFlow, optimizer: Optimizer, bits: float) -> None:
    """Set what depends on no row by itself.

    The loss holds -3 logs of each ActNorm, times `bits`. By the logs of a network's last layer its
    gradient is 3 sum(dy y), with y = u exp(3 logs) and u = W3 h + c; that is
    3 (sum(W3 dW3) + c dc), since dW3 and dc are the sums over the rows of du h and du.
    """
    factor, width = flow.flat.dtype.type(LOGSCALE_FACTOR), flow.weights.shape[1]
    by_vectors, by_weights = optimizer.by_vectors, optimizer.by_weights
    for t in range(len(flow.table)):
        n, start = flow.table[t, 0], flow.table[t, 2] + _OWN * width
        rows, c, k = flow.table[t, 1] + n // 2 + width, start + 2 * n, n - n // 2
        for i in range(start + n, start + 2 * n):
            by_vectors[i] -= factor * flow.flat.dtype.type(bits)
        for j in range(k):
            total = flow.vectors[c + j] * by_vectors[c + j]
            for i in range(width):
                total += flow.weights[rows + j, i] * by_weights[rows + j, i]
            by_vectors[c + k + j] = total * factor


@_kernel
def _adamw(flat: FloatArray, optimizer: Optimizer, n: int) -> float:
    """Clip the gradient and take the n-th step, n from 1, as `fit.AdamW` does; return the norm."""
    gradient, means, squares = optimizer.gradient, optimizer.means, optimizer.squares
    number, total = flat.dtype.type, 0.0
    for i in range(len(flat)):
        total += np.float64(gradient[i]) * np.float64(gradient[i])
    norm = math.sqrt(total)
    first, second = 1.0, 1.0
    if optimizer.is_corrected:
        first, second = 1 - BETAS[0] ** n, 1 - BETAS[1] ** n
    clip = number(min(1.0, optimizer.clip_norm / (norm + _CLIP_EPS)))
    keep = number(1 - optimizer.learning_rate * optimizer.weight_decay)
    root = math.sqrt(second)  # both sides of the fraction are multiplied by it
    rate, eps = number(optimizer.learning_rate / first * root), number(EPS * root)
    fresh_mean, old_square = number(1 - BETAS[0]), number(BETAS[1])
    fresh_square = number(1 - BETAS[1])
    for i in range(len(flat)):
        by = gradient[i] * clip
        means[i] += (by - means[i]) * fresh_mean
        squares[i] = squares[i] * old_square + by * by * fresh_square
        flat[i] = flat[i] * keep - rate * means[i] / (np.sqrt(squares[i]) + eps)
    return norm


@_entry
def descend(
    x: FloatArray,
    batch_size: int,
    n_before: int,
    records: FloatArray,
    flow: FlatFlow,
    optimizer: Optimizer,
    room: Room,
) -> None:
    """Take steps of descent on the loss, the mean of -log p(x) / (D ln 2) over a batch (Eq. 4).

    `x` holds the rows of each batch, one after another, shape (steps * batch_size, D); `records`,
    shape (steps, 2), receives bits per dimension and gradient norm of each step; `n_before` steps
    were taken before.
    """
    n_features, lanes = room.state.shape
    bits, base = 1 / (n_features * math.log(2)), 0.5 * n_features * math.log(2 * math.pi)
    n_steps = len(flow.table)
    for number in range(len(records)):
        loss, end = base - _exponentials(flow), (number + 1) * batch_size
        optimizer.gradient[:] = 0
        for begin in range(number * batch_size, end, lanes):
            n_rows = min(lanes, end - begin)
            _enter(x[begin : begin + n_rows], room.state)
            for turn in range(2 * n_steps):  # all steps forth, then all back
                t = min(turn, 2 * n_steps - 1 - turn)
                step = _step_of(flow, room, t, True)
                if turn < n_steps:
                    _forward(room.state, step)
                else:
                    by_w = optimizer.by_weights[flow.table[t, 1] :]
                    _backward(room, step, by_w, optimizer.by_vectors[flow.table[t, 2] :])
                if turn == n_steps - 1:
                    loss += _turn(room, n_rows, bits / batch_size) / batch_size
        _complete(flow, optimizer, bits)
        records[number, 0] = loss * bits
        records[number, 1] = _adamw(flow.flat, optimizer, n_before + number + 1)


@_entry
def map_blocks(x: FloatArray, z: FloatArray, flow: FlatFlow, room: Room, is_inverse: bool) -> None:
    """Set `z`, shape (N, D), to the latents of the rows `x`, or to the rows of the latents."""
    _exponentials(flow)
    lanes, n_steps = room.state.shape[1], len(flow.table)
    for begin in range(0, len(x), lanes):
        end = min(begin + lanes, len(x))
        _enter(x[begin:end], room.state)
        for turn in range(n_steps):
            if is_inverse:
                _inverse(room.state, _step_of(flow, room, n_steps - 1 - turn, False))
            else:
                _forward(room.state, _step_of(flow, room, turn, False))
        _leave(room.state, z[begin:end])
