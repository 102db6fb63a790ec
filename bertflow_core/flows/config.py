"""The options of a flow and of its fit; light, so that forms and commands can list them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from bertflow_core.errors import InputError, wrong_type
from bertflow_core.params import param, parameters_of
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch

    from bertflow_core.linalg import FloatArray

MAX_INTEGER = 2**63 - 1


class Coupling(StrEnum):
    """How a coupling changes the second half of the features.

    Example:
        >>> from bertflow_core.flows import Coupling
        >>> [*map(str, Coupling)]
        ['additive', 'affine']
    """

    ADDITIVE = "additive"
    AFFINE = "affine"


class Permutation(StrEnum):
    """How a step mixes the features before its coupling.

    Example:
        >>> from bertflow_core.flows import Permutation
        >>> [*map(str, Permutation)]
        ['reversal', 'random', 'linear']
    """

    REVERSAL = "reversal"
    RANDOM = "random"
    LINEAR = "linear"


class Initialization(StrEnum):
    """Where ActNorm starts: from data, as Glow says, or at random, as the released code does.

    Example:
        >>> from bertflow_core.flows import Initialization
        >>> [*map(str, Initialization)]
        ['data', 'random']
    """

    DATA = "data"
    RANDOM = "random"


@dataclass(frozen=True)
class GlowConfig:
    """The architecture of a flow; the defaults are the paper's (section 3.2, Table 7).

    The paper does not say where ActNorm starts; from data, as in Glow, whose design it follows.

    Strings are accepted for the three choices, so that `GlowConfig(**json)` works.

    Raises:
        InputError: A count below 1 or an unknown name.

    Example:
        >>> from bertflow_core.flows import GlowConfig
        >>> GlowConfig(depth=2, coupling="affine").coupling.value
        'affine'
    """

    n_levels: int = param(
        2,
        "Levels of the flow; level l = 0, 1, ... transforms the first D / 2^l features.",
        low=1,
        high=8,
        tried=(1, 2, 3, 4),
    )
    depth: int = param(
        3,
        "Steps per level, each an ActNorm, a permutation and a coupling.",
        low=1,
        high=32,
        tried=(1, 2, 3, 5, 8),
    )
    coupling_width: int = param(
        32,
        "Width of a coupling, in hidden units of its network.",
        low=1,
        high=1024,
        tried=(8, 16, 32, 64, 128),
    )
    coupling: Coupling = param(
        Coupling.ADDITIVE, "Form of the coupling.", choices=("additive", "affine")
    )
    permutation: Permutation = param(
        Permutation.RANDOM,
        "How features are mixed between couplings: in one random order per step, reversed, or by a "
        "learned linear map.",
        choices=("random", "reversal", "linear"),
    )
    initialization: Initialization = param(
        Initialization.DATA,
        "Start of the ActNorms: from data, or random as in the released code.",
        choices=("data", "random"),
    )

    def __post_init__(self) -> None:
        check_options(self)
        for name, kind in _CHOICES.items():
            object.__setattr__(self, name, kind(str(getattr(self, name))))

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "GlowConfig":
        """Return the configuration that `dataclasses.asdict` or JSON made `values` from.

        Raises:
            InputError: A name that is no field, or a value that the field does not take.
        """
        names = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - names)
        if unknown:
            raise InputError(
                f"unknown flow options: expected some of {sorted(names)}, got {unknown}; "
                "remove these"
            )
        return cls(**values)


_CHOICES: dict[str, type[StrEnum]] = {
    "coupling": Coupling,
    "permutation": Permutation,
    "initialization": Initialization,
}


@dataclass(frozen=True)
class TrainingConfig:
    """How a flow is fitted; the defaults are the paper's (Appendix B): Adam for one epoch.

    The paper does not name the batch, which is the released code's. That code decays the weights,
    clips the gradient and does not correct the bias of Adam's moments, which makes its first few
    hundred steps 2 to 6.5 times as long at the same learning rate. On development pairs none of the
    three helps (`python -m benchmarks.optimisers`), so that the defaults have none of them.

    Raises:
        InputError: A value out of its range.

    Example:
        >>> from bertflow_core.flows import TrainingConfig
        >>> TrainingConfig(epochs=2).n_steps(1000)  # 15 whole batches of 64, twice
        30
    """

    lr: float = param(
        1e-3,
        "Learning rate of Adam, constant.",
        low=0,
        high=1,
        above_low=True,
        tried=(1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2),
    )
    # Few steps are the method's regulariser: training far longer raises the likelihood and lowers
    # the agreement with people.
    epochs: float = param(
        1.0,
        "Passes over the fit corpus; a fraction is allowed.",
        low=0,
        high=1000,
        above_low=True,
        tried=(0.1, 0.3, 1, 3, 10),
    )
    batch_size: int = param(  # the reference takes 32 pairs of sentences
        64,
        "Sentences per step, at most N; a last partial batch is left out.",
        low=2,
        high=65_536,
        tried=(16, 32, 64, 128, 256),
    )
    weight_decay: float = param(
        0.0, "Decoupled weight decay on every weight; above 0, Adam is AdamW.", low=0, high=1
    )
    clip_norm: float | None = param(
        None, "Largest global gradient norm; none clips nothing.", low=0, high=1e6, above_low=True
    )
    bias_correction: bool = True
    initialization_rows: int = param(
        64, "Rows, at most N, that the start from data is computed from.", low=1
    )
    seed: int = param(0, "Decides the random starts and the order of the rows.", low=0)

    def __post_init__(self) -> None:
        check_options(self)

    def n_steps(self, n_rows: int) -> int:
        """Return the steps of a fit on `n_rows` rows: whole batches times epochs, at least one."""
        return max(1, int(n_rows // min(self.batch_size, n_rows) * self.epochs))


def check_options(config: object) -> None:
    """Refuse a configuration with a value below its declared range or an unknown choice.

    The upper ends of the ranges bound what a spec may ask for; in Python they may be exceeded.
    """
    for option in parameters_of(type(config)):
        value = getattr(config, option.name)
        if value is None and option.default is None:
            continue
        if option.choices:
            _check_name(option.name, value, option.choices)
        elif option.kind is int:
            check_integer(option.name, value, minimum=int(option.low or 0))
        else:
            _check_number(option.name, value, zero_allowed=not option.above_low)


def _check_name(name: str, value: object, choices: Sequence[str]) -> None:
    if str(value) not in choices:
        valid = ", ".join(map(repr, choices))
        raise InputError(
            f"unknown {name}: expected one of {valid}, got {quoted(value)}; use one of these names"
        )


def check_integer(name: str, value: object, *, minimum: int) -> int:
    """Return `value`, an integer from `minimum` to the largest that 64 bits hold."""
    is_bool = isinstance(value, bool)
    if isinstance(value, int) and not is_bool and minimum <= value <= MAX_INTEGER:
        return value
    raise InputError(
        f"{name} is out of range: expected an integer of at least {minimum}, got {quoted(value)}; "
        f"set {name} accordingly"
    )


def _check_number(name: str, value: object, *, zero_allowed: bool) -> None:
    """Refuse a `value` that is not a finite number above zero, or zero where that is allowed."""
    is_bool = isinstance(value, bool)
    if isinstance(value, int | float) and not is_bool and math.isfinite(value):
        if value > 0 or (zero_allowed and value == 0):
            return
    bound = "of at least 0" if zero_allowed else "above 0"
    raise InputError(
        f"{name} is out of range: expected a finite number {bound}, got {quoted(value)}; "
        f"set {name} accordingly"
    )


def check_rows(
    x: "torch.Tensor | FloatArray",
    *,
    n_features: int | None = None,
    dtype: "torch.dtype | None" = None,
) -> None:
    """Refuse an `x` that is not of shape (N, D), with the D and the dtype given, where given."""
    if not hasattr(x, "ndim") or not hasattr(x, "dtype"):
        raise wrong_type(x, "rows", "a torch tensor of shape (N, D)")
    if x.ndim != 2 or n_features not in (None, x.shape[1]):
        raise InputError(
            f"wrong shape: expected (N, {n_features or 'D'}), got {tuple(x.shape)}; "
            "pass one row for each sentence, from the encoder that the flow was fitted on"
        )
    if dtype not in (None, x.dtype):
        raise InputError(f"wrong dtype: expected {dtype}, got {x.dtype}; convert the rows")
