"""The calibrators by name, as data: what specs, forms, options and the README come from."""

from typing import Any

from bertflow_core.calibrators.closed_forms import CLOSED_FORMS
from bertflow_core.calibrators.flow_infos import FLOWS
from bertflow_core.calibrators.schema import CalibratorInfo
from bertflow_core.calibrators.spec import StepSpec, parse_spec
from bertflow_core.errors import InputError, nearest

__all__ = ["CALIBRATORS", "calibrator_info", "check_spec", "has_density", "options_of"]

CALIBRATORS = {info.name: info for info in (*CLOSED_FORMS, *FLOWS)}


def calibrator_info(name: str) -> CalibratorInfo:
    """Return the calibrator called `name`, or refuse with the nearest names."""
    if name not in CALIBRATORS:
        raise InputError(f"unknown calibrator {name!r}: {nearest(name, CALIBRATORS)}")
    return CALIBRATORS[name]


def check_spec(spec: str) -> None:
    """Refuse a spec with an unknown name, an unknown option or a value out of range."""
    for step in parse_spec(spec):
        options_of(step)


def has_density(spec: str) -> bool:
    """Tell whether any step of a spec learns a density of the rows."""
    return any(calibrator_info(step.name).density != "no" for step in parse_spec(spec))


def options_of(step: StepSpec) -> dict[str, Any]:
    """Return the options of a step as values of its calibrator's parameters."""
    return calibrator_info(step.name).parse(dict(step.options))
