"""What the first layer of a flow does by itself: nothing, its shift, or its shift and its scale.

Each is an ActNorm fitted in closed form, so that it has a density as the whole flow has one.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from bertflow_core.flows.glow import ActNorm
from bertflow_core.linalg import FloatArray

__all__ = ["log_likelihood_of", "parts_of_actnorm", "transformed"]


@torch.no_grad()
def parts_of_actnorm(x_fit: FloatArray) -> dict[str, ActNorm]:
    """Return the parts by name, fitted to rows of shape (M, D)."""
    rows = torch.from_numpy(x_fit)
    nothing, shift, both = (ActNorm(rows.shape[1]) for _ in range(3))
    both.initialize(rows)
    shift.b.copy_(both.b)
    return {"as encoded": nothing, "mean only": shift, "ActNorm only": both}


def transformed(layer: ActNorm) -> Callable[[FloatArray], FloatArray]:
    """Return what maps rows, shape (N, D), through a layer."""

    def apply(rows: FloatArray) -> FloatArray:
        values: FloatArray = layer.normalized(torch.from_numpy(rows)).detach().numpy()
        return values

    return apply


@torch.no_grad()
def log_likelihood_of(layer: ActNorm, rows: FloatArray) -> float:
    """Return the mean log-density in nats of rows, shape (N, D), where they become N(0, I)."""
    z, ladj = layer(torch.from_numpy(rows))
    log_base: Tensor = -0.5 * (z.double().square().sum(1) + z.shape[1] * math.log(2 * math.pi))
    return float((log_base + ladj).mean())
