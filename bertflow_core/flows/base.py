r"""Invertible maps that know how they change volume.

Direction, for the whole package: `forward` normalises, x -> z, from embeddings to the latent
space; it is the inverse of the paper's generative map :math:`u = f_\phi(z)` (section 3.2).
`ladj` is the logarithm of the absolute determinant of the Jacobian of the map just applied.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import cast

import torch
from torch import Tensor, nn

__all__ = ["ComposedTransform", "Transform"]


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
        """Normalise `x`.

        Args:
            x: Rows, shape (N, D).

        Returns:
            z of shape (N, D), and ladj = log|det dz/dx| of shape (N,) in nats.
        """

    @abstractmethod
    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Undo `forward`.

        Args:
            z: Rows, shape (N, D).

        Returns:
            x of shape (N, D), and ladj = log|det dx/dz| of shape (N,) in nats.
        """

    @torch.no_grad()
    def initialize(self, x: Tensor) -> Tensor:
        """Choose the starting parameters from data; a transform without such a rule keeps its own.

        Args:
            x: The rows that reach this transform, shape (N, D).

        Returns:
            The rows that leave it after that, shape (N, D).
        """
        return self.forward(x)[0]


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
    def _parts(self) -> list[Transform]:
        return cast(list[Transform], list(self.transforms))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Apply f_1 first."""
        total = x.new_zeros(len(x))
        for transform in self._parts:
            x, ladj = transform(x)
            total = total + ladj
        return x, total

    def inverse(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Undo f_K first."""
        total = z.new_zeros(len(z))
        for transform in self._parts[::-1]:
            z, ladj = transform.inverse(z)
            total = total + ladj
        return z, total

    def initialize(self, x: Tensor) -> Tensor:
        """Initialise each part on what the parts before it, initialised already, make of `x`."""
        for transform in self._parts:
            x = transform.initialize(x)
        return x
