"""Numbers that the environment sets, such as bounds in gigabytes."""

import os

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

__all__ = ["gigabytes", "positive_number"]

_MOST = 1e6


def positive_number(variable: str, default: float, unit: str) -> float:
    """Return the number that a variable of the environment holds, or `default` where it is unset.

    Raises:
        InputError: It is no number above 0, or a million or more.
    """
    named = os.environ.get(variable)
    if not named:
        return default
    try:
        value = float(named)
    except ValueError:
        value = -1.0
    if not 0 < value < _MOST:
        raise InputError(f"{variable} must be a number of {unit} above 0, got {quoted(named)}")
    return value


def gigabytes(variable: str, default: float) -> int:
    """Return the bytes of the gigabytes that a variable holds, or of `default` gigabytes.

    Raises:
        InputError: It is no number above 0.
    """
    return int(positive_number(variable, default, "gigabytes") * (1 << 30))
