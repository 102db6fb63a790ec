"""A flow applied to many rows, numpy in and numpy out, in bounded memory beside the result."""

from collections.abc import Callable
from contextlib import nullcontext

import numpy as np
import torch
from torch import Tensor

from bertflow_core.compiled_code import is_compiling
from bertflow_core.flows.config import Permutation
from bertflow_core.flows.flow import Flow
from bertflow_core.linalg import FloatArray
from bertflow_core.threads import one_thread

__all__ = ["by_batches", "ladj_of", "latent_of", "original_of"]

_FEWEST_NUMBERS = 1 << 18
"""Numbers in rows below which torch is done before compiled code would be loaded."""

_MOST_MEANWHILE = 1 << 26
"""Numbers in rows for which torch is sooner done than code that is being compiled."""


def latent_of(flow: Flow, x: FloatArray) -> FloatArray:
    """Return z, shape (N, D), float32, of the rows `x`, shape (N, D)."""
    if not _is_compiled(flow, x):
        return _by_torch(flow.to_latent, x)
    from bertflow_core.flows.compiled.mapping import to_latent

    return to_latent(flow, x)[0]


def original_of(flow: Flow, z: FloatArray) -> FloatArray:
    """Return x, shape (N, D), float32, of the latents `z`, shape (N, D)."""
    if not _is_compiled(flow, z):
        return _by_torch(flow.from_latent, z)
    from bertflow_core.flows.compiled.mapping import from_latent

    return from_latent(flow, z)


def ladj_of(flow: Flow, x: FloatArray) -> FloatArray:
    """Return log|det dz/dx| in nats, shape (N,), float64, at the rows `x`, shape (N, D)."""
    if not _is_compiled(flow, x):
        return _by_torch(flow.log_abs_det_jacobian, x).astype(np.float64)
    from bertflow_core.flows.compiled.mapping import to_latent

    return to_latent(flow, x)[1]


def _by_torch(function: Callable[[Tensor], Tensor], x: FloatArray) -> FloatArray:
    """Apply a function of rows by torch; to few rows on the calling thread alone."""
    with one_thread() if x.size < _FEWEST_NUMBERS else nullcontext():
        return by_batches(function, x)


@torch.no_grad()
def by_batches(
    function: Callable[[Tensor], Tensor],
    X: FloatArray,
    *,
    n_rows: int = 16_384,
    dtype: type[np.float32] | type[np.float64] = np.float32,
) -> FloatArray:
    """Apply a function of rows to all rows, some at a time, so that memory stays bounded."""
    result = np.empty(0, dtype)
    for start in range(0, len(X), n_rows):
        part = function(torch.from_numpy(np.array(X[start : start + n_rows], dtype))).numpy()
        if start == 0:
            result = np.empty((len(X), *part.shape[1:]), part.dtype)
        result[start : start + n_rows] = part
    return result


def _is_compiled(flow: Flow, x: FloatArray) -> bool:
    """Return whether the rows go through compiled code, which is then ready."""
    parameter = next(flow.parameters())
    is_known = parameter.device.type == "cpu" and flow.glow.permutation is not Permutation.LINEAR
    if not is_known or parameter.dtype != torch.float32 or x.size < _FEWEST_NUMBERS:
        return False
    if is_compiling() and x.size <= _MOST_MEANWHILE:
        return False
    from bertflow_core.flows.compiled.loading import load

    load(parameter.dtype, lambda: None, lambda: None)
    return True
