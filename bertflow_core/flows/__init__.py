"""Normalizing flows on vectors: Glow as in BERT-flow, its density and its fit."""

from typing import TYPE_CHECKING

from bertflow_core.lazy import lazy_names

if TYPE_CHECKING:
    from bertflow_core.flows.config import Coupling as Coupling
    from bertflow_core.flows.config import GlowConfig as GlowConfig
    from bertflow_core.flows.config import Initialization as Initialization
    from bertflow_core.flows.config import Permutation as Permutation
    from bertflow_core.flows.config import TrainingConfig as TrainingConfig
    from bertflow_core.flows.fit import Checkpoints as Checkpoints
    from bertflow_core.flows.fit import Density as Density
    from bertflow_core.flows.fit import StepRecord as StepRecord
    from bertflow_core.flows.fit import fit_density as fit_density
    from bertflow_core.flows.fit_glow import FitResult as FitResult
    from bertflow_core.flows.fit_glow import fit_flow as fit_flow
    from bertflow_core.flows.flow import Flow as Flow
    from bertflow_core.flows.glow import ActNorm as ActNorm
    from bertflow_core.flows.glow import AdditiveCoupling as AdditiveCoupling
    from bertflow_core.flows.glow import AffineCoupling as AffineCoupling
    from bertflow_core.flows.glow import ComposedTransform as ComposedTransform
    from bertflow_core.flows.glow import LeadingTransform as LeadingTransform
    from bertflow_core.flows.glow import LULinear as LULinear
    from bertflow_core.flows.glow import RandomPermutation as RandomPermutation
    from bertflow_core.flows.glow import Reversal as Reversal
    from bertflow_core.flows.glow import Transform as Transform
    from bertflow_core.flows.glow import build_glow as build_glow

# Looked up when first used: the options are read where torch is not needed.
_HOMES = {
    "ActNorm": "glow",
    "AdditiveCoupling": "glow",
    "AffineCoupling": "glow",
    "Checkpoints": "fit",
    "ComposedTransform": "glow",
    "Coupling": "config",
    "Density": "fit",
    "FitResult": "fit_glow",
    "Flow": "flow",
    "GlowConfig": "config",
    "Initialization": "config",
    "LULinear": "glow",
    "LeadingTransform": "glow",
    "Permutation": "config",
    "RandomPermutation": "glow",
    "Reversal": "glow",
    "StepRecord": "fit",
    "TrainingConfig": "config",
    "Transform": "glow",
    "build_glow": "glow",
    "fit_density": "fit",
    "fit_flow": "fit_glow",
}
__all__ = [*_HOMES]
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
