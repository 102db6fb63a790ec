"""Normalizing flows on vectors: Glow as in BERT-flow, its density and its fit."""

from typing import TYPE_CHECKING

from bertflow_core.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from bertflow_core.flows.config import GlowConfig as GlowConfig
    from bertflow_core.flows.config import TrainingConfig as TrainingConfig
    from bertflow_core.flows.fit import Checkpoints as Checkpoints
    from bertflow_core.flows.fit import FitResult as FitResult
    from bertflow_core.flows.fit import StepRecord as StepRecord
    from bertflow_core.flows.fit import fit_density as fit_density
    from bertflow_core.flows.fit import fit_flow as fit_flow
    from bertflow_core.flows.glow import Flow as Flow

# Imported on first use, since options are also read where torch is not needed.
_HOMES = {
    "Checkpoints": "fit",
    "FitResult": "fit",
    "Flow": "glow",
    "GlowConfig": "config",
    "StepRecord": "fit",
    "TrainingConfig": "config",
    "fit_density": "fit",
    "fit_flow": "fit",
}
__all__ = [*_HOMES]
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
