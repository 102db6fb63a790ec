"""Which code takes the steps of a flow's fit: torch, or compiled loops on the CPU."""

from collections.abc import Callable
from enum import StrEnum

import torch
from torch import Tensor

from bertflow_core import clock
from bertflow_core.compiled_code import is_compiling
from bertflow_core.flows.compiled.table import ROWS
from bertflow_core.flows.config import GlowConfig, Permutation, TrainingConfig
from bertflow_core.flows.descent import Course, Descend, Descent, TorchDescent
from bertflow_core.flows.flow import Flow
from bertflow_core.progress import Progress

__all__ = ["Engine", "descend_by", "engine_for"]

_FEWEST_BLOCKS = 64
"""Blocks of rows below which torch is done before compiled code would be loaded."""

_MOST_MEANWHILE = 1 << 25
"""Numbers in all batches for which torch is sooner done than code that is being compiled."""

_COMPILING = "steps (their code is being compiled, once on this machine, some ten seconds)"


class Engine(StrEnum):
    """What takes the steps: from one start, on the same batches, and equal up to rounding."""

    TORCH = "torch"
    COMPILED = "compiled"


def engine_for(x: Tensor, *, glow: GlowConfig, training: TrainingConfig) -> Engine:
    """Return what fits a flow to the rows `x`, shape (N, D), where they lie: the one rule.

    It depends on nothing that changes between two calls. float64 is left to torch, the reference.
    While a server's code is being compiled, once on a machine, `descend_by` leaves small fits to
    torch too, which is sooner done and differs by rounding alone.
    """
    n_blocks = training.n_steps(len(x)) * -(-min(training.batch_size, len(x)) // ROWS)
    is_known = x.device.type == "cpu" and glow.permutation is not Permutation.LINEAR
    pays = n_blocks >= _FEWEST_BLOCKS and x.dtype == torch.float32
    return Engine.COMPILED if is_known and pays else Engine.TORCH


def descend_by(
    engine: Engine | None, progress: Progress, *, stands_in: Callable[[], None]
) -> Descend[Flow]:
    """Return what starts a descent.

    Args:
        engine: None leaves it to `engine_for`.
        progress: Hears of it where code is compiled first.
        stands_in: Called where torch takes the place of code that is being compiled.
    """

    def start(flow: Flow, course: Course) -> Descent:
        x, training = course.x, course.training
        chosen = engine or engine_for(x, glow=flow.glow, training=training)
        waits = chosen is Engine.COMPILED and engine is None and is_compiling()
        if waits and _is_small(x, training):
            stands_in()
            chosen = Engine.TORCH
        if chosen is Engine.TORCH:
            return TorchDescent(flow, course)
        with clock.loading():
            from bertflow_core.flows.compiled.loading import load

            load(flow.dtype, course.beat, lambda: progress(0, training.n_steps(len(x)), _COMPILING))
            from bertflow_core.flows.compiled.fitting import CompiledDescent

        return CompiledDescent(flow, course)

    return start


def _is_small(x: Tensor, training: TrainingConfig) -> bool:
    n_rows = training.n_steps(len(x)) * min(training.batch_size, len(x))
    return n_rows * x.shape[1] <= _MOST_MEANWHILE
