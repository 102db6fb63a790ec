"""A flow applied to many rows in compiled code: block by block, on all of torch's threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from bertflow_core.flows.checks import check_rows
from bertflow_core.flows.compiled import passage
from bertflow_core.flows.compiled.layout import aligned, layout_of
from bertflow_core.flows.compiled.table import FlatFlow, Room
from bertflow_core.flows.flow import Flow
from bertflow_core.linalg import FloatArray

__all__ = ["from_latent", "to_latent"]

_CHUNK = 1024
"""Rows converted together, where they must be: a multiple of a block."""

Passage = Callable[[FloatArray, slice, FlatFlow, Room], None]


def to_latent(flow: Flow, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return z, shape (N, D), and ladj in nats, shape (N,), in the flow's dtype and float64."""
    z, ladj = np.empty(x.shape, _dtype(flow)), np.empty(len(x))

    def through(rows: FloatArray, place: slice, flat: FlatFlow, room: Room) -> None:
        passage.to_latent(rows, z[place], ladj[place], flat, room)

    _apply(through, flow, x)
    return z, ladj


def from_latent(flow: Flow, z: FloatArray) -> FloatArray:
    """Return x, shape (N, D), in the flow's dtype, of the latents `z`, shape (N, D)."""
    x = np.empty(z.shape, _dtype(flow))

    def through(rows: FloatArray, place: slice, flat: FlatFlow, room: Room) -> None:
        passage.from_latent(rows, x[place], flat, room)

    _apply(through, flow, z)
    return x


def _apply(through: Passage, flow: Flow, x: FloatArray) -> None:
    """Send the rows through in chunks, shared out among as many threads as torch has."""
    check_rows(x, n_features=flow.n_features)
    layout, dtype = layout_of(flow), _dtype(flow)
    flat, chunks = layout.read(), range(0, len(x), _CHUNK)
    n_threads = max(1, min(torch.get_num_threads(), len(chunks)))

    def work(thread: int) -> None:
        room = layout.room(dtype, with_gradient=False)
        own = flat._replace(scales=aligned(layout.size, dtype))
        for start in chunks[thread::n_threads]:
            place = slice(start, start + _CHUNK)
            through(np.require(x[place], dtype, ["C", "W"]), place, own, room)

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(work, range(n_threads)))


def _dtype(flow: Flow) -> np.dtype[np.floating]:
    dtype: np.dtype[np.floating] = next(flow.parameters()).detach().numpy().dtype
    return dtype
