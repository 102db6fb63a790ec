"""A flow layer by layer: the rows after each, and what each adds to their log-density."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import Tensor

from bertflow_core.flows.flow import Flow
from bertflow_core.flows.glow import (
    ActNorm,
    AdditiveCoupling,
    AffineCoupling,
    ComposedTransform,
    LeadingTransform,
    LULinear,
    RandomPermutation,
    Reversal,
    Transform,
)

__all__ = ["Trace", "layer_names", "trace"]

_NAMES: dict[type[Transform], str] = {
    ActNorm: "ActNorm",
    Reversal: "reversal",
    RandomPermutation: "random permutation",
    LULinear: "linear map",
    AdditiveCoupling: "additive coupling",
    AffineCoupling: "affine coupling",
}


@dataclass(frozen=True, eq=False)
class Trace:
    r"""The path of N rows through a flow of L layers; h_0 = x and h_L = z.

    Attributes:
        names: Of the layers, length L.
        states: h_0 to h_L, shape (L + 1, N, D).
        ladj: log|det dh_l / dh_{l-1}| in nats, shape (L, N).
    """

    names: tuple[str, ...]
    states: Tensor = field(repr=False)
    ladj: Tensor = field(repr=False)

    @property
    def log_base(self) -> Tensor:
        """The base's log N(z; 0, I) in nats, shape (N,)."""
        z = self.states[-1]
        return -0.5 * (z.square().sum(1) + z.shape[1] * math.log(2 * math.pi))

    @property
    def log_prob(self) -> Tensor:
        """The density's log p(x) = log N(z; 0, I) + sum of ladj in nats (Eq. 4), shape (N,)."""
        return self.log_base + self.ladj.sum(0)


def layer_names(flow: Flow) -> tuple[str, ...]:
    """Return the names of a flow's layers, in the order in which `forward` applies them."""
    n_levels, per_step = flow.glow.n_levels, 3  # ActNorm, permutation, coupling
    names = []
    for index, layer in enumerate(_layers(flow.transform)):
        level, within = divmod(index, flow.glow.depth * per_step)
        inner = layer.transform if isinstance(layer, LeadingTransform) else layer
        where = f"level {level + 1}, " if n_levels > 1 else ""
        names.append(f"{where}flow step {within // per_step + 1}: {_NAMES[type(inner)]}")
    return tuple(names)


@torch.no_grad()
def trace(flow: Flow, x: Tensor) -> Trace:
    """Follow rows through the layers of a flow.

    Args:
        flow: L layers: an ActNorm, a permutation and a coupling for each step of each level.
        x: Rows, shape (N, D), of the flow's dtype.

    Returns:
        Their states and what each layer adds; the sum is `flow.log_prob(x)`.
    """
    states, ladjs = [x], []
    for layer in _layers(flow.transform):
        h, ladj = layer(states[-1])
        states.append(h)
        ladjs.append(ladj)
    return Trace(layer_names(flow), torch.stack(states), torch.stack(ladjs))


def _layers(transform: Transform) -> Iterator[Transform]:
    """Yield the bijections on R^D that `transform` is composed of, the first one first."""
    if isinstance(transform, ComposedTransform):
        for part in transform.parts:
            yield from _layers(part)
    elif isinstance(transform, LeadingTransform):
        for part in _layers(transform.transform):
            yield LeadingTransform(part, transform.n_leading)
    else:
        yield transform
