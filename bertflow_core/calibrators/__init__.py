"""Calibrators: maps that mend the geometry of an embedding space, learnt without labels."""

from bertflow_core.calibrators.registry import CALIBRATORS, build_calibrator, check_spec
from bertflow_core.calibrators.schema import CalibratorInfo, Parameter

__all__ = ["CALIBRATORS", "CalibratorInfo", "Parameter", "build_calibrator", "check_spec"]
