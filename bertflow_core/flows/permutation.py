"""Maps that mix the features, so that each conditions in some couplings and changes in others."""

import torch
from torch import Tensor, nn

from bertflow_core.flows.base import Transform

__all__ = ["LULinear", "RandomPermutation", "Reversal"]


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
        return z.flip(1), z.new_zeros(len(z))


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
    (Eq. 10-11 of Kingma & Dhariwal, 2018). The map starts as a random rotation.

    Args:
        n_features: D.
        generator: Draws the rotation.

    References:
        Glow: Generative Flow with Invertible 1x1 Convolutions (Kingma & Dhariwal, 2018),
        section 3.2. https://arxiv.org/abs/1807.03039

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
