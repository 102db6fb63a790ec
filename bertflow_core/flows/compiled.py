"""Fit and apply the default Glow on the CPU with the compiled loops of `kernels`.

During a fit, all parameters of the flow are in one array. Each block of rows has a workspace of
arrays that the loops fill, so that nothing is allocated.
"""

import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.flows.config import BETAS, EPS, ONE_THREAD, GlowConfig, TrainingConfig
from bertflow_core.flows.glow import Flow
from bertflow_core.flows.kernels import Arrays, Step, adamw, backward, forward
from bertflow_core.flows.transforms import LOGSCALE_FACTOR

_BLOCK = 64  # largest number of rows of a block
_ROWS_AT_ONCE = 1024
_POLL_SECONDS = 0.2


class _Flat:
    """A flow's weights, shifts and log-scales in one array; the flow's own may be views of it."""

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
        """Return each step's w1, w2, w3, b and logs as views of an array like `values`."""
        sizes = [*map(math.prod, self._shapes), *self._lengths, *self._lengths]
        parts, n_steps = np.split(flat, np.cumsum(sizes)[:-1]), len(self._lengths)
        weights = [part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=False)]
        return [
            (*weights[3 * t : 3 * t + 3], parts[3 * n_steps + t], parts[4 * n_steps + t])
            for t in range(n_steps)
        ]

    def of_steps(self, vector: FloatArray) -> list[FloatArray]:
        """Return one view per step of an array that is laid out as `logs` is."""
        return np.split(vector, np.cumsum(self._lengths)[:-1])


class _Workspace:
    """The arrays for a block of R rows, and the arguments of each step's loops.

    `backward` adds to `gradient`, which has the shape of `flat.values`. Without a gradient, nothing
    is kept for `backward`.
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
    """Return a block's number of rows, so small that BLAS stays on the calling thread."""
    width = flow.glow.coupling_width
    most = ONE_THREAD // (max(width, -(-flow.n_features // 2)) * width)
    return min(_BLOCK, 1 << max(0, most.bit_length() - 1))


class CompiledDescent:
    """Gradient descent by the compiled loops, with the interface of `fit.TorchDescent`."""

    def __init__(self, flow: Flow, training: TrainingConfig) -> None:
        self._training, self._n_taken = training, 0
        self._flat, self._block = _Flat(flow, shares=True), _block(flow)
        self._bits = 1 / (flow.n_features * math.log(2))
        self.gradient, self.means, self._squares = (
            np.zeros_like(self._flat.values) for _ in range(3)
        )
        self._by_logs = self.gradient[-len(self._flat.logs) :]
        self._volume = np.zeros_like(self._by_logs)  # its dot product with all logs is ladj
        for order, logs in zip(self._flat.orders, self._flat.of_steps(self._volume), strict=True):
            logs[: len(order)] = LOGSCALE_FACTOR
        self._workspaces: dict[int, _Workspace] = {}

    @np.errstate(over="ignore", invalid="ignore")  # the fit checks for divergence itself
    def step(self, rows: Tensor) -> tuple[float, float]:
        """Take a step on a batch, shape (B, D); return its bits per dimension and gradient norm.

        The loss is the mean of |z|^2 / 2 - ladj over the batch plus a constant, in bits per
        feature. `gradient` is the gradient of the sum over rows, in nats. ladj is equal for all
        rows, so it counts B times.
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
                forward(space.state, step)
            z = space.state  # also the gradient of |z|^2 / 2
            squares += float(np.dot(space.flat_state, space.flat_state))
            n_last = len(flat.orders[-1])
            space.other[n_last:] = z[n_last:]  # the last level leaves them unchanged
            for back in space.backward:
                backward(*back)
        nats = squares / len(x) / 2 + flat.n_features / 2 * math.log(2 * math.pi) - ladj
        return nats * self._bits, self._descend(self._bits / len(x))

    def _descend(self, weight: float) -> float:
        """Take a step of AdamW; numerator and denominator are multiplied by sqrt(1 - beta2^n)."""
        training, n = self._training, self._n_taken + 1
        first, second = 1.0, 1.0
        if training.bias_correction:
            first, second = 1 - BETAS[0] ** n, 1 - BETAS[1] ** n
        root = math.sqrt(second)
        self._n_taken = n
        norm: float = adamw(
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
                space.state[:, : len(rows)] = rows.T  # the last block may keep older rows
                for step in space.steps:
                    forward(space.state, step)
                z[start : start + block] = space.state[:, : len(rows)].T

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(work, range(n_threads)))
    return z


def load(announce: Callable[[], None] = lambda: None) -> None:
    """Wait until all code is compiled, or loaded from numba's cache.

    Another thread compiles; `announce` is called five times a second and may raise to stop waiting.
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
    """Run a step of the smallest flow, which compiles all code."""
    flow = Flow(2, GlowConfig(n_levels=1, depth=1, coupling_width=1))
    try:
        CompiledDescent(flow, TrainingConfig()).step(torch.zeros(2, 2))
    except Exception:  # a damaged cache may raise anything; it is deleted, and code compiled anew
        for kept in Path(forward.stats.cache_path).glob("kernels.*.nb?"):
            kept.unlink()
    else:
        _is_ready.set()
