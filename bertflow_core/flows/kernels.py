"""Compiled loops of the default Glow: a flow step and its gradient for a block of rows, and AdamW.

A step of such a flow maps x to z by y = P A0(x), h1 = relu(A1(W1 y1)), h2 = relu(A2(W2 h1)) and z =
(y1, y2 + A3(W3 h2)). Here y1 and y2 are the halves of y, P reorders features, and each A is A(u) =
(u + b) exp(3 logs). These are the formulas of `transforms`. A block of rows is an array of shape
(features, rows), so that P costs nothing. BLAS computes products of matrices; everything else is a
scalar loop. Gradients are derived by hand, and tested against automatic differentiation.
"""

import math
import os
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.flows.config import BETAS
from bertflow_core.flows.transforms import LOGSCALE_FACTOR

Arrays: TypeAlias = tuple[FloatArray, ...]
Step: TypeAlias = tuple[Any, ...]
"""A step's order, w1, w2, w3, b and scale, and the arrays for y, h1, h2 and g."""

Function = TypeVar("Function", bound=Callable[..., Any])

_CLIP_EPS = 1e-6  # torch adds it to a norm before it divides by the norm


def _keeps_code() -> bool:
    """Tell whether numba may cache code: never in a folder that another user could write to.

    By default numba caches beside this file or in the user's cache folder; `NUMBA_CACHE_DIR` may
    name another.
    """
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder or os.name == "nt" or not os.path.exists(folder):
        return True
    state = os.stat(folder)
    return state.st_uid == os.getuid() and not state.st_mode & 0o022


# Sums may be reordered for vector instructions. Infinity and NaN keep their meaning,
# since they reveal a fit that diverged.
_OPTIONS: dict[str, Any] = {
    "fastmath": {"contract", "nsz", "reassoc"},
    "nogil": True,
    "error_model": "numpy",
}
_njit: Any = numba.njit  # numba's stubs lack some options


def _part(function: Function) -> Function:
    """Return a function that is compiled into its callers.

    If it were compiled separately, its sums could have one order in the compiling process and
    another in processes that load the cached code.
    """
    part: Function = _njit(**_OPTIONS, forceinline=True)(function)
    return part


def _entry(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - a dispatcher of numba
    """Return a function callable from Python, compiled at its first call and cached on disk."""
    return _njit(**_OPTIONS, cache=_keeps_code())(function)


@_part
def _relu(h: FloatArray, b: FloatArray, scale: FloatArray) -> None:
    """Set h, shape (width, R), to relu((h + b) scale)."""
    zero = h.dtype.type(0)
    for i in range(len(h)):
        shift, s = b[i], scale[i]
        for lane in range(h.shape[1]):
            value = (h[i, lane] + shift) * s
            h[i, lane] = zero if value < zero else value  # NaN stays NaN


@_entry
def forward(state: FloatArray, step: Step) -> None:
    """Map the first n features of the state, shape (D, R), by a step (Eq. 5 and 6)."""
    order, w1, w2, w3, b, scale, y, h1, h2, g = step
    (n, n_rows), m, width = y.shape, len(y) - len(g), len(w2)
    last = n + 2 * width
    for j in range(n):
        shift, s, i = b[order[j]], scale[order[j]], order[j]
        for lane in range(n_rows):
            y[j, lane] = (state[i, lane] + shift) * s
    np.dot(w1, y[:m], h1)
    _relu(h1, b[n : n + width], scale[n : n + width])
    np.dot(w2, h1, h2)
    _relu(h2, b[n + width : last], scale[n + width : last])
    np.dot(w3, h2, g)
    for j in range(m):
        for lane in range(n_rows):
            state[j, lane] = y[j, lane]
    for j in range(n - m):
        shift, s, i = b[last + j], scale[last + j], m + j
        for lane in range(n_rows):
            g[j, lane] = (g[j, lane] + shift) * s
            state[i, lane] = y[i, lane] + g[j, lane]


@_part
def _add_product(out: FloatArray, a: FloatArray, b: FloatArray, spare: FloatArray) -> None:
    np.dot(a, b.T, spare)
    for i in range(len(out)):
        for j in range(out.shape[1]):
            out[i, j] += spare[i, j]


@_part
def _back_through_relu(
    by: FloatArray, h: FloatArray, scale: FloatArray, by_b: FloatArray, by_logs: FloatArray
) -> None:
    """Turn `by`, the gradient w.r.t. h = relu((u + b) scale), into the gradient w.r.t. u."""
    zero, factor = h.dtype.type(0), h.dtype.type(LOGSCALE_FACTOR)
    for i in range(len(h)):
        total, moment, s = zero, zero, scale[i]
        for lane in range(h.shape[1]):
            value = by[i, lane] if h[i, lane] > zero else zero
            total += value
            moment += value * h[i, lane]
            by[i, lane] = value * s
        by_b[i] += total * s
        by_logs[i] += moment * factor


@_entry
def backward(by: FloatArray, by_x: FloatArray, step: Step, shares: Arrays, spare: Arrays) -> None:
    """Set `by_x`, the gradient w.r.t. a step's input, from `by`, the one w.r.t. its output.

    Only the first n features change. This block's part of the gradient w.r.t. the parameters is
    added to `shares`. The value of the network, `g`, is overwritten.
    """
    order, w1, w2, w3, _, scale, y, h1, h2, g = step
    by_w1, by_w2, by_w3, by_b, by_logs = shares
    by_y1, by_h1, by_h2, spare1, spare2 = spare
    (n, n_rows), m, width = y.shape, len(y) - len(g), len(w2)
    zero, factor, last = y.dtype.type(0), y.dtype.type(LOGSCALE_FACTOR), n + 2 * width
    for j in range(n - m):
        total, moment, s = zero, zero, scale[last + j]
        for lane in range(n_rows):
            moment += by[m + j, lane] * g[j, lane]
            g[j, lane] = by[m + j, lane] * s  # from here on the gradient w.r.t. W3 h2
            total += g[j, lane]
        by_b[last + j] += total
        by_logs[last + j] += moment * factor
    _add_product(by_w3, g, h2, spare2[: n - m])
    np.dot(w3.T, g, by_h2)
    second = slice(n + width, last)
    _back_through_relu(by_h2, h2, scale[second], by_b[second], by_logs[second])
    _add_product(by_w2, by_h2, h1, spare2[:width])
    np.dot(w2.T, by_h2, by_h1)
    first = slice(n, n + width)
    _back_through_relu(by_h1, h1, scale[first], by_b[first], by_logs[first])
    _add_product(by_w1, by_h1, y[:m], spare1)
    np.dot(w1.T, by_h1, by_y1[:m])
    for j in range(n):
        i, s, total, moment = order[j], scale[order[j]], zero, zero
        for lane in range(n_rows):
            by_y = by[j, lane] + (by_y1[j, lane] if j < m else zero)
            total += by_y
            moment += by_y * y[j, lane]
            by_x[i, lane] = by_y * s
        by_b[i] += total * s
        by_logs[i] += moment * factor


@_entry
def adamw(
    flat: FloatArray,
    gradient: FloatArray,
    means: FloatArray,
    squares: FloatArray,
    keep: float,
    rate: float,
    eps: float,
    weight: float,
    clip_norm: float,
) -> float:
    """Multiply the gradient by `weight`, clip it, take a step as in `fit.AdamW`, and clear it.

    Return the norm of the weighted gradient before clipping.
    """
    number, total = flat.dtype.type, 0.0
    for i in range(len(flat)):
        total += np.float64(gradient[i]) * np.float64(gradient[i])
    norm = weight * math.sqrt(total)
    clip, rest = number(weight * min(1.0, clip_norm / (norm + _CLIP_EPS))), number(keep)
    pace, least = number(rate), number(eps)
    fresh_mean, fresh_square = number(1 - BETAS[0]), number(1 - BETAS[1])
    old_square = number(BETAS[1])
    for i in range(len(flat)):
        by, gradient[i] = gradient[i] * clip, 0
        means[i] += (by - means[i]) * fresh_mean
        squares[i] = squares[i] * old_square + by * by * fresh_square
        flat[i] = flat[i] * rest - pace * means[i] / (np.sqrt(squares[i]) + least)
    return norm
