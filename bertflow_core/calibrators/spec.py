"""Calibrators as values: a text `name[:key=value,...]`, with steps joined by `+`, parsed once."""

import inspect
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from bertflow_core.arguments import checked
from bertflow_core.calibrators.plugins import NAME
from bertflow_core.calibrators.registry import CALIBRATORS, CLASSES
from bertflow_core.errors import InputError, check_name, check_type, nearest
from bertflow_core.params import Value
from bertflow_core.wording import counted, quoted, reason

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

DEFAULT_SPECS = ("null-top-k:k=6", "whiten", "flow")
"""The default calibrators of a comparison, as text: checking an option imports its class."""

_PLAIN_NAMES = {"identity": "none", "whiten": "whitening", "flow": "BERT-flow"}
_REMOVED = {"null-top-k": "direction", "drop-coordinates": "coordinate"}
"""What `k` counts."""

_OPTION = re.compile(r"[a-z][a-z0-9_]*=.+", re.DOTALL)
_JOIN = re.compile(r"\+(?!\d)")  # a plus sign before a digit belongs to a number: 1e+3
_MAX_LENGTH = 500


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

    @property
    def takes_seed(self) -> bool:
        """Whether the step draws at random and its options give no seed."""
        values = self.resolved()
        return "seed" in values and values["seed"] is None

    @property
    def words(self) -> str:
        """What the step does in plain English, with further options in brackets."""
        kind, values, given = self.calibrator, self.resolved(), dict(self.options)
        more = [f"preset {given.pop('preset')}"] if "preset" in given else []
        for name in given:
            value = values[name]
            is_named = f"{{{name}}}" in kind.plain
            if not is_named and (more or value != kind.parameter(name).default):
                more.append(f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}")
        special = (words for name, value, words in kind.plain_if if values[name] == value)
        words = next(special, kind.plain).format(**values)
        return f"{words} ({', '.join(more)})" if more else words

    @property
    def plain_name(self) -> str:
        """The name for people who know no spec; options are left out."""
        if self.name not in _REMOVED:
            return _PLAIN_NAMES.get(self.name, str(self))
        k = self.resolved()["k"]
        if not isinstance(k, int) or k == 0:
            return "mean subtracted"
        return f"mean and {counted(k, _REMOVED[self.name])} removed"

    def build(self, seed: int, device: str | None, share: float) -> "Calibrator":
        """Make the unfitted calibrator; see `build_calibrator`."""
        kind: Any = self.calibrator
        values: dict[str, Any] = self.resolved()
        if "seed" in values and values["seed"] is None:
            values["seed"] = seed
        of_run = {"device": device, "share": share}  # accepted by flows alone; not part of a spec
        accepted = inspect.signature(kind).parameters.keys() & of_run.keys()
        calibrator: Calibrator = kind(**values, **{name: of_run[name] for name in accepted})
        return calibrator


def _steps_of(text: str) -> tuple[Step, ...]:
    """Split a spec into steps; names and values are not checked."""
    check_type(text, str, "a calibrator", "a text such as 'whiten' or 'null-top-k:k=6'")
    if len(text) > _MAX_LENGTH:
        raise InputError(f"calibrator text is longer than {_MAX_LENGTH} characters")
    steps = []
    for part in _JOIN.split(text):
        name, *rest = part.split(":", 1)
        pairs = [item.split("=", 1) for item in rest[0].split(",")] if rest else []
        if not (NAME.fullmatch(name) and all(map(_OPTION.fullmatch, map("=".join, pairs)))):
            raise InputError(
                f"calibrator {quoted(text)} is not of the form name or name:key=value,key=value "
                "(steps joined by +), for example null-top-k:k=6 or standardize+flow:lr=1e-3"
            )
        steps.append(Step(name, dict(pairs)))
        if len(steps[-1].options) < len(pairs):
            raise InputError(f"calibrator {quoted(text)} gives an option twice: give each once")
    return tuple(steps)


class Spec(str):
    """A calibrator with its options, which equals its text and is checked when it is made.

    Raises:
        InputError: An unknown name, an unknown option or a value out of range.

    Example:
        >>> from bertflow_core.calibrators import Spec
        >>> Spec("standardize+null-top-k").set("k", 6)
        'standardize+null-top-k:k=6'
        >>> Spec("whiten:n_components=0")
        Traceback (most recent call last):
            ...
        bertflow_core.errors.InputError: whiten: n_components must be a whole number from 1 ...
    """

    steps: tuple[Step, ...]

    def __new__(cls, text: str) -> Self:
        """Parse a text; a spec is returned as it is."""
        if isinstance(text, cls):
            return text
        steps = _steps_of(text)
        for step in steps:
            if step.options or step.name not in CLASSES:  # a bare name of ours imports no class
                step.values()
        spec = super().__new__(cls, text)
        spec.steps = steps
        return spec

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def takes_seed(self) -> bool:
        """Whether the seed of a recipe affects the fit."""
        return any(step.takes_seed for step in self.steps)

    @property
    def words(self) -> str:
        """What the calibrator does, in plain English."""
        return ", then ".join(step.words for step in self.steps)

    @property
    def plain_name(self) -> str:
        """The name that a headline has for the calibrator, or its text if there is none."""
        return ", then ".join(step.plain_name for step in self.steps)

    def owner(self, parameter: str) -> Step:
        """Return the one step that has a parameter; refuse if none has it, or several."""
        known = [{each.name for each in step.calibrator.parameters()} for step in self.steps]
        owners = [s for s, names in zip(self.steps, known, strict=True) if parameter in names]
        if len(owners) != 1:
            every = set().union(*known)
            hint = nearest(parameter, every) if every else "it takes no parameters"
            many = f"{len(owners)} steps with a parameter {quoted(parameter)}: only one may have it"
            none = f"no parameter {quoted(parameter)}: {hint}"
            raise InputError(f"calibrator {quoted(self)} has {many if owners else none}")
        return owners[0]

    def set(self, name: str, value: Value) -> "Spec":
        """Return a spec with one option set to a value, in the one step that has it."""
        owner = self.owner(name)
        owner.calibrator.parameter(name).check(value)
        changed = Step(owner.name, {**owner.options, name: "none" if value is None else str(value)})
        return Spec("+".join(str(changed if step is owner else step) for step in self.steps))

    def build(
        self, *, seed: int = 0, device: str | None = None, share: float = 1.0
    ) -> "Calibrator":
        """Make the unfitted calibrator; see `build_calibrator`."""
        built = [step.build(seed, device, share) for step in self.steps]
        if len(built) == 1:
            return built[0]
        pipeline: Calibrator = import_module(f"{__package__}.pipeline").CalibratorPipeline(built)
        return pipeline


BASELINE = Spec("identity")
"""The vectors as they are."""


def baseline_first(specs: Iterable[Spec]) -> tuple[Spec, ...]:
    """Return the distinct specs with `BASELINE` first, whether or not it is among them."""
    return tuple(dict.fromkeys((BASELINE, *specs)))


def offered_specs() -> tuple[Spec, ...]:
    """Return the specs that a form offers; wrong plugins are dropped with a warning."""
    found: list[Spec] = []
    plugins = CALIBRATORS.plugins
    for kind in CALIBRATORS.values():
        try:
            texts = (kind.name,) if kind.offered is None else kind.offered
            specs = [Spec(text) for text in texts]
            _ = [spec.words for spec in specs]
        except Exception as error:
            if kind.name not in plugins.names:
                raise
            plugins.drop(kind.name, f"it cannot be shown in forms, {reason(error)}")
            warnings.warn(plugins.refused[kind.name], stacklevel=2)
        else:
            found += specs
    return tuple(found)


@checked
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
    made = Spec(spec)
    for name, value in options.items():
        made = made.set(name, value)
    return made.build(seed=seed, device=device, share=share)
