"""The default Glow as compiled loops: the steps of its fit, and its map, on the CPU.

A step of such a flow maps x to z by y = P A0(x), h1 = relu(A1(W1 y1)), h2 = relu(A2(W2 h1)) and
z = (y1, y2 + A3(W3 h2)), where y1 and y2 are the halves of y, P reorders features, and each A is
A(u) = (u + b) exp(3 logs): the formulas of `glow`. Here they are written for one block of rows at a
time, which lie side by side: the array of a block has the shape (features, rows), so that P costs
nothing. Products of matrices are BLAS's; everything else is a scalar loop. Gradients are derived by
hand, and tested against automatic differentiation.
"""

import math
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
import torch
from torch import Tensor

from bertflow_core.flows.config import BETAS, EPS, ONE_THREAD, GlowConfig, TrainingConfig
from bertflow_core.flows.glow import LOGSCALE_FACTOR, Flow
from bertflow_core.linalg import FloatArray, Rows

Arrays: TypeAlias = tuple[FloatArray, ...]
Step: TypeAlias = tuple[Any, ...]
"""A step's order, w1, w2, w3, b and scale, and where its loops put y, h1, h2 and g."""

Function = TypeVar("Function", bound=Callable[..., Any])

_BLOCK = 64
"""Most rows of a block."""

_ROWS_AT_ONCE = 1024
_POLL_SECONDS = 0.2
_CLIP_EPS = 1e-6
"""What torch adds to a norm before it divides by it."""


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


def _part(function: Function) -> Function:
    """Return a function that is compiled into those that call it.

    As a function of its own it could add in another order in the process that compiles it than in
    those that load the kept code.
    """
    part: Function = _njit(**_OPTIONS, forceinline=True)(function)
    return part


def _entry(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - a dispatcher of numba
    """Return a function that Python calls, compiled at its first call and kept on disk."""
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
def _forward(state: FloatArray, step: Step) -> None:
    """Take the first n features of the state, shape (D, R), through a step (Eq. 5 and 6)."""
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
    """Add a b^T to `out`."""
    np.dot(a, b.T, spare)
    for i in range(len(out)):
        for j in range(out.shape[1]):
            out[i, j] += spare[i, j]


@_part
def _back_through_relu(
    by: FloatArray, h: FloatArray, scale: FloatArray, by_b: FloatArray, by_logs: FloatArray
) -> None:
    """Take `by`, the gradient by h = relu((u + b) scale), to that by u."""
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
def _backward(by: FloatArray, by_x: FloatArray, step: Step, shares: Arrays, spare: Arrays) -> None:
    """Set `by_x`, the gradient by what enters a step, from `by`, that by what leaves it.

    Only the first n features change. This block's share of the gradient by the parameters is added
    to `shares`; the value of the network, `g`, is lost.
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
            g[j, lane] = by[m + j, lane] * s  # from here on the gradient by W3 h2
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
def _adamw(
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
    """Clip the gradient times `weight`, take a step as `fit.AdamW` does, and forget the gradient.

    Returns the norm of the gradient times `weight`, before clipping.
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


class _Flat:
    """The parameters of a flow in one array: all weights, then all shifts, then all log-scales.

    The flow keeps its own parameters, or has them here from now on where it `shares` them.
    """

    def __init__(self, flow: Flow, *, shares: bool = False) -> None:
        steps, self.n_features = flow.steps(), flow.n_features
        self.orders: list[Rows] = [order.order.numpy() for _, order, _ in steps]
        nets = [(a0, coupling.network) for a0, _, coupling in steps]
        weights = [w for _, g in nets for w in (g.weight1, g.weight2, g.weight3)]
        shifts = [[a0.b, g.actnorm1.b, g.actnorm2.b, g.c] for a0, g in nets]
        logs = [[a0.logs, g.actnorm1.logs, g.actnorm2.logs, g.logs] for a0, g in nets]
        parameters = [*weights, *chain(*shifts), *chain(*logs)]
        self._shapes = [w.shape for w in weights]
        self._lengths = [sum(map(len, each)) for each in shifts]
        self.values: FloatArray = torch.cat([p.detach().reshape(-1) for p in parameters]).numpy()
        self.logs = self.values[-sum(self._lengths) :]
        self.scale = np.empty_like(self.logs)
        if shares:
            parts = torch.split(torch.from_numpy(self.values), [p.numel() for p in parameters])
            for own, part in zip(parameters, parts, strict=True):
                own.data = part.view_as(own)

    def set_scale(self) -> None:
        """Compute all exp(3 logs)."""
        np.multiply(self.logs, self.logs.dtype.type(LOGSCALE_FACTOR), out=self.scale)
        np.exp(self.scale, out=self.scale)

    def views(self, flat: FloatArray) -> list[Arrays]:
        """Return the parts of an array like `values`, of each step w1, w2, w3, b and logs."""
        sizes = [*map(math.prod, self._shapes), *self._lengths, *self._lengths]
        parts, n_steps = np.split(flat, np.cumsum(sizes)[:-1]), len(self._lengths)
        weights = [part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=False)]
        return [
            (*weights[3 * t : 3 * t + 3], parts[3 * n_steps + t], parts[4 * n_steps + t])
            for t in range(n_steps)
        ]

    def of_steps(self, vector: FloatArray) -> list[FloatArray]:
        """Return the parts of an array like `logs`, of each step."""
        return np.split(vector, np.cumsum(self._lengths)[:-1])


class _Workspace:
    """Where a block of R rows is worked on, and with what each step's loops are called.

    `_backward` adds to `gradient`, like `flat.values`; without it nothing is kept for it.
    """

    def __init__(self, flat: _Flat, n_rows: int, gradient: FloatArray | None = None) -> None:
        def empty(*lengths: int) -> list[FloatArray]:
            return [np.empty((length, n_rows), flat.values.dtype) for length in lengths]

        self.state, self.other = empty(flat.n_features, flat.n_features)
        self.flat_state = self.state.reshape(-1)
        self.steps: list[Step] = []
        self.backward: list[tuple[FloatArray, FloatArray, Step, Arrays, Arrays]] = []
        parts = flat.views(flat.values)
        width, m = parts[0][0].shape
        k = len(parts[0][2])
        kept = empty(m + k, width, width, k)
        scales = flat.of_steps(flat.scale)
        for order, (w1, w2, w3, b, _), scale in zip(flat.orders, parts, scales, strict=True):
            y, h1, h2, g = kept
            if gradient is not None:
                y, h1, h2, g = empty(len(order), width, width, len(w3))
            block = (y[: len(order)], h1, h2, g[: len(w3)])
            self.steps.append((order, w1, w2, w3, b, scale, *block))
        if gradient is None:
            return
        again, spare = empty(m, width, width), np.empty((max(k, width), width), gradient.dtype)
        by, by_x = self.state, self.other
        for step, shares in zip(self.steps[::-1], flat.views(gradient)[::-1], strict=True):
            spares = (*again, np.empty_like(step[1]), spare)
            self.backward.append((by, by_x, step, shares, spares))
            by, by_x = by_x, by


def _block(flow: Flow) -> int:
    """Return the rows of a block: as many as keep a product on the calling thread."""
    width = flow.glow.coupling_width
    most = ONE_THREAD // (max(width, -(-flow.n_features // 2)) * width)
    return min(_BLOCK, 1 << max(0, most.bit_length() - 1))


class CompiledDescent:
    """Steps of gradient descent on a flow that the loops know, as `fit.TorchDescent` takes them."""

    def __init__(self, flow: Flow, training: TrainingConfig) -> None:
        self._training, self._n_taken = training, 0
        self._flat, self._block = _Flat(flow, shares=True), _block(flow)
        self._bits = 1 / (flow.n_features * math.log(2))
        self.gradient, self.means, self._squares = (
            np.zeros_like(self._flat.values) for _ in range(3)
        )
        self._by_logs = self.gradient[-len(self._flat.logs) :]
        self._volume = np.zeros_like(self._by_logs)  # ladj is its product with all logs
        for order, logs in zip(self._flat.orders, self._flat.of_steps(self._volume), strict=True):
            logs[: len(order)] = LOGSCALE_FACTOR
        self._workspaces: dict[int, _Workspace] = {}

    @np.errstate(over="ignore", invalid="ignore")  # a fit that diverges is told of in its record
    def step(self, rows: Tensor) -> tuple[float, float]:
        """Take a step on a batch, shape (B, D); return its bits per dimension and gradient norm.

        The loss is the mean of |z|^2 / 2 - ladj over the batch and a constant, in bits per feature;
        `gradient` is that of the sum, in nats, to which ladj, the same at every row, adds B times.
        """
        flat, x = self._flat, rows.numpy()
        flat.set_scale()
        ladj, squares = float(np.dot(self._volume, flat.logs)), 0.0
        np.multiply(self._volume, -self._volume.dtype.type(len(x)), out=self._by_logs)
        for begin in range(0, len(x), self._block):
            block = x[begin : begin + self._block]
            space = self._workspaces.get(len(block))
            if space is None:
                space = _Workspace(flat, len(block), self.gradient)
                self._workspaces[len(block)] = space
            space.state[:] = block.T
            for step in space.steps:
                _forward(space.state, step)
            z = space.state  # and the gradient by z of |z|^2 / 2
            squares += float(np.dot(space.flat_state, space.flat_state))
            n_last = len(flat.orders[-1])
            space.other[n_last:] = z[n_last:]  # which the last level leaves as they are
            for back in space.backward:
                _backward(*back)
        nats = squares / len(x) / 2 + flat.n_features / 2 * math.log(2 * math.pi) - ladj
        return nats * self._bits, self._descend(self._bits / len(x))

    def _descend(self, weight: float) -> float:
        """Take AdamW's step; both sides of its fraction are multiplied by sqrt(1 - beta2^n)."""
        training, n = self._training, self._n_taken + 1
        first, second = 1.0, 1.0
        if training.bias_correction:
            first, second = 1 - BETAS[0] ** n, 1 - BETAS[1] ** n
        root = math.sqrt(second)
        self._n_taken = n
        norm: float = _adamw(
            self._flat.values,
            self.gradient,
            self.means,
            self._squares,
            1 - training.lr * training.weight_decay,
            training.lr / first * root,
            EPS * root,
            weight,
            math.inf if training.clip_norm is None else training.clip_norm,
        )
        return norm


def map_rows(flow: Flow, x: FloatArray) -> FloatArray:
    """Return the latents of rows, shape (N, D), in the flow's dtype."""
    flat, block = _Flat(flow), _block(flow)
    flat.set_scale()
    z = np.empty(x.shape, flat.values.dtype)
    chunks = range(0, len(x), _ROWS_AT_ONCE)
    n_threads = max(1, min(torch.get_num_threads(), len(chunks)))

    def work(thread: int) -> None:
        space = _Workspace(flat, block)
        for chunk in chunks[thread::n_threads]:
            for start in range(chunk, min(chunk + _ROWS_AT_ONCE, len(x)), block):
                rows = x[start : start + block]
                space.state[:, : len(rows)] = rows.T  # a last, partial block has old rows behind it
                for step in space.steps:
                    _forward(space.state, step)
                z[start : start + block] = space.state[:, : len(rows)].T

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(work, range(n_threads)))
    return z


def load(announce: Callable[[], None] = lambda: None) -> None:
    """Wait until all code is compiled, or loaded from where numba keeps it.

    Another thread does it, so that `announce`, which is called five times a second meanwhile, may
    raise to stop the waiting.
    """
    if _is_ready.is_set():
        return
    thread = threading.Thread(target=_use_all, daemon=True)
    thread.start()
    thread.join(_POLL_SECONDS)
    while thread.is_alive():
        announce()
        thread.join(_POLL_SECONDS)


_is_ready = threading.Event()


def _use_all() -> None:
    """Take a step of the smallest flow, for which all code is compiled."""
    flow = Flow(2, GlowConfig(n_levels=1, depth=1, coupling_width=1))
    try:
        CompiledDescent(flow, TrainingConfig()).step(torch.zeros(2, 2))
    except Exception:  # a damaged file may raise anything: without it the next call compiles anew
        for kept in Path(_forward.stats.cache_path).glob("compiled.*.nb?"):
            kept.unlink()
    else:
        _is_ready.set()
