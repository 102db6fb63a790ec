"""Coupling: half of the features decide, through a small network, how the others change."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from bertflow_core.flows.actnorm import LOGSCALE_FACTOR, ActNorm
from bertflow_core.flows.base import Transform

__all__ = ["AdditiveCoupling", "AffineCoupling", "CouplingNetwork"]

WEIGHT_STD = 0.05
"""Standard deviation of the hidden weights at the start, as in the released Glow code."""


class CouplingNetwork(nn.Module):
    r"""The network :math:`g_\psi` of Eq. 6: two hidden layers (linear, ActNorm, ReLU), one linear.

    The hidden layers have no bias, since ActNorm shifts. The last layer is
    :math:`(W h + c) \odot \exp(3 \, logs)` with W = c = logs = 0, so that g = 0 at the start.

    Args:
        n_inputs: Features that condition.
        n_outputs: Values to give for each row.
        width: Hidden units of both layers.
        generator: Draws the hidden weights from N(0, 0.05^2).
        random_start: Whether the generator draws the ActNorms' start too.
    """

    def __init__(
        self,
        n_inputs: int,
        n_outputs: int,
        *,
        width: int,
        generator: torch.Generator,
        random_start: bool = False,
    ) -> None:
        super().__init__()
        start = generator if random_start else None
        self.weight1 = _normal(width, n_inputs, generator)
        self.actnorm1 = ActNorm(width, unit_scale=True, generator=start)
        self.weight2 = _normal(width, width, generator)
        self.actnorm2 = ActNorm(width, unit_scale=True, generator=start)
        self.weight3 = _zeros(n_outputs, width)
        self.c = _zeros(n_outputs)
        self.logs = _zeros(n_outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Return g(x), shape (N, n_outputs), for the conditioning half `x`, shape (N, n_inputs)."""
        h = self.actnorm1.normalized(functional.linear(x, self.weight1)).relu()
        h = self.actnorm2.normalized(functional.linear(h, self.weight2)).relu()
        scale = (LOGSCALE_FACTOR * self.logs).exp()
        return functional.linear(h, self.weight3, self.c) * scale

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Give both ActNorms their data-dependent start and return g(x), shape (N, n_outputs)."""
        h = self.actnorm1.initialize(functional.linear(x, self.weight1)).relu()
        self.actnorm2.initialize(functional.linear(h, self.weight2))
        return self.forward(x)


class _Coupling(Transform):
    """A coupling over D features: the first floor(D / 2) condition the other ceil(D / 2).

    Args:
        n_features: D, at least 2.
        width: Hidden units of the network.
        generator: Draws the network's start.
        random_start: Whether that includes the start of the network's ActNorms.
    """

    outputs_per_feature: int

    def __init__(
        self,
        n_features: int,
        *,
        width: int,
        generator: torch.Generator,
        random_start: bool = False,
    ) -> None:
        super().__init__()
        self.n_inputs = n_features // 2
        self.network = CouplingNetwork(
            self.n_inputs,
            self.outputs_per_feature * (n_features - self.n_inputs),
            width=width,
            generator=generator,
            random_start=random_start,
        )

    def _halves(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return x[:, : self.n_inputs], x[:, self.n_inputs :]

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Initialise the network's ActNorms; return the rows that leave, shape (N, D)."""
        self.network.initialize(self._halves(x)[0])
        return self.forward(x)[0]


class AdditiveCoupling(_Coupling):
    r"""The shift :math:`y_{1:d} = x_{1:d}, \; y_{d+1:D} = x_{d+1:D} + g_\psi(x_{1:d})`; ladj = 0.

    References:
        Eq. 5-8 of On the Sentence Embeddings from Pre-trained Language Models (Li et al., 2020).
        https://aclanthology.org/2020.emnlp-main.733/
        NICE: Non-linear Independent Components Estimation (Dinh et al., 2015).
        https://arxiv.org/abs/1410.8516

    Example:
        >>> import torch
        >>> from bertflow_core.flows import AdditiveCoupling
        >>> generator = torch.Generator().manual_seed(0)
        >>> coupling = AdditiveCoupling(4, width=8, generator=generator)
        >>> x = torch.randn(3, 4, generator=generator)
        >>> z, ladj = coupling(x)
        >>> torch.allclose(coupling.inverse(z)[0], x), torch.equal(z[:, :2], x[:, :2])
        (True, True)
    """

    outputs_per_feature = 1

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y, shape (N, D), and ladj = 0, shape (N,)."""
        x1, x2 = self._halves(x)
        return torch.cat([x1, x2 + self.network(x1)], dim=1), x.new_zeros(len(x))

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return x, shape (N, D), and ladj = 0, shape (N,)."""
        z1, z2 = self._halves(z)
        return torch.cat([z1, z2 - self.network(z1)], dim=1), z.new_zeros(len(z))


class AffineCoupling(_Coupling):
    r"""Glow's coupling :math:`y_2 = (x_2 + t) \odot \sigma(s + 2)` with :math:`(t, s) = g(x_1)`.

    The sigmoid keeps the scale within (0, 1) and the 2 starts it at 0.88, near the identity; both
    are those of the released Glow code.

    References:
        Glow: Generative Flow with Invertible 1x1 Convolutions (Kingma & Dhariwal, 2018), Table 1.
        https://arxiv.org/abs/1807.03039

    Example:
        >>> import torch
        >>> from bertflow_core.flows import AffineCoupling
        >>> generator = torch.Generator().manual_seed(0)
        >>> coupling = AffineCoupling(4, width=8, generator=generator)
        >>> x = torch.randn(3, 4, generator=generator)
        >>> z, ladj = coupling(x)
        >>> torch.allclose(coupling.inverse(z)[0], x), torch.equal(z[:, :2], x[:, :2])
        (True, True)
    """

    outputs_per_feature = 2

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y, shape (N, D), and ladj = sum(log sigma(s + 2)), shape (N,)."""
        x1, x2 = self._halves(x)
        shift, log_scale = self._shift_and_log_scale(x1)
        return torch.cat([x1, (x2 + shift) * log_scale.exp()], dim=1), log_scale.sum(1)

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return x, shape (N, D), and ladj = -sum(log sigma(s + 2)), shape (N,)."""
        z1, z2 = self._halves(z)
        shift, log_scale = self._shift_and_log_scale(z1)
        return torch.cat([z1, z2 * (-log_scale).exp() - shift], dim=1), -log_scale.sum(1)

    def _shift_and_log_scale(self, x1: Tensor) -> tuple[Tensor, Tensor]:
        """Return t and log sigma(s + 2), shape (N, ceil(D / 2)) each."""
        shift, s = self.network(x1).chunk(2, dim=1)
        return shift, functional.logsigmoid(s + 2.0)


def _zeros(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(shape, dtype=torch.float32))


def _normal(n_rows: int, n_columns: int, generator: torch.Generator) -> nn.Parameter:
    unit = torch.randn(n_rows, n_columns, generator=generator, dtype=torch.float32)
    return nn.Parameter(WEIGHT_STD * unit)
