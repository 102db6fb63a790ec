"""Calibrators by name, built from a spec: `name[:key=value,...]`, with steps joined by `+`.

`CALIBRATORS` finds every class derived from `Calibrator`. The package's own classes are imported
when they are first used, so that importing this module is fast.
"""

import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Integral
from types import NoneType
from typing import TYPE_CHECKING, Any

from bertflow_core.errors import InputError, check_name, check_type, nearest
from bertflow_core.params import Value
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

BASELINE = "identity"  # the first entry of every comparison: the vectors as they are
DEFAULT_SPECS = ("null-top-k:k=6", "whiten", "flow")  # the default calibrators of a comparison

CLASSES = {
    "identity": "affine.Identity",
    "standardize": "affine.Standardize",
    "null-top-k": "affine.NullTopK",
    "all-but-the-top": "affine.AllButTheTop",
    "common-component": "affine.CommonComponent",
    "whiten": "whitening.Whiten",
    "soft-whiten": "whitening.SoftWhiten",
    "ledoit-wolf": "whitening.LedoitWolf",
    "gaussianize": "quantile.Gaussianize",
    "rbig": "quantile.RBIG",
    "flow": "flow.FlowCalibrator",
    "realnvp": "zuko.RealNVP",
    "spline-flow": "zuko.SplineFlow",
    "maf": "zuko.MAF",
}
"""The class of each calibrator and its module in this package, in the order of a form."""

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_OPTION = re.compile(r"[a-z][a-z0-9_]*=.+", re.DOTALL)
_JOIN = re.compile(r"\+(?!\d)")  # a plus sign before a digit belongs to a number: 1e+3
_MAX_LENGTH = 500


class _Registry(Mapping[str, type["Calibrator"]]):
    """The classes by name: those of `CLASSES`, imported on first use, then those of users."""

    def __getitem__(self, name: str) -> type["Calibrator"]:
        if name not in CLASSES:
            return self._own()[name]
        module, _, attribute = CLASSES[name].partition(".")
        kind: type[Calibrator] = getattr(import_module(f"{__package__}.{module}"), attribute)
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter({**CLASSES, **self._own()})

    def __len__(self) -> int:
        return len(CLASSES) + len(self._own())

    def __contains__(self, name: object) -> bool:
        return name in CLASSES or name in self._own()

    def _own(self) -> dict[str, type["Calibrator"]]:
        """Return the classes that users derived from `Calibrator`, the last one of each name."""
        if f"{__package__}.base" not in sys.modules:  # no class can have been derived yet
            return {}
        from bertflow_core.calibrators.base import Calibrator

        found, kinds = dict[str, type[Calibrator]](), [Calibrator]
        for kind in kinds:
            kinds += kind.__subclasses__()
            if "formula" in kind.__dict__ and not kind.__module__.startswith(f"{__package__}."):
                found[kind.name] = kind
        taken = next((name for name in found if name in CLASSES), None)
        if taken is not None:
            raise InputError(f"calibrator {quoted(taken)} already exists: give yours another name")
        return found


CALIBRATORS = _Registry()


@dataclass(frozen=True)
class Step:
    """One step of a spec: a calibrator's name and its options, as text."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        options = ",".join(f"{key}={text}" for key, text in self.options.items())
        return f"{self.name}:{options}" if options else self.name

    @property
    def calibrator(self) -> type["Calibrator"]:
        """The class of this name; refuse an unknown name."""
        check_name(self.name, CALIBRATORS, "calibrator")
        return CALIBRATORS[self.name]

    def values(self) -> dict[str, Value]:
        """Return the values of the options, which override the values of a preset."""
        kind, given, preset = self.calibrator, dict(self.options), dict[str, Value]()
        if kind.presets and "preset" in given:
            name, known = given.pop("preset"), {each.name: each.values for each in kind.presets}
            check_name(name, known, f"preset of {self.name}")
            preset = dict(known[name])
        return preset | {key: kind.parameter(key).parse(text) for key, text in given.items()}

    def resolved(self) -> dict[str, Value]:
        """Return the value of every parameter, defaults included; refuse as `values` does."""
        return {each.name: each.default for each in self.calibrator.parameters()} | self.values()


def parse_spec(text: str) -> tuple[Step, ...]:
    """Split a spec into steps; names and values are checked when they are used."""
    check_type(text, str, "a calibrator", "a text such as 'whiten' or 'null-top-k:k=6'")
    if len(text) > _MAX_LENGTH:
        raise InputError(f"calibrator text is longer than {_MAX_LENGTH} characters")
    steps = []
    for part in _JOIN.split(text):
        name, *rest = part.split(":", 1)
        pairs = [item.split("=", 1) for item in rest[0].split(",")] if rest else []
        if not (_NAME.fullmatch(name) and all(map(_OPTION.fullmatch, map("=".join, pairs)))):
            raise InputError(
                f"calibrator {quoted(text)} is not of the form name or name:key=value,key=value "
                "(steps joined by +), for example null-top-k:k=6 or standardize+flow:lr=1e-3"
            )
        steps.append(Step(name, dict(pairs)))
        if len(steps[-1].options) < len(pairs):
            raise InputError(f"calibrator {quoted(text)} gives an option twice: give each once")
    return tuple(steps)


def check_spec(spec: str) -> None:
    """Refuse a spec with an unknown name, an unknown option or a value out of range.

    Example:
        >>> from bertflow_core.calibrators import check_spec
        >>> check_spec("whiten:n_components=0")
        Traceback (most recent call last):
            ...
        bertflow_core.errors.InputError: whiten: n_components must be a whole number from 1 ...
    """
    for step in parse_spec(spec):
        if step.options or step.name not in CALIBRATORS:  # a bare name needs no import of its class
            step.values()


def baseline_first(specs: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct specs with `BASELINE` first, whether or not it is among them."""
    return tuple(dict.fromkeys((BASELINE, *specs)))


def offered_specs() -> tuple[str, ...]:
    """Return the specs that a form offers."""
    kinds = CALIBRATORS.values()
    of_each = ((kind.name,) if kind.offered is None else kind.offered for kind in kinds)
    return tuple(spec for specs in of_each for spec in specs)


def plain_name(spec: str) -> str:
    """Return what a spec does in plain English, with further options in brackets."""
    descriptions = []
    for step in parse_spec(spec):
        kind, values, given = step.calibrator, step.resolved(), dict(step.options)
        more = [f"preset {given.pop('preset')}"] if "preset" in given else []
        for name in given:
            value = values[name]
            is_named = f"{{{name}}}" in kind.plain
            if not is_named and (more or value != kind.parameter(name).default):
                more.append(f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}")
        special = (words for name, value, words in kind.plain_if if values[name] == value)
        words = next(special, kind.plain).format(**values)
        descriptions.append(f"{words} ({', '.join(more)})" if more else words)
    return ", then ".join(descriptions)


def takes_seed(spec: str) -> bool:
    """Tell whether the seed of a recipe affects the fit of a calibrator."""
    for step in parse_spec(spec):
        values, condition = step.resolved(), step.calibrator.seed_matters_if
        if "seed" in values and values["seed"] is None:
            if condition is None or values[condition[0]] == condition[1]:
                return True
    return False


def set_option(spec: str, name: str, value: Value) -> str:
    """Return a spec with one option set to a value, in the one step that has it."""
    check_spec(spec)
    steps = parse_spec(spec)
    known = [{each.name for each in step.calibrator.parameters()} for step in steps]
    owners = [i for i, names in enumerate(known) if name in names]
    if len(owners) != 1:
        every = set().union(*known)
        hint = nearest(name, every) if every else "it takes no parameters"
        many = f"{len(owners)} steps with a parameter {quoted(name)}: only one may have it"
        none = f"no parameter {quoted(name)}: {hint}"
        raise InputError(f"calibrator {quoted(spec)} has {many if owners else none}")
    owner = steps[owners[0]]
    owner.calibrator.parameter(name).check(value)
    text = "none" if value is None else str(value)
    changed = Step(owner.name, {**owner.options, name: text})
    return "+".join(str(changed if step is owner else step) for step in steps)


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
        seed: Seed of every step that takes one and has none in the spec.
        device: Device on which flows are fitted; None takes the best one of this machine.
        share: The part of a larger corpus on which it will be fitted, in (0, 1]. Epochs count
            passes over the whole corpus: with a share of 0.15, 0.15 epoch is one pass over the
            part.
        **options: Options of the one step that has them; they override those in the spec.

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
    """Build the unfitted calibrator of a step."""
    kind: Any = step.calibrator
    values: dict[str, Any] = step.resolved()
    if "seed" in values and values["seed"] is None:
        values["seed"] = seed
    of_run = {"device": device, "share": share}  # accepted by flows alone; not part of a spec
    accepted = inspect.signature(kind).parameters.keys() & of_run.keys()
    calibrator: Calibrator = kind(**values, **{name: of_run[name] for name in accepted})
    return calibrator
