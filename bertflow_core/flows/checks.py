"""Checks of configurations and rows, with one sentence for each failure."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from bertflow_core.errors import InputError, wrong_type
from bertflow_core.hyperparameters import parameters_of
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch

    from bertflow_core.linalg import FloatArray

__all__ = ["check_choice", "check_integer", "check_options", "check_rows"]

MAX_INTEGER = 2**63 - 1

Choice = TypeVar("Choice", bound=StrEnum)


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


def check_choice(kind: type[Choice], name: str, value: object) -> Choice:
    """Return the member of `kind` that `value` names; `name` is the option in the message."""
    _check_name(name, value, [member.value for member in kind])
    return kind(str(value))


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
