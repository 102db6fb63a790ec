"""Parameters, declared once as fields of a dataclass with default, help and range.

Checks, specs, command-line options, input boxes, URLs, captions and the tables of the documentation
are derived from these fields.
"""

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from itertools import pairwise
from numbers import Integral, Real
from types import NoneType
from typing import Any, ClassVar, Self, get_args, get_origin

from bertflow_core.arguments import checked
from bertflow_core.errors import InputError, nearest
from bertflow_core.wording import quoted

Value = int | float | str | bool | tuple[int, ...] | tuple[str, ...] | None

FILES = "Files"
"""The panel of options for file paths; pages omit it, so that visitors cannot open local files."""

_KEY = "parameter"
_MAX_TEXT = 4096
_READERS: dict[type, Callable[[str], Value]] = {
    bool: {"True": True, "False": False}.get,
    tuple: lambda text: tuple(map(int, text.split(","))),
    list: lambda text: tuple(text.split(",")),
    int: int,
    float: float,
    str: str,
}


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Example:
        >>> from bertflow_core.calibrators import CALIBRATORS
        >>> CALIBRATORS["null-top-k"].parameter("k").expected
        'a whole number from 0 to 100000'
    """

    name: str  # the keyword argument
    kind: type  # int, float, str, bool for a switch, tuple of ascending integers, list of texts
    default: Value  # None, if allowed, has the meaning given in `help`
    help: str  # one sentence for commands, pages and tables
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()  # the valid texts; empty if any text is valid
    above_low: bool = False  # whether `low` itself is excluded
    tried: tuple[int | float, ...] = ()  # values to try, ascending
    owner: str = ""  # what the parameter belongs to, for errors; may be empty
    title: str = ""  # above its input box; a recipe's parameter without a title has no box
    panel: str = ""  # its group in the command's help; empty for the general one
    flags: tuple[str, ...] = ()  # the option's names; by default the parameter's name
    positional: bool = False  # whether it is a positional argument

    @property
    def label(self) -> str:
        """The title, or else the beginning of the help and the name."""
        return self.title or f"{re.split('[,;.]', self.help, maxsplit=1)[0]} ({self.name})"

    @property
    def option(self) -> str:
        """The option on the command line."""
        return self.flags[0] if self.flags else "--" + self.name.replace("_", "-")

    @property
    def expected(self) -> str:
        """The valid values, for forms and errors."""
        none = ", or none" if self.default is None else ""
        if self.choices:
            return f"one of {', '.join(self.choices)}{none}"
        if self.kind is str:
            return f"a text of 1 to {_MAX_TEXT} printable characters{none}"
        if self.kind is bool:
            return "True or False"
        if self.kind is list:
            return "printable texts, separated by commas"
        kinds = {int: "a whole number", float: "a number", tuple: "ascending whole numbers"}
        begin = "above" if self.above_low else "from"
        low = "" if self.low is None else f" {begin} {self.low:.10g}"
        high = "" if self.high is None else f" to {self.high:.10g}"
        parted = ", separated by commas" if self.kind is tuple else ""
        return f"{kinds[self.kind]}{low}{high}{parted}{none}"

    def parse(self, text: str) -> Value:
        """Read the value from text; `none` means None if that is the default."""
        if self.default is None and text.lower() == "none":
            return None
        value: Value = text
        with suppress(ValueError):  # `check` describes the valid values
            value = _READERS[self.kind](text)
        self.check(value)
        return value

    def check(self, value: object) -> None:
        """Refuse a value that is not valid."""
        if not self.is_valid(value):
            name = f"{self.owner}: {self.name}" if self.owner else self.name
            raise InputError(f"{name} must be {self.expected}, got {quoted(value)}")

    def is_valid(self, value: object) -> bool:
        """Tell whether a value is valid."""
        if value is None:
            return self.default is None
        if self.choices:
            values = value if self.kind is list and isinstance(value, tuple) else (value,)
            return all(each in self.choices for each in values)
        if self.kind is bool:
            return isinstance(value, bool)
        if self.kind is str:
            return _is_text(value)
        if self.kind is list:
            return isinstance(value, tuple) and all(map(_is_text, value))
        if self.kind is tuple:
            return (
                isinstance(value, tuple)
                and all(self._is_number(each, Integral) for each in value)
                and all(a < b for a, b in pairwise(value))
            )
        return self._is_number(value, Integral if self.kind is int else Real)

    def _is_number(self, value: object, kind: type) -> bool:
        if isinstance(value, bool) or not isinstance(value, kind):
            return False
        number: Any = value  # as it is, since `float` raises an error for large whole numbers
        low, high = self.low, self.high
        return (
            bool(abs(number) <= sys.float_info.max)
            and (low is None or (number > low if self.above_low else number >= low))
            and (high is None or number <= high)
        )


@dataclass(frozen=True)
class Preset:
    """Named values of some parameters, `name:preset=...` in a spec; other options take precedence.

    Example:
        >>> from bertflow_core.calibrators import CALIBRATORS
        >>> [preset.name for preset in CALIBRATORS["flow"].presets]
        ['paper', 'released-code', 'nli']
    """

    name: str
    help: str  # one sentence
    values: Mapping[str, Value]  # by parameter; other parameters keep their defaults


def param(default: Value, help: str, **limits: Any) -> Any:  # noqa: ANN401 - a field
    """Declare a field of a dataclass as a parameter, with limits as in `Parameter`."""
    return field(default=default, metadata={_KEY: {"help": help, **limits}})


def same_param(config: type, name: str, **changes: Any) -> Any:  # noqa: ANN401 - a field
    """Declare a field that the dataclass `config` also has, with its settings and `changes`."""
    (one,) = (each for each in fields(config) if each.name == name)
    default = changes.pop("default", _plain(one.default))
    return param(default, **{**one.metadata[_KEY], **changes})


def parameters_of(config: type) -> tuple[Parameter, ...]:
    """Return the parameters of a dataclass; none for any other class."""
    return _declared(config)  # separate, since mypy refuses Params in a cached function


@cache
def _declared(config: type) -> tuple[Parameter, ...]:
    if not hasattr(config, "__dataclass_fields__"):
        return ()
    return tuple(
        Parameter(each.name, _kind(each.type), _plain(each.default), **each.metadata[_KEY])
        for each in fields(config)
        if _KEY in each.metadata
    )


@dataclass(frozen=True, kw_only=True)
class Params:
    """Base class of frozen dataclasses of parameters.

    Raises:
        InputError: An invalid value, or values that exclude each other.

    Example:
        >>> from dataclasses import dataclass
        >>> from bertflow_core.params import Params, param
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Walk(Params):
        ...     command = "bertflow-lab walk"
        ...     n_steps: int = param(5, "Steps, both ends included.", low=2, high=50)
        >>> Walk(n_steps=9).to_command()
        'bertflow-lab walk --n-steps 9'
    """

    command: ClassVar[str] = "bertflow-lab"
    """The command with these options."""

    def __post_init__(self) -> None:
        for each in parameters_of(type(self)):
            each.check(getattr(self, each.name))
        self.check()

    def check(self) -> None:
        """Refuse values that exclude each other; a subclass defines which."""

    def with_(self, **changes: Any) -> Self:  # noqa: ANN401 - any field's type
        """Return a copy with some fields changed."""
        self.check_names(changes)
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain values, JSON-able."""
        return {
            k: list(v) if isinstance(v, tuple) else str(v) if isinstance(v, str) else v
            for k, v in asdict(self).items()
        }

    def counting(self) -> dict[str, Any]:
        """Return the fields in use, JSON-able; a recipe may ignore some."""
        return self.to_dict()

    def columns(self) -> dict[str, Any]:
        """Return the fields in use, renamed where a table has columns of the same name."""
        return {
            f"recipe_{name}": ",".join(map(str, value)) if isinstance(value, list) else value
            for name, value in self.counting().items()
        }

    @classmethod
    @checked
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read the result of `to_dict`; missing fields take their defaults.

        Raises:
            InputError: An unknown field, or an invalid value.
        """
        cls.check_names(values)
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})

    @classmethod
    def check_names(cls, names: Mapping[str, Any]) -> None:
        """Refuse names that are not fields."""
        known = {each.name for each in fields(cls)}
        for name in names:
            if name not in known:
                hint = nearest(str(name), known)
                raise InputError(f"a recipe has no field {quoted(name)}: {hint}")

    def changes(self) -> dict[str, str]:
        """Return the parameters that differ from their defaults, as text."""
        return {
            each.name: as_text(getattr(self, each.name))
            for each in parameters_of(type(self))
            if getattr(self, each.name) != each.default
        }

    def to_args(self) -> list[str]:
        """Return the options of the command for values that differ from their defaults."""
        return self._args(self.changes())

    def to_command(
        self,
        calibrators: Sequence[str] = (),
        *,
        command: str = "",
        options: Sequence[tuple[str, object]] = (),
    ) -> str:
        """Return the whole command, quoted for a shell, with calibrators and further options.

        A recipe's own calibrator is always named, since leaving it out would mean the
        command's default.
        """
        named = [each.name for each in parameters_of(type(self)) if each.positional]
        words = [as_text(getattr(self, name)) for name in named]
        words += self._args({k: text for k, text in self.changes().items() if k != "calibrator"})
        specs = calibrators or self._own_calibrators()
        for option, value in (*options, *(("--calibrator", spec) for spec in specs)):
            words += option_words(option, str(value))
        return " ".join([command or self.command, *map(shlex.quote, words)])

    def _own_calibrators(self) -> tuple[str, ...]:
        return ()

    def _args(self, changes: Mapping[str, str]) -> list[str]:
        words: list[str] = []
        for each in parameters_of(type(self)):
            if each.name in changes and each.kind is bool:
                words.append(each.option)
            elif each.name in changes and not each.positional:
                texts = getattr(self, each.name) if each.kind is list else [changes[each.name]]
                words += [word for text in texts for word in option_words(each.option, text)]
        return words

    def caption(self) -> str:
        """Return the parameters as one line of text."""
        return ", ".join(
            f"{each.name.replace('_', ' ')} {as_text(getattr(self, each.name))}"
            for each in parameters_of(type(self))
            if getattr(self, each.name) is not None
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _MAX_TEXT and value.isprintable()


def as_text(value: Value) -> str:
    """Return a value as text for commands and boxes."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def option_words(option: str, value: str) -> list[str]:
    """Return an option and its value as words of a command line.

    A value that starts with a dash is joined by "=", since it would be read as an option.
    """
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def _plain(default: Any) -> Value:  # noqa: ANN401 - whatever a field holds
    if default is MISSING:
        raise TypeError("a parameter needs a default")
    value: Value = default.value if isinstance(default, StrEnum) else default
    return value


def _kind(annotation: Any) -> type:  # noqa: ANN401 - a type, or a union with None
    if get_origin(annotation) is tuple:
        return list if get_args(annotation)[0] is str else tuple
    (kind,) = [each for each in get_args(annotation) if each is not NoneType] or [annotation]
    return str if issubclass(kind, str) else kind
