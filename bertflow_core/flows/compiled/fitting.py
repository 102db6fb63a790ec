"""A flow's steps of descent in compiled code, a tenth of a second at a time."""

import math
import time
from itertools import islice

import numpy as np
import torch

from bertflow_core.flows.compiled.descent import Optimizer, advance
from bertflow_core.flows.compiled.layout import aligned, layout_of
from bertflow_core.flows.compiled.mapping import from_latent, to_latent
from bertflow_core.flows.compiled.table import INPUTS, OUTPUTS, ROWS
from bertflow_core.flows.config import GlowConfig, TrainingConfig
from bertflow_core.flows.descent import READ_AT_ONCE, Course
from bertflow_core.flows.flow import Flow

__all__ = ["CompiledDescent", "use_all"]

_BEAT_SECONDS = 0.1
_WEIGHT_SECONDS = 1e-10
"""What a row takes for each weight of the networks, roughly: it decides the rhythm only."""


class CompiledDescent:
    """The steps that `fit_density` takes, without torch.

    Args:
        flow: On the CPU; it learns of the steps in `settle`.
        course: Its rows are of the flow's dtype.
    """

    def __init__(self, flow: Flow, course: Course) -> None:
        self._course, self._x = course, course.x.contiguous().numpy()
        self._layout = layout_of(flow)
        self._flow = self._layout.read()
        size, dtype, training = self._layout.size, self._x.dtype, course.training
        self._optimizer = Optimizer(
            gradient=aligned(size, dtype),
            means=aligned(size, dtype),
            squares=aligned(size, dtype),
            learning_rate=training.lr,
            weight_decay=training.weight_decay,
            clip_norm=math.inf if training.clip_norm is None else training.clip_norm,
            is_corrected=training.bias_correction,
        )
        self._room = self._layout.room(dtype, with_gradient=True)
        self._n_taken = 0
        table = self._layout.table
        n_weights = int((table[:, INPUTS] + table[:, OUTPUTS]).sum()) * self._layout.width
        self._most_blocks = 1 + int(_BEAT_SECONDS / (_WEIGHT_SECONDS * n_weights * ROWS))
        if course.release is not None:
            self._most_blocks = min(self._most_blocks, READ_AT_ONCE // ROWS)

    def take(self, n_steps: int) -> list[tuple[float, float]]:
        """Take the next steps; return the bits per dimension and the gradient norm of each."""
        course = self._course
        whole = list(islice(course.batches, n_steps))
        batches = np.stack([batch.numpy() for batch in whole])
        position, sums = np.zeros(2, np.int64), np.zeros(2)
        records, due = np.zeros((n_steps, 2)), time.monotonic() + _BEAT_SECONDS
        while True:
            advance(
                self._x,
                batches,
                self._n_taken,
                position,
                self._most_blocks,
                sums,
                records,
                self._flow,
                self._optimizer,
                self._room,
            )
            if course.release is not None:
                course.release()
            if position[0] == n_steps:
                break
            if time.monotonic() >= due:
                course.beat()
                due = time.monotonic() + _BEAT_SECONDS
        self._n_taken += n_steps
        return [(float(bits), float(norm)) for bits, norm in records]

    def settle(self) -> None:
        """Give the flow the parameters that the steps led to."""
        self._layout.write(self._flow)


def use_all(dtype: torch.dtype) -> None:
    """Fit and apply the smallest flow, which has all code for `dtype` compiled or loaded."""
    flow = Flow(2, GlowConfig(n_levels=1, depth=1, coupling_width=1), dtype=dtype)
    x, batches = torch.zeros(2, 2, dtype=dtype), iter([torch.arange(2)])
    CompiledDescent(flow, Course(x, batches, TrainingConfig())).take(1)
    from_latent(flow, to_latent(flow, x.numpy())[0])
