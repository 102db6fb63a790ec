"""A flow of the library zuko with the interface of our own; apart, since it needs torch at once."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray

__all__ = ["ZukoFlow"]


class ZukoFlow(nn.Module):
    """One of zuko's flows, with the interface of our own `Flow`.

    Args:
        make: Makes zuko's flow from the number of features.
        n_features: D.
        seed: Decides the drawn weights; the global random state is as it was afterwards.
    """

    def __init__(self, make: Callable[[int], nn.Module], n_features: int, seed: int) -> None:
        super().__init__()
        self.n_features = n_features
        with torch.random.fork_rng(devices=[]):  # zuko draws from the global state only
            torch.default_generator.manual_seed(seed)
            self.flow = make(n_features)

    def log_prob(self, x: Tensor) -> Tensor:
        """Return the log-density in nats, shape (N,), of the rows `x`, shape (N, D)."""
        log_density: Tensor = self.flow().log_prob(x)
        return log_density

    def to_latent(self, x: Tensor) -> Tensor:
        """Return z, shape (N, D), for the rows `x`, shape (N, D)."""
        z: Tensor = self._transform(x)
        return z

    def from_latent(self, z: Tensor) -> Tensor:
        """Return x, shape (N, D), for the rows `z`, shape (N, D)."""
        for transform in reversed(self._transform.transforms):
            z = _inverted(transform, z)
        return z

    def log_abs_det_jacobian(self, x: Tensor) -> Tensor:
        """Return log|det dz/dx| in nats, shape (N,), at the rows `x`, shape (N, D)."""
        ladj: Tensor = self._transform.call_and_ladj(x)[1]
        return ladj

    def take(self, arrays: Mapping[str, FloatArray]) -> None:
        """Restore saved parameters by name; masks and orders follow from the architecture.

        Raises:
            InputError: Names, shapes or values are not such a flow's.
        """
        parameters = dict(self.named_parameters())
        if set(arrays) != set(parameters):
            raise InputError(
                f"expected {len(parameters)} arrays of a flow, got {len(arrays)} others"
            )
        for name, parameter in parameters.items():
            array, shape = arrays[name], tuple(parameter.shape)
            if array.shape != shape or not np.isfinite(array).all():
                raise InputError(
                    f"array {name} has shape {array.shape}, expected finite values of {shape}"
                )
            parameter.data = torch.tensor(array, dtype=parameter.dtype)

    @property
    def _transform(self) -> Any:  # noqa: ANN401
        return self.flow().transform


def _inverted(transform: Any, y: Tensor) -> Tensor:  # noqa: ANN401
    """Undo one of zuko's transforms.

    An autoregressive one is undone in passes, each of which makes at least one more feature final.
    Zuko always makes D; a pass that changes nothing is already the last, which saves most of them.
    """
    if not hasattr(transform, "passes"):
        undone: Tensor = transform.inv(y)
        return undone
    x, before = torch.zeros_like(y), torch.full_like(y, torch.nan)
    for _ in range(transform.passes):
        if torch.equal(x, before):
            break
        x, before = transform.meta(x).inv(y), x
    return x
