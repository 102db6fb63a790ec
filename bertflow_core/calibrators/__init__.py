"""Calibrators: maps that correct the geometry of an embedding space, learnt without labels."""

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.catalog import CALIBRATORS, check_spec
from bertflow_core.calibrators.schema import CalibratorInfo, Parameter, Preset

__all__ = ["CALIBRATORS", "CalibratorInfo", "Parameter", "Preset", "build_calibrator", "check_spec"]
