"""From a spec to a calibrator."""

import inspect
from numbers import Integral
from types import NoneType
from typing import TYPE_CHECKING, Any

from bertflow_core.calibrators.registry import Step, parse_spec, set_option
from bertflow_core.errors import check_type
from bertflow_core.params import Value

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = ["build_calibrator"]


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
    from bertflow_core.calibrators.pipeline import CalibratorPipeline  # late, as all classes

    return CalibratorPipeline(steps)


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
