"""One option of a calibrator's spec: read as a number, set to another, or swept over many."""

from bertflow_core.calibrators.registry import calibrator_info, check_spec
from bertflow_core.calibrators.schema import Parameter, Value
from bertflow_core.calibrators.spec import StepSpec, parse_spec
from bertflow_core.errors import InputError, nearest

__all__ = ["parameter_of", "set_option", "takes_seed"]


def parameter_of(spec: str, name: str) -> Parameter:
    """Return the parameter called `name` of the one step of a spec that has it.

    Raises:
        InputError: Not a valid spec, or no step has such a parameter, or several have.
    """
    check_spec(spec)
    return calibrator_info(_step_with(parse_spec(spec), name).name).parameter(name)


def set_option(spec: str, name: str, value: Value) -> str:
    """Return a spec with one option set to a value, wherever it stood.

    Example:
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
    return any(
        any(parameter.name == "seed" for parameter in calibrator_info(step.name).parameters)
        and dict(step.options).get("seed", "none").lower() == "none"
        for step in parse_spec(spec)
    )


def _step_with(steps: tuple[StepSpec, ...], name: str) -> StepSpec:
    names = {step: [p.name for p in calibrator_info(step.name).parameters] for step in steps}
    found = [step for step in steps if name in names[step]]
    if not found:
        known = dict.fromkeys(parameter for each in names.values() for parameter in each)
        hint = nearest(name, known) if known else "it takes no parameters"
        spec = "+".join(step.name for step in steps)
        raise InputError(f"calibrator {spec!r} has no parameter {name!r}: {hint}")
    if len(found) > 1:
        raise InputError(
            f"{len(found)} steps have a parameter {name!r}: only one may, so that it is plain "
            "which is meant"
        )
    return found[0]


def _text(step: StepSpec, changes: dict[str, str]) -> str:
    options = {**dict(step.options), **changes}
    if not options:
        return step.name
    return f"{step.name}:" + ",".join(f"{key}={text}" for key, text in options.items())
