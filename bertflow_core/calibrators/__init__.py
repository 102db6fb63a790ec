"""Calibrators: maps that correct the geometry of an embedding space, learnt without labels."""

from typing import TYPE_CHECKING

from bertflow_core.calibrators.registry import CALIBRATORS, Preset, build_calibrator, check_spec
from bertflow_core.lazy import lazy_names
from bertflow_core.params import Parameter

if TYPE_CHECKING:
    from bertflow_core.calibrators.affine import (
        AllButTheTop,
        CommonComponent,
        Identity,
        LedoitWolf,
        NullTopK,
        SoftWhiten,
        Standardize,
        Whiten,
    )
    from bertflow_core.calibrators.base import Calibrator
    from bertflow_core.calibrators.flow import FlowCalibrator
    from bertflow_core.calibrators.pipeline import CalibratorPipeline
    from bertflow_core.calibrators.quantile import RBIG, Gaussianize
    from bertflow_core.calibrators.zuko import MAF, RealNVP, SplineFlow

__all__ = [
    "CALIBRATORS",
    "MAF",
    "RBIG",
    "AllButTheTop",
    "Calibrator",
    "CalibratorPipeline",
    "CommonComponent",
    "FlowCalibrator",
    "Gaussianize",
    "Identity",
    "LedoitWolf",
    "NullTopK",
    "Parameter",
    "Preset",
    "RealNVP",
    "SoftWhiten",
    "SplineFlow",
    "Standardize",
    "Whiten",
    "build_calibrator",
    "check_spec",
]

_HOMES = {
    "Calibrator": "base",
    "CalibratorPipeline": "pipeline",
    **dict.fromkeys(("AllButTheTop", "CommonComponent", "Identity", "LedoitWolf"), "affine"),
    **dict.fromkeys(("NullTopK", "SoftWhiten", "Standardize", "Whiten"), "affine"),
    **dict.fromkeys(("RBIG", "Gaussianize"), "quantile"),
    "FlowCalibrator": "flow",
    **dict.fromkeys(("MAF", "RealNVP", "SplineFlow"), "zuko"),
}
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
