"""Calibrators: maps that correct the geometry of an embedding space, learnt without labels."""

from typing import TYPE_CHECKING

from bertflow_core.calibrators.registry import CALIBRATORS as CALIBRATORS
from bertflow_core.calibrators.registry import CLASSES
from bertflow_core.calibrators.spec import Spec as Spec
from bertflow_core.calibrators.spec import build_calibrator as build_calibrator
from bertflow_core.params import Parameter as Parameter
from bertflow_core.params import Preset as Preset
from bertflow_core.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from bertflow_core.calibrators.affine import AffineCalibrator as AffineCalibrator
    from bertflow_core.calibrators.affine import AllButTheTop as AllButTheTop
    from bertflow_core.calibrators.affine import CommonComponent as CommonComponent
    from bertflow_core.calibrators.affine import DropCoordinates as DropCoordinates
    from bertflow_core.calibrators.affine import Identity as Identity
    from bertflow_core.calibrators.affine import NullTopK as NullTopK
    from bertflow_core.calibrators.affine import Standardize as Standardize
    from bertflow_core.calibrators.base import Calibrator as Calibrator
    from bertflow_core.calibrators.flow import FlowCalibrator as FlowCalibrator
    from bertflow_core.calibrators.pipeline import CalibratorPipeline as CalibratorPipeline
    from bertflow_core.calibrators.whitening import LedoitWolf as LedoitWolf
    from bertflow_core.calibrators.whitening import SoftWhiten as SoftWhiten
    from bertflow_core.calibrators.whitening import Whiten as Whiten

# Looked up when first used: forms list the calibrators where torch is not needed.
_HOMES = {name: module for module, name in (each.split(".") for each in CLASSES.values())}
_HOMES |= {"AffineCalibrator": "affine", "Calibrator": "base", "CalibratorPipeline": "pipeline"}
__all__ = [*_HOMES, "CALIBRATORS", "Parameter", "Preset", "Spec", "build_calibrator"]
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
