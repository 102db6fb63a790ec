r"""Glow on vectors: the invertible map of BERT-flow, part by part, with its log-determinants.

Direction, for the whole package: `forward` normalises, x -> z, from embeddings to the latent
space; it is the inverse of the paper's generative map :math:`u = f_\phi(z)` (section 3.2). Each
part gives its `ladj` too, the logarithm of the absolute determinant of the Jacobian of the map just
applied; that of a composition is their sum. A flow step is an ActNorm, a permutation and a
coupling; only the ActNorm (and an affine coupling, or a linear map) changes volumes.

References:
    On the Sentence Embeddings from Pre-trained Language Models (Li et al., 2020), "the paper".
    https://aclanthology.org/2020.emnlp-main.733/
    Glow: Generative Flow with Invertible 1x1 Convolutions (Kingma & Dhariwal, 2018), "Glow".
    https://arxiv.org/abs/1807.03039
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from bertflow_core.errors import InputError, check_type
from bertflow_core.flows.config import (
    Coupling,
    GlowConfig,
    Initialization,
    Permutation,
    check_integer,
)
from bertflow_core.linalg import SCALE_FLOOR

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

    `forward` and `inverse` never change the transform's state; only `initialize` and an optimiser
    do.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import Reversal, Transform
        >>> transform: Transform = Reversal()
        >>> z, ladj = transform(torch.tensor([[1.0, 2.0]]))
        >>> z.tolist(), ladj.tolist(), transform.inverse(z)[0].tolist()
        ([[2.0, 1.0]], [0.0], [[1.0, 2.0]])
    """

    @abstractmethod
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return z, shape (N, D), and ladj = log|det dz/dx| in nats, shape (N,), of rows x."""

    @abstractmethod
    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return x, shape (N, D), and ladj = log|det dx/dz| in nats, shape (N,), of rows z."""

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Choose the start from the rows x that come in, if there is a rule; return what leaves."""
        return self.forward(x)[0]


class ActNorm(Transform):
    r"""The affine map :math:`y = (x + b) \odot \exp(3 \, logs)` of Glow, section 3.1.

    Its ladj is :math:`\sum_i 3 \, logs_i`. It starts as the identity; `initialize` makes the rows
    it is given come out with zero mean and unit variance in each feature that is not dead. A dead
    feature (constant in the data; real encoders have some) carries rounding noise only, which no
    scale may blow up.

    Args:
        n_features: D.
        unit_scale: Whether what comes in was normalised before, so that a feature is dead where its
            standard deviation is no more than 1e-6; otherwise where it is no more than 1e-6 of the
            largest one.
        generator: Draws `b` and `logs` from :math:`U(\pm\sqrt{6 / (1 + D)})`, which is the start
            that the released BERT-flow code really uses; None keeps the identity.

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
        self.b, self.logs = _zeros(n_features), _zeros(n_features)
        if generator is not None:
            bound = math.sqrt(6 / (1 + n_features))
            for parameter in (self.b, self.logs):
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def normalized(self, x: Tensor) -> Tensor:
        """Return y alone, shape (N, D): inside a coupling network no one asks for the volume."""
        return (x + self.b) * (LOGSCALE_FACTOR * self.logs).exp()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return y, shape (N, D), and ladj = sum(3 logs), shape (N,)."""
        return self.normalized(x), (LOGSCALE_FACTOR * self.logs).sum().expand(len(x))

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return z * exp(-3 logs) - b, shape (N, D), and ladj = -sum(3 logs), shape (N,)."""
        log_scale = LOGSCALE_FACTOR * self.logs
        return z * (-log_scale).exp() - self.b, -log_scale.sum().expand(len(z))

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Set b = -mean(x) and exp(3 logs) = 1 / std(x), or 1 where dead; return y."""
        # Around the first row, so that the deviation of a constant feature is exactly zero and not
        # the rounding error of its mean.
        offset = x - x[0]
        mean, std = x[0] + offset.mean(0), offset.std(0, correction=0)
        # A spread below the resolution of the numbers themselves is no spread either.
        resolution = torch.finfo(x.dtype).eps * mean.abs()
        largest = torch.ones_like(std[0]) if self.unit_scale else std.max()
        alive = std > torch.maximum(SCALE_FLOOR * largest, resolution)
        self.b.copy_(-mean)
        self.logs.copy_(torch.where(alive, -std.log() / LOGSCALE_FACTOR, 0.0))
        return self.normalized(x)


class Reversal(Transform):
    """The features in reverse order; ladj = 0.

    The released code's choice; the paper says "random permutation" (section 3.2).

    Example:
        >>> import torch
        >>> from bertflow_core.flows import Reversal
        >>> Reversal()(torch.tensor([[1.0, 2.0, 3.0]]))[0].tolist()
        [[3.0, 2.0, 1.0]]
    """

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the reversed rows, shape (N, D), and ladj = 0, shape (N,)."""
        return x.flip(1), x.new_zeros(len(x))

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return the reversed rows, shape (N, D), and ladj = 0, shape (N,)."""
        return self.forward(z)


class RandomPermutation(Transform):
    """The features in an order drawn once, as the paper says (section 3.2); ladj = 0.

    Args:
        n_features: D.
        generator: Draws the order.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import RandomPermutation
        >>> permutation = RandomPermutation(4, generator=torch.Generator().manual_seed(0))
        >>> sorted(permutation(torch.tensor([[1.0, 2.0, 3.0, 4.0]]))[0][0].tolist())
        [1.0, 2.0, 3.0, 4.0]
    """

    order: Tensor

    def __init__(self, n_features: int, *, generator: torch.Generator) -> None:
        super().__init__()
        self.register_buffer("order", torch.randperm(n_features, generator=generator))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the reordered rows, shape (N, D), and ladj = 0, shape (N,)."""
        return x[:, self.order], x.new_zeros(len(x))

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return the rows in their old order, shape (N, D), and ladj = 0, shape (N,)."""
        return z[:, self.order.argsort()], z.new_zeros(len(z))


class LULinear(Transform):
    r"""A learned linear map :math:`z = P L U x`, Glow's invertible 1x1 convolution on vectors.

    P is a fixed permutation, L unit lower triangular, U upper triangular with the diagonal
    :math:`sign \odot \exp(log\_scale)` of fixed signs, so that ladj = sum(log_scale) costs nothing
    (Glow, Eq. 10-11). The map starts as a random rotation.

    Args:
        n_features: D.
        generator: Draws the rotation.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import LULinear
        >>> rotation = LULinear(3, generator=torch.Generator().manual_seed(0))
        >>> z, ladj = rotation(torch.eye(3))
        >>> torch.allclose(z @ z.T, torch.eye(3), atol=1e-5), abs(ladj[0].item()) < 1e-5
        (True, True)
    """

    order: Tensor
    sign: Tensor

    def __init__(self, n_features: int, *, generator: torch.Generator) -> None:
        super().__init__()
        gaussian = torch.randn(n_features, n_features, generator=generator, dtype=torch.float32)
        permutation, lower, upper = torch.linalg.lu(torch.linalg.qr(gaussian).Q)
        self.register_buffer("order", permutation.argmax(1))
        self.register_buffer("sign", upper.diagonal().sign())
        self.lower = nn.Parameter(lower.tril(-1))
        self.upper = nn.Parameter(upper.triu(1))
        self.log_scale = nn.Parameter(upper.diagonal().abs().log())

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return P L U x for each row, shape (N, D), and ladj = sum(log_scale), shape (N,)."""
        lower, upper = self._factors()
        z = (x @ upper.T @ lower.T)[:, self.order]
        return z, self.log_scale.sum().expand(len(x))

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Solve P L U x = z for each row; return x, shape (N, D), and ladj, shape (N,)."""
        lower, upper = self._factors()
        y = z[:, self.order.argsort()]
        y = torch.linalg.solve_triangular(lower.T, y, upper=True, left=False, unitriangular=True)
        x = torch.linalg.solve_triangular(upper.T, y, upper=False, left=False)
        return x, -self.log_scale.sum().expand(len(z))

    def _factors(self) -> tuple[Tensor, Tensor]:
        """Return L and U, shape (D, D) each; whatever lies outside the triangles is masked away."""
        lower = self.lower.tril(-1) + torch.ones_like(self.sign).diag()
        upper = self.upper.triu(1) + (self.sign * self.log_scale.exp()).diag()
        return lower, upper


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


class _Coupling(Transform):
    """A coupling over D features: the first floor(D / 2) condition the other ceil(D / 2)."""

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
        n_outputs = self.outputs_per_feature * (n_features - self.n_inputs)
        options = {"width": width, "generator": generator, "random_start": random_start}
        self.network = CouplingNetwork(self.n_inputs, n_outputs, **options)  # type: ignore[arg-type]

    def _halves(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return x[:, : self.n_inputs], x[:, self.n_inputs :]

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Initialise the network's ActNorms; return the rows that leave, shape (N, D)."""
        self.network.initialize(self._halves(x)[0])
        return self.forward(x)[0]


class AdditiveCoupling(_Coupling):
    r"""The shift :math:`y_{1:d} = x_{1:d}, \; y_{d+1:D} = x_{d+1:D} + g_\psi(x_{1:d})`; ladj = 0.

    It is Eq. 5-8 of the paper, from NICE (Dinh et al., 2015, https://arxiv.org/abs/1410.8516).

    Args:
        n_features: D, at least 2.
        width: Hidden units of the network.
        generator: Draws the network's start.
        random_start: Whether that includes the start of the network's ActNorms.

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
    are those of the released Glow code (Glow, Table 1). Arguments are those of `AdditiveCoupling`.

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


class ComposedTransform(Transform):
    r"""The composition :math:`f_K \circ \dots \circ f_1` (Appendix A), whose ladj add up.

    Args:
        transforms: f_1 to f_K, in the order in which `forward` applies them.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import ActNorm, ComposedTransform, Reversal
        >>> both = ComposedTransform([ActNorm(2), Reversal()])
        >>> both(torch.tensor([[1.0, 2.0]]))[0].tolist()
        [[2.0, 1.0]]
    """

    def __init__(self, transforms: Iterable[Transform]) -> None:
        super().__init__()
        self.transforms = nn.ModuleList(transforms)

    @property
    def parts(self) -> list[Transform]:
        """f_1 to f_K."""
        return cast(list[Transform], list(self.transforms))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Apply f_1 first."""
        total = x.new_zeros(len(x))
        for part in self.parts:
            x, ladj = part(x)
            total = total + ladj
        return x, total

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Undo f_K first."""
        total = z.new_zeros(len(z))
        for part in self.parts[::-1]:
            z, ladj = part.inverse(z)
            total = total + ladj
        return z, total

    def initialize(self, x: Tensor) -> Tensor:
        """Initialise each part on what the parts before it, initialised already, make of `x`."""
        for part in self.parts:
            x = part.initialize(x)
        return x


class LeadingTransform(Transform):
    """A transform of the first n features that leaves the rest; its ladj is that of the transform.

    Args:
        transform: The bijection on R^n.
        n_leading: n, at most D.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import LeadingTransform, Reversal
        >>> LeadingTransform(Reversal(), 2)(torch.tensor([[1.0, 2.0, 3.0]]))[0].tolist()
        [[2.0, 1.0, 3.0]]
    """

    def __init__(self, transform: Transform, n_leading: int) -> None:
        super().__init__()
        self.transform = transform
        self.n_leading = n_leading

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return z, shape (N, D), and the ladj of the leading part, shape (N,)."""
        z, ladj = self.transform(x[:, : self.n_leading])
        return torch.cat([z, x[:, self.n_leading :]], dim=1), ladj

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Return x, shape (N, D), and the ladj of the leading part, shape (N,)."""
        x, ladj = self.transform.inverse(z[:, : self.n_leading])
        return torch.cat([x, z[:, self.n_leading :]], dim=1), ladj

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Initialise the transform on the leading features; return the rows, shape (N, D)."""
        leading = self.transform.initialize(x[:, : self.n_leading])
        return torch.cat([leading, x[:, self.n_leading :]], dim=1)


def build_glow(
    n_features: int, config: GlowConfig, *, generator: torch.Generator
) -> ComposedTransform:
    """Return the multi-scale Glow as one bijection on R^D, with float32 parameters on the CPU.

    The reference code splits half of the features off after each level and gives them a standard
    normal prior of their own. With that prior the whole is a single bijection with base N(0, I)
    whose level l transforms the first D // 2^l features and leaves the rest.

    Args:
        n_features: D; the last level needs two features, so at least 2^n_levels.
        config: The architecture.
        generator: Draws every start; the global random state is neither read nor changed.

    Raises:
        InputError: D is too small for that many levels.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import GlowConfig, build_glow
        >>> glow = build_glow(8, GlowConfig(), generator=torch.Generator().manual_seed(0))
        >>> x = torch.ones(2, 8)
        >>> torch.allclose(glow.inverse(glow(x)[0])[0], x)
        True
    """
    check_type(config, GlowConfig, "config", "a GlowConfig")
    check_type(generator, torch.Generator, "generator", "a torch.Generator")
    check_integer("n_features", n_features, minimum=1)
    # Shifting first keeps an absurd n_levels from making an absurd number.
    if n_features >> config.n_levels == 0:
        raise InputError(
            f"too few features for {config.n_levels} levels: expected at least "
            f"2**{config.n_levels}, got {n_features}; lower n_levels"
        )
    levels: list[Transform] = []
    for level in range(config.n_levels):
        n = n_features // 2**level
        steps = ComposedTransform(
            part
            for step in range(config.depth)
            for part in _step(n, config, generator, is_first=level == step == 0)
        )
        levels.append(LeadingTransform(steps, n) if level else steps)
    return ComposedTransform(levels)


def _step(
    n: int, config: GlowConfig, generator: torch.Generator, *, is_first: bool
) -> tuple[Transform, Transform, Transform]:
    """Return one step of the flow: ActNorm, permutation, coupling."""
    is_random = config.initialization is Initialization.RANDOM
    actnorm = ActNorm(n, unit_scale=not is_first, generator=generator if is_random else None)
    permutation: Transform = Reversal()
    if config.permutation is not Permutation.REVERSAL:
        kind = RandomPermutation if config.permutation is Permutation.RANDOM else LULinear
        permutation = kind(n, generator=generator)
    coupling = AffineCoupling if config.coupling is Coupling.AFFINE else AdditiveCoupling
    width = config.coupling_width
    return (
        actnorm,
        permutation,
        coupling(n, width=width, generator=generator, random_start=is_random),
    )


def _zeros(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(shape, dtype=torch.float32))


def _normal(n_rows: int, n_columns: int, generator: torch.Generator) -> nn.Parameter:
    unit = torch.randn(n_rows, n_columns, generator=generator, dtype=torch.float32)
    return nn.Parameter(WEIGHT_STD * unit)
