r"""The parts of Glow on vectors: bijections of rows, each with its inverse and its volume.

Direction, for the whole package: `forward` normalises, x -> z, from embeddings to the latent
space; it is the inverse of the paper's generative map :math:`u = f_\phi(z)` (section 3.2). Each
part gives its `ladj` too, the logarithm of the absolute determinant of the Jacobian of the map just
applied, in nats. Parts have float32 parameters on the CPU at first, drawn from a generator: the
global random state is neither read nor changed.

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

_DEAD = 1e-6
"""A feature whose standard deviation is not above this share of the largest is dead."""

LOGSCALE_FACTOR = 3.0
"""How much faster than its parameter a log-scale moves.

An optimiser like Adam moves each parameter by about the learning rate, whatever its gradient;
written as 3 * logs, a log-scale therefore takes steps three times as large. The value is that of
the released Glow and BERT-flow code.
"""

WEIGHT_STD = 0.05
"""Standard deviation of the hidden weights at the start, as in the released Glow code."""


class Transform(nn.Module, ABC):
    """A bijection on R^D, applied to each row of a batch on its own.

    Only `initialize` and an optimiser change its state.
    """

    name: str

    @abstractmethod
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return z, shape (N, D), and ladj = log|det dz/dx|, shape (N,), of rows x."""

    @abstractmethod
    def inverse(self, z: Tensor) -> Tensor:
        """Return the rows x, shape (N, D), that `forward` takes to the rows z."""

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Choose the start from the rows x that come in, if there is a rule; return what leaves."""
        return self.forward(x)[0]


class ActNorm(Transform):
    r"""The affine map :math:`y = (x + b) \odot \exp(3 \, logs)` of Glow, section 3.1.

    Its ladj is :math:`\sum_i 3 \, logs_i`. It starts as the identity; with a generator `b` and
    `logs` are drawn from :math:`U(\pm\sqrt{6 / (1 + D)})`, the start that the released BERT-flow
    code really uses. A feature is dead where its standard deviation is no more than 1e-6 of the
    largest one; of what was normalised before (`unit_scale`), where it is no more than 1e-6.
    """

    name = "ActNorm"

    def __init__(
        self,
        n_features: int,
        *,
        unit_scale: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.unit_scale = unit_scale
        self.b, self.logs = _zeros(n_features), _zeros(n_features)
        if generator is not None:
            bound = math.sqrt(6 / (1 + n_features))
            for parameter in (self.b, self.logs):
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def normalized(self, x: Tensor) -> Tensor:
        """Return y alone, shape (N, D): inside a coupling network volumes do not count."""
        return (x + self.b) * (LOGSCALE_FACTOR * self.logs).exp()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y and ladj = sum(3 logs)."""
        return self.normalized(x), (LOGSCALE_FACTOR * self.logs).sum().expand(len(x))

    def inverse(self, z: Tensor) -> Tensor:
        """Return z exp(-3 logs) - b."""
        return z * (-LOGSCALE_FACTOR * self.logs).exp() - self.b

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Set b = -mean(x) and exp(3 logs) = 1 / std(x), so that y has zero mean and unit variance.

        A dead feature (constant in the data; real encoders have some) keeps its scale: it carries
        rounding noise only, which nothing may blow up.
        """
        # Around the first row, so that the deviation of a constant feature is exactly zero and not
        # the rounding error of its mean.
        offset = x - x[0]
        mean, std = x[0] + offset.mean(0), offset.std(0, correction=0)
        # A spread below the resolution of the numbers themselves is no spread either.
        resolution = torch.finfo(x.dtype).eps * mean.abs()
        largest = torch.ones_like(std[0]) if self.unit_scale else std.max()
        alive = std > torch.maximum(_DEAD * largest, resolution)
        self.b.copy_(-mean)
        self.logs.copy_(torch.where(alive, -std.log() / LOGSCALE_FACTOR, 0.0))
        return self.normalized(x)


class Permutation(Transform):
    """The features in another order, drawn once as the paper says (section 3.2); ladj = 0.

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
        """Return the rows in their old order."""
        return z[:, self.order.argsort()]


class LULinear(Transform):
    r"""A learned linear map :math:`z = P L U x`, Glow's invertible 1x1 convolution on vectors.

    P is a fixed permutation, L unit lower triangular, U upper triangular with the diagonal
    :math:`sign \odot \exp(log\_scale)` of fixed signs, so that ladj = sum(log_scale) costs nothing
    (Glow, Eq. 10-11). The map starts as a random rotation.
    """

    name = "linear map"
    order: Tensor
    sign: Tensor

    def __init__(self, n_features: int, generator: torch.Generator) -> None:
        super().__init__()
        gaussian = torch.randn(n_features, n_features, generator=generator, dtype=torch.float32)
        permutation, lower, upper = torch.linalg.lu(torch.linalg.qr(gaussian).Q)
        self.register_buffer("order", permutation.argmax(1))
        self.register_buffer("sign", upper.diagonal().sign())
        self.lower = nn.Parameter(lower.tril(-1))
        self.upper = nn.Parameter(upper.triu(1))
        self.log_scale = nn.Parameter(upper.diagonal().abs().log())

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return P L U x for each row, and ladj = sum(log_scale)."""
        lower, upper = self._factors()
        z = (x @ upper.T @ lower.T)[:, self.order]
        return z, self.log_scale.sum().expand(len(x))

    def inverse(self, z: Tensor) -> Tensor:
        """Solve P L U x = z for each row."""
        lower, upper = self._factors()
        y = z[:, self.order.argsort()]
        y = torch.linalg.solve_triangular(lower.T, y, upper=True, left=False, unitriangular=True)
        x: Tensor = torch.linalg.solve_triangular(upper.T, y, upper=False, left=False)
        return x

    def _factors(self) -> tuple[Tensor, Tensor]:
        """Return L and U, shape (D, D) each; whatever lies outside the triangles is masked away."""
        lower = self.lower.tril(-1) + torch.ones_like(self.sign).diag()
        upper = self.upper.triu(1) + (self.sign * self.log_scale.exp()).diag()
        return lower, upper


class CouplingNetwork(nn.Module):
    r"""The network :math:`g_\psi` of Eq. 6: two hidden layers (linear, ActNorm, ReLU), one linear.

    The hidden layers have no bias, since ActNorm shifts; their weights are drawn from N(0, 0.05^2).
    The last layer is :math:`(W h + c) \odot \exp(3 \, logs)` with W = c = logs = 0, so that g = 0
    at the start. With `random_start` the generator draws the ActNorms' start too.
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
        """Give both ActNorms their start from the conditioning halves `x`."""
        h = self.actnorm1.initialize(functional.linear(x, self.weight1)).relu()
        self.actnorm2.initialize(functional.linear(h, self.weight2))


class AdditiveCoupling(Transform):
    r"""The shift :math:`y_{1:d} = x_{1:d}, \; y_{d+1:D} = x_{d+1:D} + g_\psi(x_{1:d})`; ladj = 0.

    It is Eq. 5-6 of the paper, its inverse Eq. 7-8; it comes from NICE (Dinh et al., 2015,
    https://arxiv.org/abs/1410.8516). The first d = floor(D / 2) features condition the others.
    """

    name = "additive coupling"
    _outputs_per_feature = 1

    def __init__(
        self,
        n_features: int,
        width: int,
        generator: torch.Generator,
        *,
        random_start: bool = False,
    ) -> None:
        super().__init__()
        self.n_inputs = n_features // 2
        n_outputs = self._outputs_per_feature * (n_features - self.n_inputs)
        self.network = CouplingNetwork(
            self.n_inputs, n_outputs, width, generator, random_start=random_start
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y and ladj = 0."""
        x1, x2 = x[:, : self.n_inputs], x[:, self.n_inputs :]
        return torch.cat([x1, x2 + self.network(x1)], dim=1), x.new_zeros(len(x))

    def inverse(self, z: Tensor) -> Tensor:
        """Subtract what `forward` added."""
        z1, z2 = z[:, : self.n_inputs], z[:, self.n_inputs :]
        return torch.cat([z1, z2 - self.network(z1)], dim=1)

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Initialise the network's ActNorms."""
        self.network.initialize(x[:, : self.n_inputs])
        return self.forward(x)[0]


class AffineCoupling(AdditiveCoupling):
    r"""Glow's coupling :math:`y_2 = (x_2 + t) \odot \sigma(s + 2)` with :math:`(t, s) = g(x_1)`.

    The sigmoid keeps the scale within (0, 1) and the 2 starts it at 0.88, near the identity; both
    are those of the released Glow code (Glow, Table 1).
    """

    name = "affine coupling"
    _outputs_per_feature = 2

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y and ladj = sum(log sigma(s + 2))."""
        x1, x2 = x[:, : self.n_inputs], x[:, self.n_inputs :]
        shift, log_scale = self._shift_and_log_scale(x1)
        return torch.cat([x1, (x2 + shift) * log_scale.exp()], dim=1), log_scale.sum(1)

    def inverse(self, z: Tensor) -> Tensor:
        """Divide and subtract what `forward` multiplied and added."""
        z1, z2 = z[:, : self.n_inputs], z[:, self.n_inputs :]
        shift, log_scale = self._shift_and_log_scale(z1)
        return torch.cat([z1, z2 * (-log_scale).exp() - shift], dim=1)

    def _shift_and_log_scale(self, x1: Tensor) -> tuple[Tensor, Tensor]:
        """Return t and log sigma(s + 2), shape (N, ceil(D / 2)) each."""
        shift, s = self.network(x1).chunk(2, dim=1)
        return shift, functional.logsigmoid(s + 2.0)


def _zeros(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(shape, dtype=torch.float32))


def _normal(n_rows: int, n_columns: int, generator: torch.Generator) -> nn.Parameter:
    unit = torch.randn(n_rows, n_columns, generator=generator, dtype=torch.float32)
    return nn.Parameter(WEIGHT_STD * unit)
