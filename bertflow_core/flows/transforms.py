r"""The parts of Glow on vectors: bijections of rows, each with inverse and log-determinant.

In the whole package `forward` maps embeddings x to latents z; it is the inverse of the paper's
generative map :math:`u = f_\phi(z)` (section 3.2). Each part also returns `ladj`, the logarithm of
the absolute determinant of its Jacobian, in nats. Parts start with float32 parameters on the CPU,
drawn from a generator; the global random state is neither read nor changed.

References:
    On the Sentence Embeddings from Pre-trained Language Models (Li et al., 2020), "the paper".
    https://aclanthology.org/2020.emnlp-main.733/
    Glow: Generative Flow with Invertible 1x1 Convolutions (Kingma & Dhariwal, 2018), "Glow".
    https://arxiv.org/abs/1807.03039
"""

import math
from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional

_DEAD = 1e-6  # largest standard deviation of a dead feature, as a fraction of the largest one

LOGSCALE_FACTOR = 3.0
"""Factor by which a log-scale moves faster than its parameter.

An optimiser like Adam moves each parameter by about the learning rate, whatever its gradient.
Written as 3 * logs, a log-scale therefore takes steps three times as large. The value is that of
the released Glow and BERT-flow code.
"""

_WEIGHT_STD = 0.05  # standard deviation of hidden weights at the start, as in released Glow


class Transform(nn.Module, ABC):
    """A bijection on R^D, applied to each row of a batch."""

    name: str

    @abstractmethod
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return z, shape (N, D), and ladj = log|det dz/dx|, shape (N,), of rows x."""

    @abstractmethod
    def inverse(self, z: Tensor) -> Tensor:
        """Return the rows x, shape (N, D), that `forward` maps to the rows z."""

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Set data-dependent parameters, if any, from the incoming rows x; return outgoing rows."""
        return self.forward(x)[0]


class ActNorm(Transform):
    r"""The affine map :math:`y = (x + b) \odot \exp(3 \, logs)` of Glow, section 3.1.

    Its ladj is :math:`\sum_i 3 \, logs_i`. It starts as the identity. With a generator, `b` and
    `logs` are drawn from :math:`U(\pm\sqrt{6 / (1 + D)})`, as the released BERT-flow code does. A
    feature is dead, and keeps its scale in `initialize`, if its standard deviation is at most 1e-6
    of the largest one, or at most 1e-6 itself for normalised rows (`unit_scale`).
    """

    name = "ActNorm"

    def __init__(
        self, n_features: int, *, unit_scale: bool = False, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.unit_scale = unit_scale
        self.b, self.logs = _zeros(n_features), _zeros(n_features)
        if generator is not None:
            bound = math.sqrt(6 / (1 + n_features))
            for parameter in (self.b, self.logs):
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def normalized(self, x: Tensor) -> Tensor:
        """Return y, shape (N, D), without ladj, which is not needed inside a coupling network."""
        return (x + self.b) * (LOGSCALE_FACTOR * self.logs).exp()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y and ladj = sum(3 * logs)."""
        return self.normalized(x), (LOGSCALE_FACTOR * self.logs).sum().expand(len(x))

    def inverse(self, z: Tensor) -> Tensor:
        """Return z * exp(-3 * logs) - b."""
        return z * (-LOGSCALE_FACTOR * self.logs).exp() - self.b

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Set b = -mean(x) and exp(3 logs) = 1 / std(x), so that y has zero mean and unit variance.

        A dead feature (constant in the data; real encoders have some) keeps its scale, since it
        holds only rounding error, which must not be amplified.
        """
        # Deviations from the first row are exactly zero for a constant feature; those from the
        # mean would be rounding errors.
        offset = x - x[0]
        mean, std = x[0] + offset.mean(0), offset.std(0, correction=0)
        # A spread below the resolution of floating point does not count either.
        resolution = torch.finfo(x.dtype).eps * mean.abs()
        largest = torch.ones_like(std[0]) if self.unit_scale else std.max()
        alive = std > torch.maximum(_DEAD * largest, resolution)
        self.b.copy_(-mean)
        self.logs.copy_(torch.where(alive, -std.log() / LOGSCALE_FACTOR, 0.0))
        return self.normalized(x)


class Permutation(Transform):
    """A permutation of the features, drawn once as in the paper (section 3.2); ladj = 0.

    Without a generator the order is reversed, as the released code does.
    """

    order: Tensor

    def __init__(self, n_features: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        order = torch.arange(n_features).flip(0)
        if generator is not None:
            order = torch.randperm(n_features, generator=generator)
        self.name = "random permutation" if generator else "reversal"
        self.register_buffer("order", order, persistent=generator is not None)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the reordered rows and ladj = 0."""
        return x[:, self.order], x.new_zeros(len(x))

    def inverse(self, z: Tensor) -> Tensor:
        """Return the rows in their original order."""
        return z[:, self.order.argsort()]


class CouplingNetwork(nn.Module):
    r"""The network :math:`g_\psi` of Eq. 6: two hidden layers (linear, ActNorm, ReLU), one linear.

    The hidden layers have no bias, since ActNorm has one. Their weights are drawn from N(0,
    0.05^2). The last layer is :math:`(W h + c) \odot \exp(3 \, logs)` with W = c = logs = 0, so
    that g = 0 at the start. With `random_start` the generator draws the ActNorms too.
    """

    def __init__(
        self,
        n_inputs: int,
        n_outputs: int,
        width: int,
        generator: torch.Generator,
        *,
        random_start: bool,
    ) -> None:
        super().__init__()
        start = generator if random_start else None
        self.weight1 = _normal(width, n_inputs, generator)
        self.actnorm1 = ActNorm(width, unit_scale=True, generator=start)
        self.weight2 = _normal(width, width, generator)
        self.actnorm2 = ActNorm(width, unit_scale=True, generator=start)
        self.weight3, self.c, self.logs = _zeros(n_outputs, width), *map(_zeros, [n_outputs] * 2)

    def forward(self, x: Tensor) -> Tensor:
        """Return g(x), shape (N, n_outputs), for the conditioning half `x`, shape (N, n_inputs)."""
        h = self.actnorm1.normalized(functional.linear(x, self.weight1)).relu()
        h = self.actnorm2.normalized(functional.linear(h, self.weight2)).relu()
        scale = (LOGSCALE_FACTOR * self.logs).exp()
        return functional.linear(h, self.weight3, self.c) * scale

    @torch.no_grad()
    def initialize(self, x: Tensor) -> None:
        """Initialize both ActNorms from the conditioning halves `x`."""
        h = self.actnorm1.initialize(functional.linear(x, self.weight1)).relu()
        self.actnorm2.initialize(functional.linear(h, self.weight2))


class AdditiveCoupling(Transform):
    r"""The shift :math:`y_{1:d} = x_{1:d}, \; y_{d+1:D} = x_{d+1:D} + g_\psi(x_{1:d})`; ladj = 0.

    It is Eq. 5-6 of the paper, with Eq. 7-8 as its inverse, and comes from NICE (Dinh et al., 2015,
    https://arxiv.org/abs/1410.8516). The first d = floor(D / 2) features condition the others.
    """

    name = "additive coupling"

    def __init__(
        self, n_features: int, width: int, generator: torch.Generator, *, random_start: bool = False
    ) -> None:
        super().__init__()
        self.n_inputs = n_features // 2
        n_outputs = n_features - self.n_inputs
        self.network = CouplingNetwork(
            self.n_inputs, n_outputs, width, generator, random_start=random_start
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y and ladj = 0."""
        x1, x2 = x[:, : self.n_inputs], x[:, self.n_inputs :]
        return torch.cat([x1, x2 + self.network(x1)], dim=1), x.new_zeros(len(x))

    def inverse(self, z: Tensor) -> Tensor:
        """Subtract the shift of `forward`."""
        z1, z2 = z[:, : self.n_inputs], z[:, self.n_inputs :]
        return torch.cat([z1, z2 - self.network(z1)], dim=1)

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Initialize the network's ActNorms."""
        self.network.initialize(x[:, : self.n_inputs])
        return self.forward(x)[0]


def _zeros(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(shape, dtype=torch.float32))


def _normal(n_rows: int, n_columns: int, generator: torch.Generator) -> nn.Parameter:
    unit = torch.randn(n_rows, n_columns, generator=generator, dtype=torch.float32)
    return nn.Parameter(_WEIGHT_STD * unit)
