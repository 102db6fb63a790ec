"""What a calibrator is and which parameters it takes, as data: forms and options come from this."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bertflow_core.errors import InputError, nearest

__all__ = ["CalibratorInfo", "Parameter", "Preset", "Value"]

Value = int | float | str | None


@dataclass(frozen=True)
class Parameter:
    """One parameter of a calibrator.

    Attributes:
        name: Its keyword.
        kind: `int`, `float` or `str`.
        default: Its default; None, where allowed, means what `help` says.
        help: One sentence.
        low: Smallest value, or None.
        high: Largest value, or None.
        choices: The valid texts of a `str`.
        above_low: Whether `low` itself is excluded.
    """

    name: str
    kind: type
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    above_low: bool = False

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
        """Refuse, with one sentence, a value that is not valid."""
        if value is None and self.default is None:
            return
        if not self._is_valid(value):
            raise InputError(f"{self.name} must be {self.expected}, got {value!r}")

    def _is_valid(self, value: object) -> bool:
        if self.choices:
            return value in self.choices
        if isinstance(value, bool) or not hasattr(
            value, "__index__" if self.kind is int else "real"
        ):
            return False
        number = float(value)  # type: ignore[arg-type]
        low, high = self.low, self.high
        return (
            math.isfinite(number)
            and (low is None or (number > low if self.above_low else number >= low))
            and (high is None or number <= high)
        )


@dataclass(frozen=True)
class Preset:
    """Named values of some parameters: `name:preset=...` in a spec; options beside it win.

    Attributes:
        name: Its name in a spec.
        help: One sentence.
        values: Each parameter's name and value; the others keep their defaults.
    """

    name: str
    help: str
    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class CalibratorInfo:
    """A calibrator of the catalogue.

    Attributes:
        name: Its name in a spec.
        title: Its name for people.
        formula: What it does to an embedding x.
        source: Author and year.
        url: Where to read about it.
        invertible: `yes`, or why and when not.
        density: Whether `score_samples` gives a log-density, and when.
        target: `module:Class`, imported late.
        parameters: Its parameters, in the order of a form.
        presets: Its presets.
        seed_matters_if: The one value of a parameter under which its seed decides anything; None
            where it always does.
    """

    name: str
    title: str
    formula: str
    source: str
    url: str
    invertible: str
    density: str
    target: str
    parameters: tuple[Parameter, ...] = ()
    presets: tuple[Preset, ...] = ()
    seed_matters_if: tuple[str, Value] | None = None

    def takes_seed(self, values: Mapping[str, Value]) -> bool:
        """Tell whether a seed from outside decides what it becomes with these parameters."""
        if all(parameter.name != "seed" for parameter in self.parameters):
            return False
        if values.get("seed") is not None:
            return False
        if self.seed_matters_if is None:
            return True
        name, value = self.seed_matters_if
        return values.get(name, self.parameter(name).default) == value

    def parameter(self, name: str) -> Parameter:
        """Return the parameter called `name`, or refuse with the nearest names."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        names = [parameter.name for parameter in self.parameters]
        hint = nearest(name, names) if names else "it takes no parameters"
        raise InputError(f"calibrator {self.name!r} has no parameter {name!r}: {hint}")

    def preset(self, name: str) -> Preset:
        """Return the preset called `name`, or refuse with the nearest names."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        hint = nearest(name, [preset.name for preset in self.presets])
        raise InputError(f"calibrator {self.name!r} has no preset {name!r}: {hint}")

    def parse(self, options: Mapping[str, str]) -> dict[str, Value]:
        """Read a spec's options; those of a `preset` come first and yield to the others.

        Raises:
            InputError: An unknown option or preset, or a value that is not valid.
        """
        values: dict[str, Value] = {}
        for key, text in options.items():
            if key == "preset" and self.presets:
                values = {**dict(self.preset(text).values), **values}
            else:
                values[key] = self.parameter(key).parse(text)
        return values

    def check(self, values: Mapping[str, Any]) -> None:
        """Refuse values out of their ranges; keywords that are no parameters are not looked at."""
        for parameter in self.parameters:
            if parameter.name in values:
                parameter.check(values[parameter.name])
