"""AdamW's steps, with or without the correction of its moments' bias."""

from collections.abc import Iterable

import torch
from torch import nn
from torch.optim.adamw import adamw

__all__ = ["AdamW"]

BETAS = (0.9, 0.999)
EPS = 1e-6
LATE = 2.0**30
"""A count of steps at which both corrections 1 - beta^t are exactly 1."""


class AdamW:
    r"""Moments of the gradients, and the steps that they lead to.

    .. math::
        m_t = 0.9 m_{t-1} + 0.1 g_t \qquad v_t = 0.999 v_{t-1} + 0.001 g_t^2 \\
        \theta_t = (1 - \eta \lambda) \theta_{t-1} - \eta \hat m_t / (\sqrt{\hat v_t} + 10^{-6})

    with :math:`\hat m_t = m_t / (1 - 0.9^t)` and :math:`\hat v_t = v_t / (1 - 0.999^t)`, or the
    moments themselves where their bias is not corrected. It is torch's fused kernel without
    `torch.optim.AdamW` around it: making one imports torch's compiler, which takes longer than a
    small fit.

    Args:
        parameters: What to move; their `grad` is read.
        learning_rate: eta.
        weight_decay: lambda, decoupled.
        bias_correction: Whether the moments are corrected. BERT's own optimiser, which the
            reference code uses, does not.

    References:
        Decoupled Weight Decay Regularization (Loshchilov & Hutter, 2019), Algorithm 2.
        https://arxiv.org/abs/1711.05101
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        *,
        learning_rate: float,
        weight_decay: float,
        bias_correction: bool,
    ) -> None:
        self.parameters = list(parameters)
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        # float32 holds LATE + 1 as LATE, so that a late start stays where it is.
        first = 0.0 if bias_correction else LATE
        self._means = [torch.zeros_like(p) for p in self.parameters]
        self._squares = [torch.zeros_like(p) for p in self.parameters]
        self._counts = [
            torch.tensor(first, dtype=torch.float32, device=p.device) for p in self.parameters
        ]

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter by its gradient."""
        adamw(
            self.parameters,  # type: ignore[arg-type]
            [p.grad for p in self.parameters if p.grad is not None],  # each one has a gradient
            self._means,
            self._squares,
            [],
            self._counts,
            fused=True,
            amsgrad=False,
            beta1=BETAS[0],
            beta2=BETAS[1],
            lr=self.learning_rate,
            weight_decay=self.weight_decay,
            eps=EPS,
            maximize=False,
        )
