"""What calibrators share that are flows fitted by steps of gradient descent."""

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.notes import FIT_ON_MORE, TooFew
from bertflow_core.calibrators.options import TrainedOptions, epochs_of_part
from bertflow_core.flows import StepRecord, TrainingConfig
from bertflow_core.params import parameters_of
from bertflow_core.wording import counted

__all__ = ["TrainedCalibrator"]


HARDLY_TRAINED = 50
"""Optimiser steps below which a fit is called hardly trained: an epoch of 3,200 sentences."""


class TrainedCalibrator(TrainedOptions, Calibrator):
    """A calibrator with a flow and the record of its fit; a subclass fits it and saves it.

    Attributes:
        steps_: One record per step; empty for a loaded calibrator.
    """

    steps_: tuple[StepRecord, ...]

    def _training(self, *, bias_correction: bool = True) -> TrainingConfig:
        own = ("seed", "epochs")
        names = [each.name for each in parameters_of(TrainedOptions) if each.name not in own]
        return TrainingConfig(
            seed=self.seed or 0,
            epochs=epochs_of_part(self.epochs, self.share),
            bias_correction=bias_correction,
            **{name: getattr(self, name) for name in names},
        )

    def _training_notes(self) -> tuple[str, ...]:
        """Say where so few steps were taken that little more than the flow's start is left."""
        n_steps = len(self.steps_)
        if n_steps >= HARDLY_TRAINED:
            return ()
        taken = counted(n_steps, "step")
        return (TooFew(f"{taken}: hardly trained; {FIT_ON_MORE} or raise epochs"),)
