"""Apply a flow to many numpy rows in bounded memory, or to few rows layer by layer."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from bertflow_core.arrays.blocks import in_blocks
from bertflow_core.arrays.types import FloatArray
from bertflow_core.flows.glow import Flow
from bertflow_core.runtime import context
from bertflow_core.runtime.device import one_thread

_ROWS_AT_ONCE = 16_384
_FEWEST_NUMBERS = 1 << 18  # matrix entries; with fewer, torch is faster than loading compiled code


def latent_of(flow: Flow, x: FloatArray) -> FloatArray:
    """Return z, shape (N, D), float32, of the rows `x`, shape (N, D)."""
    if not flow.has_loops or x.size < _FEWEST_NUMBERS:
        return _by_torch(flow.to_latent, x)
    with context.loading():
        from bertflow_core.flows.compiled import load, map_rows

        load()
    return map_rows(flow, x)


def original_of(flow: Flow, z: FloatArray) -> FloatArray:
    """Return x, shape (N, D), float32, of the latents `z`, shape (N, D)."""
    return _by_torch(flow.from_latent, z)


def ladj_of(flow: Flow, x: FloatArray) -> FloatArray:
    """Return log|det dz/dx| in nats, shape (N,), float64, at the rows `x`, shape (N, D)."""
    somewhere = np.zeros((1, flow.n_features), np.float32)  # ladj is equal for all rows
    one = _by_torch(flow.log_abs_det_jacobian, somewhere)
    return np.full(len(x), one[0], np.float64)


def _by_torch(function: Callable[[Tensor], Tensor], x: FloatArray) -> FloatArray:
    with one_thread() if x.size < _FEWEST_NUMBERS else nullcontext():
        return by_batches(function, x)


@torch.no_grad()
def by_batches(function: Callable[[Tensor], Tensor], X: FloatArray) -> FloatArray:
    """Apply a function of rows in batches, so that memory stays bounded."""

    def of(rows: FloatArray) -> FloatArray:
        return function(torch.from_numpy(np.array(rows, np.float32))).numpy()

    return in_blocks(of, X, n_rows=_ROWS_AT_ONCE, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Trace:
    """The path of N rows through a flow of L layers; h_0 = x and h_L = z."""

    names: tuple[str, ...]  # of the layers, length L
    states: Tensor = field(repr=False)  # h_0 to h_L, shape (L + 1, N, D)
    ladj: Tensor = field(repr=False)  # log|det dh_l / dh_{l-1}| in nats, shape (L, N)


def layer_names(flow: Flow) -> tuple[str, ...]:
    """Return the names of a flow's layers, in the order in which `forward` applies them."""
    is_named = flow.glow.n_levels > 1
    return tuple(
        f"{f'level {level}, ' if is_named else ''}flow step {i // 3 + 1}: {part.name}"
        for level, (_, parts) in enumerate(flow.parts(), 1)
        for i, part in enumerate(parts)
    )


@torch.no_grad()
def trace(flow: Flow, x: Tensor) -> Trace:
    """Follow rows of the flow's dtype, shape (N, D), through its layers.

    The layers are an ActNorm, a permutation and a coupling for each step of each level. log N(z; 0,
    I) plus the sum of their log-determinants is `flow.log_prob(x)` (Eq. 4).
    """
    states, ladjs = [x], []
    for n, parts in flow.parts():
        for part in parts:
            h, ladj = part(states[-1][:, :n])
            states.append(torch.cat([h, x[:, n:]], dim=1))
            ladjs.append(ladj)
        x = states[-1]
    return Trace(layer_names(flow), torch.stack(states), torch.stack(ladjs))
