"""A density on R^D: a standard normal seen through a Glow; saving and loading."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bertflow_core.errors import InputError, check_type
from bertflow_core.files import check_saved, read_saved, write_saved
from bertflow_core.flows.config import (
    Coupling,
    GlowConfig,
    Permutation,
    check_integer,
    check_rows,
)
from bertflow_core.flows.glow import (
    ActNorm,
    AdditiveCoupling,
    AffineCoupling,
    LeadingTransform,
    Transform,
    build_glow,
)
from bertflow_core.wording import quoted

FORMAT = "bertflow-flow-1"
"""Marks the configuration of a saved flow; it changes when an older flow could not be read."""

AnyCoupling = AdditiveCoupling | AffineCoupling

DTYPES = {"float32": torch.float32, "float64": torch.float64}


class Flow(nn.Module):
    r"""The density :math:`\log p(x) = \log N(z; 0, I) + \log|\det dz/dx|` with z = forward(x).

    This is Eq. 4 of Li et al. (2020). The flow is made on the CPU from float32 draws, so that one
    seed gives one start on every device and in every dtype.

    Args:
        n_features: D.
        glow: The architecture.
        seed: Decides every drawn start; the global random state is neither read nor changed.
        dtype: Of the parameters, float32 or float64.

    Raises:
        InputError: D is too small for the number of levels, or another dtype.

    References:
        On the Sentence Embeddings from Pre-trained Language Models (Li et al., 2020), section 3.2.
        https://aclanthology.org/2020.emnlp-main.733/

    Example:
        >>> import torch
        >>> from bertflow_core.flows import Flow, GlowConfig
        >>> flow = Flow(4, GlowConfig(), seed=0)
        >>> flow.log_prob(torch.zeros(3, 4)).shape
        torch.Size([3])
    """

    def __init__(
        self,
        n_features: int,
        glow: GlowConfig,
        *,
        seed: int = 0,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        super().__init__()
        check_integer("seed", seed, minimum=0)
        check_type(glow, GlowConfig, "glow", "a GlowConfig")
        if dtype not in DTYPES.values():
            raise InputError(f"wrong dtype: expected one of {list(DTYPES)}, got {dtype}; use one")
        self.n_features = n_features
        self.glow = glow
        self.seed = seed
        generator = torch.Generator().manual_seed(seed)
        self.transform = build_glow(n_features, glow, generator=generator).to(dtype)

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the parameters, and so of the rows to pass."""
        return next(self.parameters()).dtype

    @property
    def numpy_dtype(self) -> np.dtype[np.floating[Any]]:
        """Their dtype in numpy."""
        return np.dtype(str(self.dtype).removeprefix("torch."))

    @property
    def is_compiled(self) -> bool:
        """Whether `compiled` knows this flow: float32 on the CPU, additive, of narrow networks.

        Its permutations only reorder features. A product with the weights of a network for eight
        rows is one thread's work for BLAS; those of wider ones torch shares out as well.
        """
        parameter, glow = next(self.parameters()), self.glow
        return (
            (parameter.device.type, parameter.dtype) == ("cpu", torch.float32)
            and glow.coupling is Coupling.ADDITIVE
            and glow.permutation is not Permutation.LINEAR
            and glow.coupling_width * max(glow.coupling_width, self.n_features // 2 + 1) <= 1 << 16
        )

    def steps(self) -> list[tuple[ActNorm, Transform, AnyCoupling]]:
        """Return the flow steps, of all levels: an ActNorm, a permutation and a coupling each."""
        parts: list[Any] = []
        for level in self.transform.parts:
            inner: Any = level.transform if isinstance(level, LeadingTransform) else level
            parts += inner.parts
        return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))

    def log_prob(self, x: Tensor) -> Tensor:
        """Return the log-density in nats, shape (N,), of the rows `x`, shape (N, D)."""
        z, ladj = self._normalized(x)
        log_base = -0.5 * (z.square().sum(1) + self.n_features * math.log(2 * math.pi))
        return log_base + ladj

    def log_abs_det_jacobian(self, x: Tensor) -> Tensor:
        """Return log|det dz/dx| in nats, shape (N,), at the rows `x`, shape (N, D)."""
        return self._normalized(x)[1]

    def to_latent(self, x: Tensor) -> Tensor:
        """Return z, shape (N, D), for the rows `x`, shape (N, D).

        The features of a later level keep their places, while the reference code puts them last;
        no cosine, distance or density depends on that order.
        """
        return self._normalized(x)[0]

    def from_latent(self, z: Tensor) -> Tensor:
        """Return x, shape (N, D), for the rows `z`, shape (N, D): the inverse of `to_latent`."""
        check_rows(z, n_features=self.n_features, dtype=self.dtype)
        return self.transform.inverse(z)[0]

    @torch.no_grad()
    def sample(self, n: int, generator: torch.Generator) -> Tensor:
        """Return `n` rows of the density, shape (n, D), made from normal draws of `generator`."""
        check_integer("n", n, minimum=0)
        shape, device = (n, self.n_features), next(self.parameters()).device
        z = torch.randn(shape, generator=generator, device=generator.device, dtype=self.dtype)
        return self.from_latent(z.to(device))

    def initialize(self, x: Tensor) -> None:
        """Give every ActNorm its data-dependent start from the rows `x`, shape (N, D), N >= 1.

        Each one then sends these rows out with zero mean and unit variance (section 3.1 of Kingma &
        Dhariwal, 2018).
        """
        check_rows(x, n_features=self.n_features, dtype=self.dtype)
        self.transform.initialize(x)

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return all that the flow is: a configuration for JSON, and its named arrays."""
        config = {
            "format": FORMAT,
            "n_features": self.n_features,
            "seed": self.seed,
            "dtype": str(self.dtype).removeprefix("torch."),
            "glow": asdict(self.glow),
        }
        arrays = {name: t.numpy(force=True).copy() for name, t in self.state_dict().items()}
        return config, arrays

    @classmethod
    def from_state(cls, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Flow":
        """Return the flow, on the CPU, that `state` described; equal to it bit for bit.

        Raises:
            InputError: A configuration that is not one of ours, or arrays that do not fit it.
        """
        flow = _built(config, arrays)
        _check_arrays(arrays, flow.state_dict())
        flow.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
        return flow

    def save(self, path: Path) -> Path:
        """Write the flow as one file, replacing one saved there before, and return its path.

        Raises:
            InputError: The file exists and is something else.
            ResourceError: The disk refused.
        """
        check_saved(path, force=True)
        return write_saved(path, *self.state())

    @classmethod
    def load(cls, path: Path) -> "Flow":
        """Read what `save` wrote, as `from_state` does.

        Raises:
            InputError: It is no saved flow, or its arrays contradict its configuration.
        """
        config, arrays = read_saved(path)
        try:
            return cls.from_state(config, arrays)
        except InputError as error:
            raise InputError(f"{quoted(path)} holds no valid flow: {error}") from error

    def _normalized(self, x: Tensor) -> tuple[Tensor, Tensor]:
        check_rows(x, n_features=self.n_features, dtype=self.dtype)
        return self.transform.forward(x)


def _built(config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Flow:
    """Return a flow as `config` describes it, with starting parameters."""
    if config.get("format") != FORMAT or config.get("dtype") not in list(DTYPES):
        raise InputError(
            f"wrong kind of file: expected format {quoted(FORMAT)} with a dtype of {list(DTYPES)}, "
            f"got {quoted(config.get('format'))} with {quoted(config.get('dtype'))}; save the flow "
            "again"
        )
    n_features = check_integer("n_features", config.get("n_features"), minimum=1)
    seed = check_integer("seed", config.get("seed"), minimum=0)
    options = config.get("glow")
    if not isinstance(options, Mapping):
        raise InputError(
            f"wrong flow options: expected an object, got {quoted(options)}; save it again"
        )
    glow = GlowConfig.from_mapping(options)
    _check_size(n_features, glow, arrays)
    return Flow(n_features, glow, seed=seed, dtype=DTYPES[config["dtype"]])


def _check_size(n_features: int, glow: GlowConfig, arrays: Mapping[str, np.ndarray]) -> None:
    """Refuse a configuration that claims more numbers than there are, before making room."""
    width, is_linear = glow.coupling_width, glow.permutation is Permutation.LINEAR
    first_level = n_features * (width + n_features * is_linear)
    claimed = glow.depth * (first_level + glow.n_levels * width**2)
    present = sum(array.size for array in arrays.values())
    if claimed > present:
        raise InputError(
            f"the tensors do not fit the configuration: expected at least {claimed} numbers, "
            f"got {present}; save the flow again"
        )


def _check_arrays(arrays: Mapping[str, np.ndarray], expected: Mapping[str, Tensor]) -> None:
    """Refuse arrays of other names, shapes, dtypes or kinds of values than a flow's state has."""
    wanted = {name: _signature(tensor.numpy()) for name, tensor in expected.items()}
    given = {name: _signature(array) for name, array in arrays.items()}
    for name in sorted(wanted.keys() | given.keys()):
        if wanted.get(name) != given.get(name):
            raise InputError(
                f"tensor {quoted(name)} does not fit the configuration: expected "
                f"{wanted.get(name, 'none')}, got {given.get(name, 'none')}; save the flow again"
            )
        if not _is_valid(arrays[name]):
            raise InputError(
                f"tensor {quoted(name)} is damaged: expected finite numbers or an order of "
                "features, got other values; save the flow again"
            )


def _signature(array: np.ndarray) -> str:
    return f"{array.dtype}{list(array.shape)}"


def _is_valid(array: np.ndarray) -> bool:
    if array.dtype.kind == "f":
        return bool(np.isfinite(array).all())
    return bool((np.sort(array) == np.arange(len(array))).all())
