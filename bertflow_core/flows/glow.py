"""Glow on vectors: how its steps are arranged over several scales."""

import torch
from torch import Tensor

from bertflow_core.errors import InputError, check_type
from bertflow_core.flows.actnorm import ActNorm
from bertflow_core.flows.base import ComposedTransform, Transform
from bertflow_core.flows.checks import check_integer
from bertflow_core.flows.config import Coupling, GlowConfig, Initialization, Permutation
from bertflow_core.flows.coupling import AdditiveCoupling, AffineCoupling
from bertflow_core.flows.permutation import LULinear, RandomPermutation, Reversal

__all__ = ["LeadingTransform", "build_glow"]


_COUPLINGS = {Coupling.ADDITIVE: AdditiveCoupling, Coupling.AFFINE: AffineCoupling}


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
    _check_size(n_features, config.n_levels)
    levels: list[Transform] = []
    for level in range(config.n_levels):
        n_leading = n_features // 2**level
        steps = ComposedTransform(
            part
            for step in range(config.depth)
            for part in _step(n_leading, config, generator, is_first=level == step == 0)
        )
        levels.append(LeadingTransform(steps, n_leading) if level else steps)
    return ComposedTransform(levels)


def _check_size(n_features: int, n_levels: int) -> None:
    check_integer("n_features", n_features, minimum=1)
    # Shifting first keeps an absurd n_levels from making an absurd number.
    if n_features >> n_levels == 0:
        raise InputError(
            f"too few features for {n_levels} levels: expected at least 2**{n_levels}, "
            f"got {n_features}; lower n_levels"
        )


def _step(
    n_features: int, config: GlowConfig, generator: torch.Generator, *, is_first: bool
) -> tuple[Transform, Transform, Transform]:
    """Return one step of the flow: ActNorm, permutation, coupling."""
    random_start = config.initialization is Initialization.RANDOM
    return (
        ActNorm(n_features, unit_scale=not is_first, generator=generator if random_start else None),
        _permutation(n_features, config.permutation, generator),
        _COUPLINGS[config.coupling](
            n_features,
            width=config.coupling_width,
            generator=generator,
            random_start=random_start,
        ),
    )


def _permutation(n_features: int, kind: Permutation, generator: torch.Generator) -> Transform:
    if kind is Permutation.REVERSAL:
        return Reversal()
    if kind is Permutation.RANDOM:
        return RandomPermutation(n_features, generator=generator)
    return LULinear(n_features, generator=generator)
