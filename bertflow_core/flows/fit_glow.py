"""Fit a Glow to rows: its start, then the steps that every density takes."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from bertflow_core.errors import check_type
from bertflow_core.flows.config import GlowConfig, Initialization, TrainingConfig
from bertflow_core.flows.engine import Engine, descend_by
from bertflow_core.flows.fit import Checkpoints, StepRecord, fit_density
from bertflow_core.flows.flow import Flow
from bertflow_core.progress import Progress, silent

__all__ = ["FitResult", "fit_flow"]


@dataclass(frozen=True)
class FitResult:
    """A fitted flow, on the device of the fit, and the record of each step.

    Attributes:
        flow: The flow.
        steps: One record for each step.
        stood_in: Whether torch took the steps because compiled code was not there yet: it gives
            the same up to rounding, which training magnifies.

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
    stood_in: bool = False


def fit_flow(
    x: Tensor,
    *,
    glow: GlowConfig,
    training: TrainingConfig,
    device: str | torch.device = "cpu",
    progress: Progress = silent,
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
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.
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

    stood_in: list[bool] = []
    flow, steps = fit_density(
        start,
        x,
        training=training,
        device=device,
        progress=progress,
        on_step=on_step,
        checkpoints=checkpoints,
        descend=descend_by(engine, progress, stands_in=lambda: stood_in.append(True)),
        release=release,
    )
    return FitResult(flow, steps, bool(stood_in))
