"""The calibrators by name: the one list that specs, forms, options and the README come from."""

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bertflow_core.calibrators.closed_forms import CLOSED_FORMS
from bertflow_core.calibrators.flow_infos import FLOWS
from bertflow_core.calibrators.schema import CalibratorInfo
from bertflow_core.calibrators.spec import StepSpec, parse_spec
from bertflow_core.errors import InputError, nearest

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = ["CALIBRATORS", "build_calibrator", "calibrator_info", "check_spec", "has_density"]

CALIBRATORS = {info.name: info for info in (*CLOSED_FORMS, *FLOWS)}


def calibrator_info(name: str) -> CalibratorInfo:
    """Return the calibrator called `name`, or refuse with the nearest names."""
    if name not in CALIBRATORS:
        raise InputError(f"unknown calibrator {name!r}: {nearest(name, CALIBRATORS)}")
    return CALIBRATORS[name]


def check_spec(spec: str) -> None:
    """Refuse a spec with an unknown name, an unknown option or a value out of range."""
    for step in parse_spec(spec):
        _options(step)


def has_density(spec: str) -> bool:
    """Tell whether any step of a spec learns a density of the rows."""
    return any(calibrator_info(step.name).density != "no" for step in parse_spec(spec))


def build_calibrator(spec: str, *, seed: int = 0, device: str | None = None) -> "Calibrator":
    """Make the unfitted calibrator that a spec names.

    Args:
        spec: For example `null-top-k:k=6`, `standardize+flow:lr=1e-3` or
            `flow:preset=released-code`.
        seed: Used by every step that takes a seed and is not given one.
        device: Where steps that train do so; None takes the best device here.

    Raises:
        InputError: Unknown name or option, or a value out of range.
    """
    steps = [_build_step(step, seed, device) for step in parse_spec(spec)]
    if len(steps) == 1:
        return steps[0]
    from bertflow_core.calibrators.pipeline import CalibratorPipeline

    return CalibratorPipeline(steps)


def _options(step: StepSpec) -> dict[str, Any]:
    return calibrator_info(step.name).parse(dict(step.options))


def _build_step(step: StepSpec, seed: int, device: str | None) -> "Calibrator":
    info = calibrator_info(step.name)
    module, _, name = info.target.partition(":")
    kind = getattr(import_module(module), name)
    accepted = inspect.signature(kind).parameters
    options = _options(step)
    if "seed" in accepted and options.get("seed") is None:
        options["seed"] = seed
    if "device" in accepted:
        options["device"] = device
    calibrator: Calibrator = kind(**options)
    return calibrator
