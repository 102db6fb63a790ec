"""Calibrators: maps that correct the geometry of an embedding space, learnt without labels."""

from typing import TYPE_CHECKING

from bertflow_core.calibrators.registry import (
    CALIBRATORS,
    CLASSES,
    Preset,
    build_calibrator,
    check_spec,
)
from bertflow_core.lazy import lazy_names
from bertflow_core.params import Parameter

if TYPE_CHECKING:
    from bertflow_core.calibrators.affine import (
        AllButTheTop,
        CommonComponent,
        Identity,
        NullTopK,
        Standardize,
    )
    from bertflow_core.calibrators.base import Calibrator
    from bertflow_core.calibrators.flow import FlowCalibrator
    from bertflow_core.calibrators.pipeline import CalibratorPipeline
    from bertflow_core.calibrators.quantile import RBIG, Gaussianize
    from bertflow_core.calibrators.whitening import LedoitWolf, SoftWhiten, Whiten
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

if not TYPE_CHECKING:
    _homes = dict(reversed(each.split(".")) for each in CLASSES.values())
    _homes |= {"Calibrator": "base", "CalibratorPipeline": "pipeline"}
    __getattr__ = lazy_names(__name__, _homes)
