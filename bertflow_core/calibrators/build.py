"""From a spec to a calibrator; one option of a spec read, set or swept."""

import inspect
from importlib import import_module
from numbers import Integral
from types import NoneType
from typing import TYPE_CHECKING

from bertflow_core.calibrators.catalog import calibrator_info, check_spec, options_of
from bertflow_core.calibrators.schema import Parameter, Value
from bertflow_core.calibrators.spec import StepSpec, parse_spec
from bertflow_core.errors import InputError, check_type, nearest
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = [
    "build_calibrator",
    "parameter_of",
    "set_option",
    "takes_seed",
]


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
            the whole, as `epochs_of_part` says.
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
    from bertflow_core.calibrators.pipeline import CalibratorPipeline

    return CalibratorPipeline(steps)


def _build_step(step: StepSpec, seed: int, device: str | None, share: float) -> "Calibrator":
    info = calibrator_info(step.name)
    module, _, name = info.target.partition(":")
    kind = getattr(import_module(module), name)
    accepted = inspect.signature(kind).parameters
    options = options_of(step)
    if "seed" in accepted and options.get("seed") is None:
        options["seed"] = seed
    for name, value in (("device", device), ("share", share)):
        if name in accepted:
            options[name] = value
    calibrator: Calibrator = kind(**options)
    return calibrator


def parameter_of(spec: str, name: str) -> Parameter:
    """Return the parameter called `name` of the one step of a spec that has it.

    Raises:
        InputError: Not a valid spec, or no step has such a parameter, or several have.
    """
    check_spec(spec)
    return calibrator_info(_step_with(parse_spec(spec), name).name).parameter(name)


def set_option(spec: str, name: str, value: Value) -> str:
    """Return a spec with one option set to a value, wherever it is.

    Example:
        >>> from bertflow_core.calibrators.build import set_option
        >>> set_option("standardize+null-top-k:k=6", "k", 3)
        'standardize+null-top-k:k=3'

    Raises:
        InputError: As `parameter_of`, or a value that the parameter cannot have.
    """
    parameter_of(spec, name).check(value)
    steps = parse_spec(spec)
    chosen = _step_with(steps, name)
    text = "none" if value is None else str(value)
    changed = "+".join(_text(step, {name: text} if step is chosen else {}) for step in steps)
    check_spec(changed)
    return changed


def takes_seed(spec: str) -> bool:
    """Tell whether a seed from outside decides what a calibrator becomes."""
    steps = [(calibrator_info(step.name), dict(step.options)) for step in parse_spec(spec)]
    return any(info.takes_seed(info.parse(options)) for info, options in steps)


def _step_with(steps: tuple[StepSpec, ...], name: str) -> StepSpec:
    names = {step: [p.name for p in calibrator_info(step.name).parameters] for step in steps}
    matching = [step for step in steps if name in names[step]]
    if not matching:
        known = dict.fromkeys(parameter for each in names.values() for parameter in each)
        hint = nearest(name, known) if known else "it takes no parameters"
        spec = "+".join(step.name for step in steps)
        raise InputError(f"calibrator {quoted(spec)} has no parameter {quoted(name)}: {hint}")
    if len(matching) > 1:
        raise InputError(
            f"{len(matching)} steps have a parameter {quoted(name)}: only one may have it"
        )
    return matching[0]


def _text(step: StepSpec, changes: dict[str, str]) -> str:
    options = {**dict(step.options), **changes}
    if not options:
        return step.name
    return f"{step.name}:" + ",".join(f"{key}={text}" for key, text in options.items())
