"""Parameters, declared once: a dataclass field with its help and its range.

Specs, the catalogue, the command line, the app's forms and the documentation read these.
"""

import math
import re
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from numbers import Integral, Real
from types import NoneType
from typing import Any, get_args

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

__all__ = ["Parameter", "Value", "parameter", "parameters_of", "same_parameter"]

Value = int | float | str | None

_KEY = "parameter"


@dataclass(frozen=True)
class Parameter:
    """One hyper-parameter.

    Attributes:
        name: Its keyword.
        kind: `int`, `float` or `str`.
        default: Its default; None, where allowed, means what `help` says.
        help: One sentence.
        low: Smallest value, or None.
        high: Largest value, or None.
        choices: The valid texts of a `str`.
        above_low: Whether `low` itself is excluded.
        tried: Values worth trying, rising.
        owner: What it is a parameter of, for errors; empty where they need not say.

    Example:
        >>> from bertflow_core.calibrators import CALIBRATORS
        >>> CALIBRATORS["null-top-k"].parameter("k").expected
        'a whole number from 0 to 100000'
    """

    name: str
    kind: type
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    above_low: bool = False
    tried: tuple[int | float, ...] = ()
    owner: str = ""

    @property
    def label(self) -> str:
        """What it is in a few words, and its name: its help up to the first comma or semicolon."""
        return f"{re.split('[,;.]', self.help, maxsplit=1)[0]} ({self.name})"

    @property
    def expected(self) -> str:
        """Say what values are valid, for forms and errors."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = "a whole number" if self.kind is int else "a number"
        low = "" if self.low is None else f" {'above' if self.above_low else 'from'} {self.low:g}"
        high = "" if self.high is None else f" to {self.high:g}"
        none = ", or none" if self.default is None else ""
        return f"{kind}{low}{high}{none}"

    def parse(self, text: str) -> Value:
        """Read the value from text; `none` is None where the default is.

        Raises:
            InputError: Not a valid value.
        """
        if self.default is None and text.lower() == "none":
            return None
        try:
            value: Value = self.kind(text)
        except ValueError:
            value = text
        self.check(value)
        return value

    def check(self, value: object) -> None:
        """Refuse a value that is not valid."""
        if not self.is_valid(value):
            name = f"{self.owner}: {self.name}" if self.owner else self.name
            raise InputError(f"{name} must be {self.expected}, got {quoted(value)}")

    def is_valid(self, value: object) -> bool:
        """Tell whether the parameter can have a value."""
        if value is None:
            return self.default is None
        if self.choices:
            return value in self.choices
        if isinstance(value, bool) or not isinstance(value, Integral if self.kind is int else Real):
            return False
        number = float(value)
        low, high = self.low, self.high
        return (
            math.isfinite(number)
            and (low is None or (number > low if self.above_low else number >= low))
            and (high is None or number <= high)
        )


def parameter(default: Value, help: str, **limits: Any) -> Any:  # noqa: ANN401 - a field
    """Declare a field of a dataclass as a hyper-parameter.

    Args:
        default: Its default.
        help: One sentence.
        limits: `low`, `high`, `above_low`, `choices` and `tried` of `Parameter`.
    """
    return field(default=default, metadata={_KEY: {"help": help, **limits}})


def same_parameter(config: type, name: str) -> Any:  # noqa: ANN401 - a field
    """Declare a field with the default, the help and the range of another dataclass's field."""
    (one,) = (each for each in fields(config) if each.name == name)
    return field(default=_plain(one.default), metadata=one.metadata)


def parameters_of(config: type) -> tuple[Parameter, ...]:
    """Return the hyper-parameters that a dataclass declares; none for any other class."""
    if not hasattr(config, "__dataclass_fields__"):
        return ()
    return tuple(
        Parameter(each.name, _kind(each.type), _plain(each.default), **each.metadata[_KEY])
        for each in fields(config)
        if _KEY in each.metadata
    )


def _plain(default: Any) -> Value:  # noqa: ANN401 - whatever a field holds
    if default is MISSING:
        raise TypeError("a hyper-parameter needs a default")
    value: Value = default.value if isinstance(default, StrEnum) else default
    return value


def _kind(annotation: Any) -> type:  # noqa: ANN401 - a type, or a union with None
    (kind,) = [each for each in get_args(annotation) if each is not NoneType] or [annotation]
    return str if issubclass(kind, str) else kind
