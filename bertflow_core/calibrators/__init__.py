"""Calibrators: maps that correct the geometry of an embedding space, learnt without labels."""

from typing import TYPE_CHECKING

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.catalog import CALIBRATORS, check_spec
from bertflow_core.calibrators.schema import CalibratorInfo, Parameter, Preset
from bertflow_core.lazy import lazy_names

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator
    from bertflow_core.calibrators.flow import FlowCalibrator
    from bertflow_core.calibrators.gaussianize import RBIG, Gaussianize
    from bertflow_core.calibrators.linear import Identity, Standardize
    from bertflow_core.calibrators.pipeline import CalibratorPipeline
    from bertflow_core.calibrators.removal import AllButTheTop, CommonComponent, NullTopK
    from bertflow_core.calibrators.whitening import LedoitWolf, SoftWhiten, Whiten
    from bertflow_core.calibrators.zuko_flows import MAF, RealNVP, SplineFlow

__all__ = [
    "CALIBRATORS",
    "MAF",
    "RBIG",
    "AllButTheTop",
    "Calibrator",
    "CalibratorInfo",
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
    **{
        name: module.rpartition(".")[2]
        for module, _, name in (info.target.partition(":") for info in CALIBRATORS.values())
    },
}
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
