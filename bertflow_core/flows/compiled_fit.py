"""A flow's fit and its maps by the loops of `compiled`: rows in, rows out, on the CPU."""

import math
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from bertflow_core.errors import InputError
from bertflow_core.flows.compiled import FlatFlow, Optimizer, Room, descend, map_blocks
from bertflow_core.flows.config import GlowConfig, TrainingConfig
from bertflow_core.flows.fit import Course
from bertflow_core.flows.flow import Flow
from bertflow_core.flows.glow import AffineCoupling, LULinear, RandomPermutation
from bertflow_core.linalg import FloatArray, Rows

_BLOCK = 64
"""Most rows of a block."""

_ONE_THREAD = 1 << 19
"""Multiplications from which OpenBLAS shares a product among threads, which here does not pay."""

_ROWS_AT_ONCE = 1024
_NUMBERS_AT_ONCE = 1 << 22
_POLL_SECONDS = 0.2


def _block(flow: Flow) -> int:
    """Return the rows of a block: as many as keep a product on the calling thread."""
    width = flow.glow.coupling_width
    most = _ONE_THREAD // (max(width, -(-flow.n_features // 2)) * width)
    return min(_BLOCK, 1 << max(0, most.bit_length() - 1))


class _Flattened:
    """A flow's parameters in flat arrays, and the way back."""

    def __init__(self, flow: Flow) -> None:
        width = flow.glow.coupling_width
        weights: list[Tensor] = []
        vectors: list[Tensor] = []
        orders: list[Rows] = []
        table: list[list[int]] = []
        for actnorm, permutation, coupling in flow.steps():
            if isinstance(permutation, LULinear) or isinstance(coupling, AffineCoupling):
                raise InputError(
                    "compiled code knows additive couplings that only reorder features"
                )
            n, net = len(actnorm.b), coupling.network
            table.append(
                [n, *(sum(len(part) for part in parts) for parts in (weights, vectors, orders))]
            )
            weights += [net.weight1.detach().T, net.weight2.detach(), net.weight3.detach()]
            layers = (net.actnorm1, net.actnorm2, actnorm)
            vectors += [part.detach() for layer in layers for part in (layer.b, layer.logs)]
            vectors += [net.c.detach(), net.logs.detach()]
            order = np.arange(n)[::-1]
            if isinstance(permutation, RandomPermutation):
                order = permutation.order.numpy()
            orders.append(order)
        self._parameters = [*weights, *vectors]
        flat = torch.cat([part.reshape(-1) for part in self._parameters]).numpy()
        self.n_weights, self.width = width * sum(len(part) for part in weights), width
        views = self.views(flat)
        scales = np.zeros_like(views[1])
        self.flow = FlatFlow(flat, *views, scales, np.concatenate(orders), np.array(table))

    def views(self, flat: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the views of the weights, shape (rows, width), and of the vectors."""
        return flat[: self.n_weights].reshape(-1, self.width), flat[self.n_weights :]

    def write_back(self) -> None:
        """Give the flow the parameters of the arrays."""
        parts = torch.split(torch.from_numpy(self.flow.flat), [p.numel() for p in self._parameters])
        for own, part in zip(self._parameters, parts, strict=True):
            own.copy_(part.view_as(own))


def _room(flow: Flow, *, with_gradient: bool) -> Room:
    n, width, lanes = flow.n_features, flow.glow.coupling_width, _block(flow)
    dtype = flow.numpy_dtype
    ns = [len(actnorm.b) for actnorm, _, _ in flow.steps()]
    sizes = {
        "state": n,
        "normalised": sum(ns) if with_gradient else n,
        "hidden": 2 * width * (len(ns) if with_gradient else 1),
        "change": -(-n // 2),
        "by_state": n * with_gradient,
        "by_normalised": n * with_gradient,
        "by_hidden": 2 * width * with_gradient,
    }
    arrays = {name: np.zeros((size, lanes), dtype) for name, size in sizes.items()}
    return Room(**arrays, spare=np.zeros((max(-(-n // 2), width), width), dtype))


class CompiledDescent:
    """The steps of `fit_density` on a flow that the loops know.

    Args:
        flow: It learns of the steps in `settle`.
        course: Its rows are float32.
    """

    def __init__(self, flow: Flow, course: Course) -> None:
        training: TrainingConfig = course.training
        self._n_features, self._course, self._n_taken = flow.n_features, course, 0
        self.flat = _Flattened(flow)
        self._room = _room(flow, with_gradient=True)
        gradient, means, squares = (np.zeros_like(self.flat.flow.flat) for _ in range(3))
        self.optimizer = Optimizer(
            gradient,
            *self.flat.views(gradient),
            means=means,
            squares=squares,
            learning_rate=training.lr,
            weight_decay=training.weight_decay,
            clip_norm=math.inf if training.clip_norm is None else training.clip_norm,
            is_corrected=training.bias_correction,
        )

    def take(self, n_steps: int) -> list[tuple[float, float]]:
        """Take the next steps; return the bits per dimension and the gradient norm of each."""
        records: list[tuple[float, float]] = []
        while len(records) < n_steps:
            first = next(self._course.batches)
            size = len(first)
            few = max(1, _NUMBERS_AT_ONCE // (size * self._n_features))
            more = islice(self._course.batches, min(few, n_steps - len(records)) - 1)
            batches = [first, *more]
            x = self._course.rows(torch.cat(batches)).contiguous().numpy()
            found = np.zeros((len(batches), 2))
            descend(x, size, self._n_taken, found, self.flat.flow, self.optimizer, self._room)
            self._n_taken += len(batches)
            records += [(float(bits), float(norm)) for bits, norm in found]
            if len(records) < n_steps:
                self._course.beat()
        return records

    def settle(self) -> None:
        """Give the flow the parameters that the steps led to."""
        self.flat.write_back()


def map_rows(flow: Flow, x: FloatArray, *, is_inverse: bool = False) -> FloatArray:
    """Return the latents of rows, or the rows of latents, shape (N, D), float32."""
    z, flat = np.empty(x.shape, flow.numpy_dtype), _Flattened(flow).flow
    chunks = range(0, len(x), _ROWS_AT_ONCE)
    n_threads = max(1, min(torch.get_num_threads(), len(chunks)))

    def work(thread: int) -> None:
        room = _room(flow, with_gradient=False)
        own = flat._replace(scales=np.zeros_like(flat.scales))
        for start in chunks[thread::n_threads]:
            some = np.require(x[start : start + _ROWS_AT_ONCE], z.dtype, ["C", "W"])
            map_blocks(some, z[start : start + _ROWS_AT_ONCE], own, room, is_inverse)

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(work, range(n_threads)))
    return z


def fit_once() -> None:
    """Fit the smallest flow, for which all code of a fit is compiled, or loaded."""
    course = Course(torch.zeros(2, 2), iter([torch.arange(2)]), TrainingConfig())
    CompiledDescent(_SMALLEST(), course).take(1)


def map_once() -> None:
    """Map two rows, for which all code of maps is compiled, or loaded."""
    map_rows(_SMALLEST(), np.zeros((2, 2), np.float32))


_SMALLEST = partial(Flow, 2, GlowConfig(n_levels=1, depth=1, coupling_width=1))
_lock = threading.Lock()
_loads: "dict[Callable[[], None], Future[None]]" = {}


def load(use: Callable[[], None], announce: Callable[[], None] = lambda: None) -> None:
    """Wait until what `use` calls is compiled, or loaded from where numba keeps it.

    Another thread does it, so that `announce`, which is called five times a second meanwhile, may
    raise to stop the waiting.
    """
    with _lock:
        ready = _loads.get(use)
        if ready is None or (ready.done() and ready.exception() is not None):
            ready = _loads[use] = Future()
            threading.Thread(target=_load, args=(use, ready), daemon=True).start()
    while True:
        try:
            return ready.result(_POLL_SECONDS)
        except TimeoutError:
            announce()


def _load(use: Callable[[], None], ready: "Future[None]") -> None:
    try:
        try:
            use()
        except Exception:  # a damaged file: whatever numba makes of it
            for kept in Path(map_blocks.stats.cache_path).glob("compiled.*.nb?"):
                kept.unlink()
            use()
    except BaseException as error:
        ready.set_exception(error)
    else:
        ready.set_result(None)
