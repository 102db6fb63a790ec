"""Glow on vectors: the invertible map of BERT-flow and its density.

Its parts, and the papers cited here, are in `transforms`.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from bertflow_core.arguments import checked
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.flows.config import ONE_THREAD, GlowConfig
from bertflow_core.flows.transforms import ActNorm, AdditiveCoupling, Permutation, Transform
from bertflow_core.wording import quoted


class Flow(nn.Module):
    r"""The density :math:`\log p(x) = \log N(z; 0, I) + \log|\det dz/dx|` with z = f(x) (Eq. 4).

    f is a multi-scale Glow. Each level has `depth` flow steps of an ActNorm, a permutation and a
    coupling. The reference code splits half of the features off after each level and gives them a
    standard normal prior of their own (Glow, 3.6). With that prior the whole is one bijection on
    R^D with base N(0, I). The first level maps all features. Each further level maps the first half
    of the features that the level before mapped, and leaves the rest in place. (The reference moves
    the split-off features to the end; no cosine, distance or density depends on their order.)

    Equal seeds give equal initial parameters on every device and in every dtype.

    Args:
        n_features: D, at least 2^n_levels.
        glow: The architecture.
        seed: Seed of the random initialization.
        dtype: dtype of the parameters, float32 or float64.

    Raises:
        InputError: D is too small for the number of levels, or the dtype is neither of the two.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import Flow, GlowConfig
        >>> flow, x = Flow(4, GlowConfig(), seed=0), torch.ones(3, 4)
        >>> torch.allclose(flow.from_latent(flow.to_latent(x)), x), flow.log_prob(x).shape
        (True, torch.Size([3]))
    """

    @checked
    def __init__(
        self,
        n_features: int,
        glow: GlowConfig,
        *,
        seed: int = 0,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        super().__init__()
        if dtype not in (torch.float32, torch.float64):
            raise InputError(
                f"wrong dtype: expected torch.float32 or float64, got {dtype}; use one of them"
            )
        if n_features >> glow.n_levels == 0:
            raise InputError(
                f"too few features for {glow.n_levels} levels: expected at least "
                f"2**{glow.n_levels}, got {n_features}; lower n_levels"
            )
        self.n_features, self.glow, self.seed = n_features, glow, seed
        draws = torch.Generator().manual_seed(seed)
        is_random = glow.initialization == "random"
        self.levels = nn.ModuleList()
        for level in range(glow.n_levels):
            n, parts = n_features >> level, nn.ModuleList()
            for step in range(glow.depth):
                follows = bool(level or step)
                parts.append(ActNorm(n, unit_scale=follows, generator=draws if is_random else None))
                parts.append(Permutation(n, draws if glow.permutation == "random" else None))
                width = glow.coupling_width
                parts.append(AdditiveCoupling(n, width, draws, random_start=is_random))
            self.levels.append(parts)
        self.to(dtype)

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the parameters and of the rows."""
        return next(self.parameters()).dtype

    @property
    def has_loops(self) -> bool:
        """Whether `compiled` supports this flow: float32 on the CPU, with narrow networks."""
        parameter, width = next(self.parameters()), self.glow.coupling_width
        is_plain = parameter.device.type == "cpu" and parameter.dtype == torch.float32
        return is_plain and width * max(width, self.n_features // 2 + 1) <= ONE_THREAD // 8

    def steps(self) -> list[tuple[ActNorm, Permutation, AdditiveCoupling]]:
        """Return the flow steps of all levels."""
        found: list[Any] = [part for _, parts in self.parts() for part in parts]
        return list(zip(found[::3], found[1::3], found[2::3], strict=True))

    def parts(self) -> list[tuple[int, list[Transform]]]:
        """Return each level's number of leading features, and its transforms."""
        levels = cast("Iterable[Iterable[Transform]]", self.levels)
        return [(self.n_features >> level, [*parts]) for level, parts in enumerate(levels)]

    def log_prob(self, x: Tensor) -> Tensor:
        """Return the log-density in nats, shape (N,), of the rows `x`, shape (N, D)."""
        z, ladj = self.forward(x)
        return log_base(z) + ladj

    def log_abs_det_jacobian(self, x: Tensor) -> Tensor:
        """Return log|det dz/dx| in nats, shape (N,), at the rows `x`, shape (N, D)."""
        return self.forward(x)[1]

    def to_latent(self, x: Tensor) -> Tensor:
        """Return z, shape (N, D), for the rows `x`, shape (N, D)."""
        return self.forward(x)[0]

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return z, shape (N, D), and ladj = log|det dz/dx|, shape (N,), of rows x."""
        self._check(x)
        total = x.new_zeros(len(x))
        for n, parts in self.parts():
            h, rest = x[:, :n], x[:, n:]
            for part in parts:
                h, ladj = part(h)
                total = total + ladj
            x = torch.cat([h, rest], dim=1)
        return x, total

    def from_latent(self, z: Tensor) -> Tensor:
        """Return x, shape (N, D), for the rows `z`, shape (N, D): the inverse of `to_latent`."""
        self._check(z)
        for n, parts in self.parts()[::-1]:
            h, rest = z[:, :n], z[:, n:]
            for part in parts[::-1]:
                h = part.inverse(h)
            z = torch.cat([h, rest], dim=1)
        return z

    def _check(self, x: Tensor) -> None:
        if x.shape[1:] != (self.n_features,):  # further features would pass unchanged
            raise InputError(f"expected rows of {self.n_features} features, got {tuple(x.shape)}")

    @torch.no_grad()
    def initialize(self, x: Tensor) -> None:
        """Initialize every ActNorm from the rows `x`, shape (N, D), N >= 1.

        Each ActNorm then maps these rows to zero mean and unit variance (Glow, 3.1).
        """
        for n, parts in self.parts():
            x = x[:, :n]
            for part in parts:
                x = part.initialize(x)

    def arrays(self) -> dict[str, FloatArray]:
        """Return copies of all parameters and of the drawn permutations, by name."""
        return {name: t.numpy(force=True).copy() for name, t in self.state_dict().items()}

    @classmethod
    def from_arrays(
        cls,
        n_features: int,
        glow: GlowConfig,
        arrays: Mapping[str, FloatArray],
        *,
        seed: int = 0,
        dtype: torch.dtype = torch.float32,
    ) -> "Flow":
        """Return the flow on the CPU with these `arrays`; refuse arrays that do not fit one."""
        # No flow is made for a configuration that claims more numbers than the arrays hold.
        width = glow.coupling_width
        claimed = glow.depth * width * (n_features + glow.n_levels * width)
        present = sum(array.size for array in arrays.values())
        if claimed > present:
            raise InputError(
                f"the tensors do not fit the configuration: expected at least {claimed} numbers, "
                f"got {present}; save the flow again"
            )
        flow = cls(n_features, glow, seed=seed, dtype=dtype)
        check_arrays(arrays, {name: t.numpy() for name, t in flow.state_dict().items()})
        flow.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
        return flow


def log_base(z: Tensor) -> Tensor:
    """Return log N(z; 0, I) in nats, shape (N,), of rows z, shape (N, D)."""
    return -0.5 * (z.square().sum(1) + z.shape[1] * math.log(2 * math.pi))


def check_arrays(arrays: Mapping[str, FloatArray], expected: Mapping[str, FloatArray]) -> None:
    """Refuse arrays whose names, shapes, dtypes or kinds of values differ from a flow's state."""
    wanted, given = (
        {name: f"{array.dtype}{list(array.shape)}" for name, array in each.items()}
        for each in (expected, arrays)
    )
    for name in sorted(wanted.keys() | given.keys()):
        if wanted.get(name) != given.get(name):
            raise InputError(
                f"tensor {quoted(name)} does not fit the configuration: expected "
                f"{wanted.get(name, 'none')}, got {given.get(name, 'none')}; save the flow again"
            )
        array, is_order = arrays[name], arrays[name].dtype.kind != "f"
        is_whole = np.sort(array) == np.arange(len(array)) if is_order else np.isfinite(array)
        if not is_whole.all():
            raise InputError(
                f"tensor {quoted(name)} is damaged: expected finite numbers or a permutation "
                "of features, got other values; save the flow again"
            )
