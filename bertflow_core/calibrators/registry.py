"""The calibrators by name, and what builds one of a text: `name[:key=value,...]`, joined by `+`.

A calibrator's class is in `CALIBRATORS` by being written down. Those that come with the package are
imported when they are first asked for: this module is light.
"""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from numbers import Integral
from types import NoneType
from typing import TYPE_CHECKING, Any

from bertflow_core.errors import InputError, check_type, nearest
from bertflow_core.params import Value
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

BASELINE = "identity"
"""What every comparison begins with: the vectors as they are."""

DEFAULT_SPECS = ("null-top-k:k=6", "whiten", "flow")
"""What is compared with the plain embeddings where nobody names a calibrator."""

_HOMES = {
    **dict.fromkeys(("identity", "standardize", "null-top-k", "all-but-the-top"), "affine"),
    **dict.fromkeys(("common-component", "whiten", "soft-whiten", "ledoit-wolf"), "affine"),
    **dict.fromkeys(("gaussianize", "rbig"), "quantile"),
    "flow": "flow",
    **dict.fromkeys(("realnvp", "spline-flow", "maf"), "zuko"),
}
"""The module of this package that holds each calibrator, in the order of a form."""

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_MAX_LENGTH = 500


@dataclass(frozen=True)
class Preset:
    """Named values of some parameters: `name:preset=...` in a spec; options beside it win.

    Example:
        >>> from bertflow_core.calibrators import CALIBRATORS
        >>> [preset.name for preset in CALIBRATORS["flow"].presets]
        ['paper', 'released-code', 'nli']
    """

    name: str
    help: str  # one sentence
    values: Mapping[str, Value]  # by parameter; the others keep their defaults


class _Registry(Mapping[str, type["Calibrator"]]):
    """The classes by name: those of `_HOMES` first, each imported when it is asked for."""

    def __init__(self) -> None:
        self._classes: dict[str, type[Calibrator]] = {}

    def add(self, kind: type["Calibrator"]) -> None:
        """Add a class, or put it in the place of one of its name."""
        home = f"{__package__}.{_HOMES[kind.name]}" if kind.name in _HOMES else kind.__module__
        if kind.__module__ != home:
            raise InputError(f"there is a calibrator {quoted(kind.name)}: name yours otherwise")
        self._classes[kind.name] = kind

    def __getitem__(self, name: str) -> type["Calibrator"]:
        if name not in self._classes and name in _HOMES:
            import_module(f"{__package__}.{_HOMES[name]}")
        return self._classes[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**_HOMES, **self._classes})

    def __len__(self) -> int:
        return len({**_HOMES, **self._classes})

    def __contains__(self, name: object) -> bool:
        return name in _HOMES or name in self._classes


CALIBRATORS = _Registry()


@dataclass(frozen=True)
class Step:
    """One step of a spec: a calibrator's name and its options, as text."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        options = ",".join(f"{key}={text}" for key, text in self.options)
        return f"{self.name}:{options}" if options else self.name

    @property
    def calibrator(self) -> type["Calibrator"]:
        """The class that it names, or a refusal."""
        return calibrator_class(self.name)

    def values(self) -> dict[str, Value]:
        """Read the options; those of a preset yield to the others."""
        kind, given = self.calibrator, dict(self.options)
        of_preset: Mapping[str, Value] = {}
        if kind.presets and "preset" in given:
            name, known = given.pop("preset"), {each.name: each.values for each in kind.presets}
            if name not in known:
                raise InputError(
                    f"calibrator {quoted(self.name)} has no preset {quoted(name)}: "
                    f"{nearest(name, known)}"
                )
            of_preset = known[name]
        return {
            **of_preset,
            **{key: kind.parameter(key).parse(text) for key, text in given.items()},
        }

    def resolved(self) -> dict[str, Value]:
        """Return the value of every parameter, defaults included; refuse as `values` does."""
        return {each.name: each.default for each in self.calibrator.parameters()} | self.values()

    def changed(self, name: str, value: Value) -> "Step":
        """Return the step with one option set."""
        options = {**dict(self.options), name: "none" if value is None else str(value)}
        return Step(self.name, tuple(options.items()))

    def takes_seed(self) -> bool:
        """Tell whether a seed from outside decides what it becomes."""
        values = self.resolved()
        if "seed" not in values or values["seed"] is not None:
            return False
        condition = self.calibrator.seed_matters_if
        return condition is None or values[condition[0]] == condition[1]

    def plain_name(self) -> str:
        """Say in plain English what it does.

        An option that the sentence does not name follows in brackets, unless it is the default.
        """
        kind, values, given = self.calibrator, self.resolved(), dict(self.options)
        preset = f"preset {given.pop('preset')}" if "preset" in given else ""
        special = (text for name, value, text in kind.plain_if if values[name] == value)
        remarks = [
            f"{name} {_number(values[name])}"
            for name in given
            if f"{{{name}}}" not in kind.plain
            and (preset or values[name] != kind.parameter(name).default)
        ]
        more = ", ".join(filter(None, [preset, *remarks]))
        return next(special, kind.plain).format(**values) + (f" ({more})" if more else "")


def parse_spec(text: str) -> tuple[Step, ...]:
    """Split a spec into steps; names and values are checked when they are used."""
    check_type(text, str, "a calibrator", "a text such as 'whiten' or 'null-top-k:k=6'")
    if len(text) > _MAX_LENGTH:
        raise InputError(f"calibrator text is longer than {_MAX_LENGTH} characters")
    # A plus sign before a letter joins steps; one before a digit belongs to a number (1e+3).
    return tuple(_parse_step(step, text) for step in re.split(r"\+(?!\d)", text))


def _parse_step(step: str, text: str) -> Step:
    name, colon, rest = step.partition(":")
    pairs = [item.partition("=") for item in rest.split(",")] if colon else []
    keys = [key for key, _, _ in pairs]
    if not _NAME.fullmatch(name) or any(
        not _KEY.fullmatch(key) or not equals or not value for key, equals, value in pairs
    ):
        raise InputError(
            f"calibrator {quoted(text)} is not of the form name or name:key=value,key=value "
            "(steps joined by +), for example null-top-k:k=6 or standardize+flow:lr=1e-3"
        )
    if len(set(keys)) < len(keys):
        raise InputError(f"calibrator {quoted(text)} gives an option twice: give each once")
    return Step(name, tuple((key, value) for key, _, value in pairs))


def calibrator_class(name: str) -> type["Calibrator"]:
    """Return the calibrator called `name`, or refuse with the nearest names."""
    if name not in CALIBRATORS:
        raise InputError(f"unknown calibrator {quoted(name)}: {nearest(name, CALIBRATORS)}")
    return CALIBRATORS[name]


def check_spec(spec: str) -> None:
    """Refuse a spec with an unknown name, an unknown option or a value out of range.

    Raises:
        InputError: The sentence offers what is near.

    Example:
        >>> from bertflow_core.calibrators import check_spec
        >>> check_spec("whiten:n_components=0")
        Traceback (most recent call last):
            ...
        bertflow_core.errors.InputError: whiten: n_components must be a whole number from 1 ...
    """
    for step in parse_spec(spec):
        if step.options or step.name not in CALIBRATORS:  # a bare name is known without its class
            step.values()


def baseline_first(specs: Iterable[str]) -> tuple[str, ...]:
    """Return specs, each once, with `BASELINE` before them whether it is named or not."""
    return tuple(dict.fromkeys((BASELINE, *specs)))


def offered_specs() -> tuple[str, ...]:
    """Return the specs that a form offers."""
    kinds = CALIBRATORS.values()
    of_each = ((kind.name,) if kind.offered is None else kind.offered for kind in kinds)
    return tuple(spec for specs in of_each for spec in specs)


def plain_name(spec: str) -> str:
    """Say in plain English what a spec does, or refuse it.

    Example:
        >>> from bertflow_core.calibrators.registry import plain_name
        >>> plain_name("standardize+null-top-k:k=6")
        'subtract the mean and divide by the standard deviation, then remove the top 6 directions'
    """
    return ", then ".join(step.plain_name() for step in parse_spec(spec))


def takes_seed(spec: str) -> bool:
    """Tell whether a seed from outside decides what a calibrator becomes."""
    return any(step.takes_seed() for step in parse_spec(spec))


def set_option(spec: str, name: str, value: Value) -> str:
    """Return a spec with one option set to a value, wherever it is.

    Example:
        >>> from bertflow_core.calibrators.registry import set_option
        >>> set_option("standardize+null-top-k:k=6", "k", 3)
        'standardize+null-top-k:k=3'
    """
    check_spec(spec)
    steps = parse_spec(spec)
    known = [{each.name for each in step.calibrator.parameters()} for step in steps]
    owners = [step for step, names in zip(steps, known, strict=True) if name in names]
    if len(owners) != 1:
        every = set().union(*known)
        hint = nearest(name, every) if every else "it takes no parameters"
        many = f"{len(owners)} steps with a parameter {quoted(name)}: only one may have it"
        none = f"no parameter {quoted(name)}: {hint}"
        raise InputError(f"calibrator {quoted(spec)} has {many if owners else none}")
    owners[0].calibrator.parameter(name).check(value)
    return "+".join(str(s.changed(name, value) if s in owners else s) for s in steps)


def build_calibrator(
    spec: str,
    *,
    seed: int = 0,
    device: str | None = None,
    share: float = 1.0,
    **options: Value,
) -> "Calibrator":
    """Make the unfitted calibrator that a spec names.

    Args:
        spec: For example `null-top-k:k=6`, `standardize+flow:lr=1e-3` or
            `flow:preset=released-code`.
        seed: Used by every step that takes a seed and is not given one.
        device: Where steps that train do so; None takes the best device here.
        share: The part of a larger corpus that it will be fitted on, in (0, 1]; its epochs are of
            the whole: 0.15 epoch of a corpus is one pass over a share of 0.15.
        **options: Options of the one step that has them; they win over those in the spec.

    Example:
        >>> from bertflow_core import build_calibrator
        >>> build_calibrator("whiten", n_components=3)
        Whiten(n_components=3)

    Raises:
        InputError: Unknown name or option, or a value out of range.
    """
    check_type(seed, Integral, "seed", "a whole number")
    check_type(device, (str, NoneType), "device", "a name such as cpu, or None")
    for name, value in options.items():
        spec = set_option(spec, name, value)
    steps = [_build_step(step, seed, device, share) for step in parse_spec(spec)]
    if len(steps) == 1:
        return steps[0]
    pipeline: Calibrator = import_module(f"{__package__}.pipeline").CalibratorPipeline(steps)
    return pipeline


def _build_step(step: Step, seed: int, device: str | None, share: float) -> "Calibrator":
    kind: Any = step.calibrator
    values: dict[str, Any] = step.values()
    declared = {each.name for each in kind.parameters()}
    accepted = inspect.signature(kind).parameters
    if "seed" in declared and values.get("seed") is None:
        values["seed"] = seed
    for name, value in (("device", device), ("share", share)):  # of the run, not of the result
        if name in accepted and name not in declared:
            values[name] = value
    calibrator: Calibrator = kind(**values)
    return calibrator


def _number(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
