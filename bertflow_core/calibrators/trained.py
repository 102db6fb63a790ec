"""What calibrators share that are flows fitted by steps of gradient descent."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.options import TrainedOptions
from bertflow_core.flows import StepRecord, TrainingConfig
from bertflow_core.hyperparameters import parameters_of
from bertflow_core.linalg import FloatArray

__all__ = ["TrainedCalibrator", "by_batches"]


HARDLY_TRAINED = 50
"""Optimiser steps below which a fit is called hardly trained: an epoch of 3,200 sentences."""


class _Flow(Protocol):
    def to_latent(self, x: Tensor) -> Tensor: ...

    def from_latent(self, z: Tensor) -> Tensor: ...

    def log_abs_det_jacobian(self, x: Tensor) -> Tensor: ...


class TrainedCalibrator(TrainedOptions, Calibrator):
    """A calibrator with a flow and the record of its fit; a subclass fits it and saves it.

    Attributes:
        flow_: The fitted flow, on the CPU.
        steps_: One record per step; empty for a loaded calibrator.
    """

    flow_: _Flow
    steps_: tuple[StepRecord, ...]

    def _training(self, *, bias_correction: bool = True) -> TrainingConfig:
        names = [each.name for each in parameters_of(TrainedOptions) if each.name != "seed"]
        return TrainingConfig(
            seed=self.seed or 0,
            bias_correction=bias_correction,
            **{name: getattr(self, name) for name in names},
        )

    def _training_notes(self) -> tuple[str, ...]:
        """Say where so few steps were taken that little more than the flow's start is left."""
        n_steps = len(self.steps_)
        return (f"{n_steps} steps: hardly trained",) if n_steps < HARDLY_TRAINED else ()

    def _transform(self, X: FloatArray) -> FloatArray:
        return by_batches(self.flow_.to_latent, X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return by_batches(self.flow_.from_latent, Z)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return by_batches(self.flow_.log_abs_det_jacobian, X).astype(np.float64)


@torch.no_grad()
def by_batches(
    function: Callable[[Tensor], Tensor],
    X: FloatArray,
    *,
    n_rows: int = 16_384,
    dtype: type[np.float32] | type[np.float64] = np.float32,
) -> FloatArray:
    """Apply a function of rows to all rows, some at a time, so that memory stays bounded."""
    parts = np.array_split(X, range(n_rows, len(X), n_rows))
    tensors = (torch.from_numpy(np.array(rows, dtype)) for rows in parts)
    return np.concatenate([function(rows).numpy() for rows in tensors])
