"""Fit a Glow to rows: its start, then the steps that every density takes, by torch or compiled."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import torch
from torch import Tensor

from bertflow_core import context
from bertflow_core.errors import check_type
from bertflow_core.flows.config import GlowConfig, Initialization, TrainingConfig
from bertflow_core.flows.fit import (
    Checkpoints,
    Course,
    Descent,
    StepRecord,
    TorchDescent,
    fit_density,
)
from bertflow_core.flows.flow import Flow

_BLOCK, _FEWEST_BLOCKS = 64, 64
"""Blocks of rows in all steps below which torch is done before compiled code would be loaded."""

_COMPILING = "steps (their code is being compiled, once on this machine, some seconds)"


class Engine(StrEnum):
    """What takes the steps: from one start, on the same batches, and equal up to rounding."""

    TORCH = "torch"
    COMPILED = "compiled"


def engine_for(flow: Flow, n_rows: int, training: TrainingConfig) -> Engine:
    """Return what fits a flow to so many rows: the one rule, which depends on nothing that changes.

    Compiled loops fit the default flow where there is enough to do; torch fits everything else.
    """
    n_blocks = training.n_steps(n_rows) * -(-min(training.batch_size, n_rows) // _BLOCK)
    pays = flow.is_compiled and n_blocks >= _FEWEST_BLOCKS
    return Engine.COMPILED if pays else Engine.TORCH


@dataclass(frozen=True)
class FitResult:
    """A fitted flow, on the device of the fit, and the record of each step.

    Attributes:
        flow: The flow.
        steps: One record for each step.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow
        >>> x = torch.randn(200, 8, generator=torch.Generator().manual_seed(0))
        >>> result = fit_flow(x, glow=GlowConfig(), training=TrainingConfig(epochs=2))
        >>> [record.step for record in result.steps]
        [1, 2, 3, 4, 5, 6]
    """

    flow: Flow
    steps: tuple[StepRecord, ...]


def fit_flow(
    x: Tensor,
    *,
    glow: GlowConfig,
    training: TrainingConfig,
    device: str | torch.device = "cpu",
    on_step: Callable[[StepRecord], None] | None = None,
    checkpoints: Checkpoints | None = None,
    engine: Engine | None = None,
    release: Callable[[], None] | None = None,
) -> FitResult:
    """Fit a flow to the rows `x` by maximum likelihood, as `fit_density` does.

    Args:
        x: Embeddings, shape (N, D), N >= 2, finite; left untouched.
        glow: The architecture.
        training: The optimiser's options.
        device: Where to fit; `x` is moved there once.
        on_step: Called with each step's record.
        checkpoints: Where the fit shows the flow.
        engine: What takes the steps; None leaves it to `engine_for`.
        release: Called after every few rows that are read of a memory-mapped file.

    Returns:
        The flow, on `device`, and one record for each step.

    Raises:
        InputError: Rows that cannot be fitted, or a loss that is no longer finite.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow
        >>> x = torch.randn(200, 8, generator=torch.Generator().manual_seed(0))
        >>> result = fit_flow(x, glow=GlowConfig(), training=TrainingConfig())
        >>> len(result.steps), result.flow.to_latent(x).shape
        (3, torch.Size([200, 8]))
    """
    check_type(glow, GlowConfig, "glow", "a GlowConfig")

    def start(x: Tensor, order: Tensor) -> Flow:
        flow = Flow(x.shape[1], glow, seed=training.seed, dtype=x.dtype).to(x.device)
        if glow.initialization is Initialization.DATA:
            flow.initialize(x[order[: training.initialization_rows]])
        return flow

    def descend(flow: Flow, course: Course) -> Descent:
        if (engine or engine_for(flow, len(course.x), training)) is Engine.TORCH:
            return TorchDescent(flow, course)
        with context.loading():
            from bertflow_core.flows.compiled_fit import CompiledDescent, fit_once, load

            load(fit_once, lambda: context.report(0, training.n_steps(len(course.x)), _COMPILING))
        return CompiledDescent(flow, course)

    flow, steps = fit_density(
        start,
        x,
        training=training,
        device=device,
        on_step=on_step,
        checkpoints=checkpoints,
        descend=descend,
        release=release,
    )
    return FitResult(flow, steps)
