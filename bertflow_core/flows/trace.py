"""A flow layer by layer: the rows after each, and what each adds to their log-density."""

from dataclasses import dataclass, field

import torch
from torch import Tensor

from bertflow_core.flows.glow import Flow, log_base

__all__ = ["Trace", "layer_names", "trace"]


@dataclass(frozen=True, eq=False)
class Trace:
    r"""The path of N rows through a flow of L layers; h_0 = x and h_L = z."""

    names: tuple[str, ...]  # of the layers, length L
    states: Tensor = field(repr=False)  # h_0 to h_L, shape (L + 1, N, D)
    ladj: Tensor = field(repr=False)  # log|det dh_l / dh_{l-1}| in nats, shape (L, N)

    @property
    def log_base(self) -> Tensor:
        """The base's log N(z; 0, I) in nats, shape (N,)."""
        return log_base(self.states[-1])

    @property
    def log_prob(self) -> Tensor:
        """The density's log p(x) = log N(z; 0, I) + sum of ladj in nats (Eq. 4), shape (N,)."""
        return self.log_base + self.ladj.sum(0)


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
    """Follow rows through the layers of a flow.

    Args:
        flow: L layers: an ActNorm, a permutation and a coupling for each step of each level.
        x: Rows, shape (N, D), of the flow's dtype.

    Returns:
        Their states and what each layer adds; the sum is `flow.log_prob(x)`.
    """
    states, ladjs = [x], []
    for n, parts in flow.parts():
        for part in parts:
            h, ladj = part(states[-1][:, :n])
            states.append(torch.cat([h, x[:, n:]], dim=1))
            ladjs.append(ladj)
        x = states[-1]
    return Trace(layer_names(flow), torch.stack(states), torch.stack(ladjs))
