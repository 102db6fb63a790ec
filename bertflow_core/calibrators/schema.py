"""What a calibrator is and which parameters it takes, as data: forms and options come from this."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bertflow_core.errors import InputError, nearest
from bertflow_core.params import Parameter, Value, parameters_of
from bertflow_core.wording import quoted

__all__ = ["CalibratorInfo", "Parameter", "Preset", "Value"]


@dataclass(frozen=True)
class Preset:
    """Named values of some parameters: `name:preset=...` in a spec; options beside it win.

    Attributes:
        name: Its name in a spec.
        help: One sentence.
        values: Each parameter's name and value; the others keep their defaults.

    Example:
        >>> from bertflow_core.calibrators import CALIBRATORS
        >>> [preset.name for preset in CALIBRATORS["flow"].presets]
        ['paper', 'released-code', 'nli']
    """

    name: str
    help: str
    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class CalibratorInfo:
    """A calibrator of the catalogue.

    Attributes:
        name: Its name in a spec.
        plain: What it does in plain English; `{k}` stands for the value of a parameter `k`.
        formula: What it does to an embedding x.
        source: Author and year.
        url: Where to read about it.
        invertible: `yes`, or why and when not.
        density: Whether `score_samples` gives a log-density, and when.
        target: `module:Class`, imported late.
        plain_if: What to say instead where a parameter has a certain value.
        options: The dataclass that declares its parameters, or None where it has none.
        presets: Its presets.
        offered: The specs that a form offers; None offers the name alone.
        seed_matters_if: The one value of a parameter under which its seed decides anything; None
            where it always does.

    Example:
        >>> from bertflow_core.calibrators import CALIBRATORS
        >>> CALIBRATORS["whiten"].formula
        'L_n^(-1/2) U_n^T (x - mean)'
        >>> CALIBRATORS["null-top-k"].plain_name({"k": "6"})
        'remove the top 6 directions'
    """

    name: str
    plain: str
    formula: str
    source: str
    url: str
    invertible: str
    density: str
    target: str
    plain_if: Mapping[tuple[str, Value], str] = field(default_factory=dict)
    options: type | None = None
    presets: tuple[Preset, ...] = ()
    seed_matters_if: tuple[str, Value] | None = None
    offered: tuple[str, ...] | None = None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters, in the order of a form."""
        declared = () if self.options is None else parameters_of(self.options)
        return tuple(replace(each, owner=self.name) for each in declared)

    @property
    def has_density(self) -> bool:
        """Whether `score_samples` gives a log-density of the rows, wherever it is invertible."""
        return self.density != "no"

    @property
    def offered_specs(self) -> tuple[str, ...]:
        """The specs that a form offers."""
        return (self.name,) if self.offered is None else self.offered

    def plain_name(self, options: Mapping[str, str]) -> str:
        """Say in plain English what it does with the options of a spec.

        An option that the sentence does not name follows in brackets, unless it is the default.

        Raises:
            InputError: As `parse`.
        """
        values = self.resolve(options)
        defaults = {each.name: each.default for each in self.parameters}
        special = (text for (name, value), text in self.plain_if.items() if values[name] == value)
        text = next(special, self.plain)
        named = {name for name in values if f"{{{name}}}" in self.plain}
        changed = [name for name in options if name not in named and name != "preset"]
        remarks = [
            f"{name} {_number(values[name])}"
            for name in changed
            if "preset" in options or values[name] != defaults[name]
        ]
        if "preset" in options:
            remarks.insert(0, f"preset {options['preset']}")
        return text.format(**values) + (f" ({', '.join(remarks)})" if remarks else "")

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
        raise InputError(f"calibrator {quoted(self.name)} has no parameter {quoted(name)}: {hint}")

    def preset(self, name: str) -> Preset:
        """Return the preset called `name`, or refuse with the nearest names."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        hint = nearest(name, [preset.name for preset in self.presets])
        raise InputError(f"calibrator {quoted(self.name)} has no preset {quoted(name)}: {hint}")

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

    def resolve(self, options: Mapping[str, str]) -> dict[str, Value]:
        """Return the value of every parameter under a spec's options, defaults included.

        Raises:
            InputError: As `parse`.
        """
        return {each.name: each.default for each in self.parameters} | self.parse(options)

    def check(self, values: Mapping[str, Any]) -> None:
        """Refuse values out of their ranges; other keywords are ignored."""
        for parameter in self.parameters:
            if parameter.name in values:
                parameter.check(values[parameter.name])


def _number(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
