"""Normalizing flows on vectors: Glow as in BERT-flow, its density and its fit."""

from bertflow_core.flows.actnorm import ActNorm
from bertflow_core.flows.base import ComposedTransform, Transform
from bertflow_core.flows.coupling import AdditiveCoupling, AffineCoupling
from bertflow_core.flows.fit_glow import FitResult, fit_flow
from bertflow_core.flows.flow import Flow
from bertflow_core.flows.glow import (
    Coupling,
    GlowConfig,
    Initialization,
    LeadingTransform,
    Permutation,
    build_glow,
)
from bertflow_core.flows.permutation import LULinear, RandomPermutation, Reversal
from bertflow_core.flows.training import (
    Checkpoints,
    Density,
    StepRecord,
    TrainingConfig,
    fit_density,
)

__all__ = [
    "ActNorm",
    "AdditiveCoupling",
    "AffineCoupling",
    "Checkpoints",
    "ComposedTransform",
    "Coupling",
    "Density",
    "FitResult",
    "Flow",
    "GlowConfig",
    "Initialization",
    "LULinear",
    "LeadingTransform",
    "Permutation",
    "RandomPermutation",
    "Reversal",
    "StepRecord",
    "TrainingConfig",
    "Transform",
    "build_glow",
    "fit_density",
    "fit_flow",
]
