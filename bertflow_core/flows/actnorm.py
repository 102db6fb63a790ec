"""ActNorm: a shift and a scale of each feature that start by standardizing some rows."""

import math

import torch
from torch import Tensor, nn

from bertflow_core.flows.base import Transform
from bertflow_core.linalg import SCALE_FLOOR

__all__ = ["LOGSCALE_FACTOR", "ActNorm"]

LOGSCALE_FACTOR = 3.0
"""How much faster than its parameter a log-scale moves.

An optimiser like Adam moves each parameter by about the learning rate, whatever its gradient;
written as 3 * logs, a log-scale therefore takes steps three times as large. The value is that of
the released Glow and BERT-flow code.
"""


class ActNorm(Transform):
    r"""The affine map :math:`y = (x + b) \odot \exp(3 \, logs)`.

    It starts as the identity; `initialize` makes the rows it is given come out with zero mean and
    unit variance in each feature that is not dead. A dead feature (constant in the data; real
    encoders have some) carries rounding noise only, which no scale may blow up.

    Args:
        n_features: D.
        unit_scale: Whether what comes in was normalised before, so that a feature is dead where its
            standard deviation is no more than 1e-6; otherwise where it is no more than 1e-6 of the
            largest one.
        generator: Draws `b` and `logs` from :math:`U(\pm\sqrt{6 / (1 + D)})`, which is the start
            that the released BERT-flow code really uses; None keeps the identity.

    References:
        Glow: Generative Flow with Invertible 1x1 Convolutions (Kingma & Dhariwal, 2018),
        section 3.1. https://arxiv.org/abs/1807.03039

    Example:
        >>> import torch
        >>> from bertflow_core.flows import ActNorm
        >>> y = ActNorm(2).initialize(torch.tensor([[0.0, 1.0], [4.0, 9.0]]))
        >>> y.mean(0).abs().max().item() < 1e-6, y.std(0, correction=0).round(decimals=4).tolist()
        (True, [1.0, 1.0])
    """

    def __init__(
        self,
        n_features: int,
        *,
        unit_scale: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.unit_scale = unit_scale
        self.b = nn.Parameter(torch.zeros(n_features, dtype=torch.float32))
        self.logs = nn.Parameter(torch.zeros(n_features, dtype=torch.float32))
        if generator is not None:
            bound = math.sqrt(6 / (1 + n_features))
            for parameter in (self.b, self.logs):
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    @property
    def _log_scale(self) -> Tensor:
        return LOGSCALE_FACTOR * self.logs

    def normalized(self, x: Tensor) -> Tensor:
        """Return y alone, shape (N, D): inside a coupling network no one asks for the volume."""
        return (x + self.b) * self._log_scale.exp()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y, shape (N, D), and ladj = sum(3 logs), shape (N,)."""
        return self.normalized(x), self._log_scale.sum().expand(len(x))

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return z * exp(-3 logs) - b, shape (N, D), and ladj = -sum(3 logs), shape (N,)."""
        x = z * (-self._log_scale).exp() - self.b
        return x, -self._log_scale.sum().expand(len(z))

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Set b = -mean(x) and exp(3 logs) = 1 / std(x), or 1 where dead; return y."""
        mean, std = _moments(x)
        # A spread below the resolution of the numbers themselves is no spread either.
        resolution = torch.finfo(x.dtype).eps * mean.abs()
        largest = torch.ones_like(std[0]) if self.unit_scale else std.max()
        alive = std > torch.maximum(SCALE_FLOOR * largest, resolution)
        self.b.copy_(-mean)
        self.logs.copy_(torch.where(alive, -std.log() / LOGSCALE_FACTOR, 0.0))
        return self.normalized(x)


def _moments(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return each feature's mean and standard deviation (with N), shapes (D,) and (D,).

    They are taken around the first row, so that the deviation of a constant feature is exactly zero
    and not the rounding error of its mean.
    """
    offset = x - x[0]
    return x[0] + offset.mean(0), offset.std(0, correction=0)
