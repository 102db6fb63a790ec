"""Sweeps: rho along a parameter of a calibrator, chosen on dev."""

from bertflow_core.studies.sweeps.closed_forms import (
    SHRINKAGES,
    component_grid,
    removed_directions,
    sweep_null_top_k,
    sweep_whiten_components,
    sweep_whiten_shrinkage,
)
from bertflow_core.studies.sweeps.fits import sweep_spec
from bertflow_core.studies.sweeps.measure import sweep_closed_forms, sweep_parameter
from bertflow_core.studies.sweeps.result import ClosedForms, Sweep
from bertflow_core.studies.sweeps.splits import Splits, prepare_splits

__all__ = [
    "SHRINKAGES",
    "ClosedForms",
    "Splits",
    "Sweep",
    "component_grid",
    "prepare_splits",
    "removed_directions",
    "sweep_closed_forms",
    "sweep_null_top_k",
    "sweep_parameter",
    "sweep_spec",
    "sweep_whiten_components",
    "sweep_whiten_shrinkage",
]
