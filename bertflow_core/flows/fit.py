"""Fit a density by maximum likelihood (Eq. 4 of Li et al., 2020), on any device.

`fit_density` fits any density, and `fit_flow` initializes and fits a Glow. For the default flow,
the loops of `compiled` take the same steps up to rounding, several times as fast.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import torch
from torch import Tensor, nn
from torch.optim.adamw import adamw

from bertflow_core.arguments import checked
from bertflow_core.errors import InputError
from bertflow_core.flows.config import BETAS, EPS, START_ROWS, GlowConfig, TrainingConfig
from bertflow_core.flows.glow import Flow
from bertflow_core.runtime import context
from bertflow_core.runtime.device import one_thread, resolve_device

if TYPE_CHECKING:
    from bertflow_core.flows.compiled import CompiledDescent

    Descent: TypeAlias = "TorchDescent | CompiledDescent"

READ_AT_ONCE = 128
"""Rows read from a mapped file before its pages are released; a single row may load 2 MiB."""

# Largest numbers of steps and rows between readings of losses, which wait for the device.
_READ_EVERY, _READ_EVERY_ROWS = 32, 1 << 16
_LATE = 2.0**30  # steps from which both bias corrections, 1 - beta^t, are exactly 1
_CHECKED_AT_ONCE = 65_536
# Rows per block, and blocks in a fit below which torch is faster than loading compiled code.
_BLOCK, _FEWEST_BLOCKS = 64, 64

_COMPILING = "steps (compiling their code, once on this machine, takes some seconds)"


@dataclass(frozen=True)
class StepRecord:
    """The loss and the gradient norm of a training step, before it changes the parameters.

    Example:
        >>> from bertflow_core.flows import StepRecord
        >>> StepRecord(step=1, bits_per_dimension=2.05, gradient_norm=0.4).step
        1
    """

    step: int  # from 1
    bits_per_dimension: float  # mean of -log p(x) / (D ln 2) over the batch; may be negative
    gradient_norm: float  # global norm of the gradient, before clipping


@dataclass(frozen=True)
class Checkpoints:
    """Steps after which a fit passes its density to `show`, without any effect on its result.

    `show` is called with the step and the density, a torch module on the device of the fit, while
    gradients are off. It must not change the density, which the next step changes in place.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import Checkpoints, GlowConfig, TrainingConfig, fit_flow
        >>> checkpoints = Checkpoints(frozenset({0, 2}), lambda step, flow: print(step))
        >>> x = torch.randn(200, 4, generator=torch.Generator().manual_seed(0))
        >>> _ = fit_flow(x, glow=GlowConfig(), training=TrainingConfig(), checkpoints=checkpoints)
        0
        2
    """

    steps: frozenset[int]  # after these steps; 0 is the start
    show: Callable[[int, Any], None]


class AdamW:
    r"""AdamW: moments of the gradients and the resulting steps.

    .. math::
        m_t = 0.9 m_{t-1} + 0.1 g_t \qquad v_t = 0.999 v_{t-1} + 0.001 g_t^2 \\ \theta_t = (1 - \eta
        \lambda) \theta_{t-1} - \eta \hat m_t / (\sqrt{\hat v_t} + 10^{-6})

    Here :math:`\hat m_t = m_t / (1 - 0.9^t)` and :math:`\hat v_t = v_t / (1 - 0.999^t)`. Without
    bias correction, they are the moments themselves, as in BERT's own optimiser, which the
    reference code uses. This is Algorithm 2 of Loshchilov & Hutter (2019),
    https://arxiv.org/abs/1711.05101. It calls torch's fused kernel directly. `torch.optim.AdamW`
    would import torch's compiler, which takes longer than a small fit. Gradients are read from the
    parameters' `grad`.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        *,
        learning_rate: float,
        weight_decay: float,
        bias_correction: bool,
    ) -> None:
        self.parameters = list(parameters)
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        # float32 rounds _LATE + 1 to _LATE, so that this count never changes.
        first = 0.0 if bias_correction else _LATE
        self._means = [torch.zeros_like(p) for p in self.parameters]
        self._squares = [torch.zeros_like(p) for p in self.parameters]
        self._counts = [
            torch.full((), first, dtype=torch.float32, device=p.device) for p in self.parameters
        ]

    def zero_grad(self) -> None:
        """Clear the gradients."""
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Update every parameter from its gradient."""
        adamw(
            self.parameters,  # type: ignore[arg-type]
            [p.grad for p in self.parameters if p.grad is not None],  # each one has a gradient
            self._means,
            self._squares,
            [],
            self._counts,
            fused=True,
            amsgrad=False,
            beta1=BETAS[0],
            beta2=BETAS[1],
            lr=self.learning_rate,
            weight_decay=self.weight_decay,
            eps=EPS,
            maximize=False,
        )


class Density(Protocol):
    """A density that can be fitted: it has torch parameters and a log-density."""

    n_features: int

    def log_prob(self, x: Tensor) -> Tensor:
        """Return the log-density in nats, shape (N,), of the rows `x`, shape (N, D)."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """Return the parameters of the fit."""


AnyDensity = TypeVar("AnyDensity", bound=Density)


class TorchDescent:
    """A fit of a density, in place, by AdamW with automatic differentiation."""

    def __init__(self, density: Density, training: TrainingConfig) -> None:
        self._density = density
        self._largest_norm = math.inf if training.clip_norm is None else training.clip_norm
        self._optimizer = AdamW(
            density.parameters(),
            learning_rate=training.lr,
            weight_decay=training.weight_decay,
            bias_correction=training.bias_correction,
        )

    def step(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Take a step on a batch, shape (B, D); return its bits per dimension and gradient norm."""
        density, optimizer = self._density, self._optimizer
        bits_per_dimension = -density.log_prob(rows).mean() / (density.n_features * math.log(2))
        torch.autograd.backward(bits_per_dimension)
        norm = nn.utils.clip_grad_norm_(optimizer.parameters, self._largest_norm)
        optimizer.step()
        optimizer.zero_grad()
        return bits_per_dimension.detach(), norm


@checked
@one_thread()
def fit_density(
    start: Callable[[Tensor, Tensor], AnyDensity],
    x: Tensor,
    *,
    training: TrainingConfig,
    device: str | torch.device = "cpu",
    on_step: Callable[[StepRecord], None] | None = None,
    checkpoints: Checkpoints | None = None,
    descend: Callable[[AnyDensity, TrainingConfig], "Descent"] = TorchDescent,
    release: Callable[[], None] | None = None,
) -> tuple[AnyDensity, tuple[StepRecord, ...]]:
    """Fit a density to the rows `x` by maximum likelihood.

    The loss is the mean of -log p(x) / (D ln 2) over a batch. The optimiser is Adam at a constant
    learning rate, or AdamW with weight decay. The rows are shuffled for each epoch, and a last,
    partial batch is left out. Equal seeds give equal results, bit for bit on one CPU; the global
    random state is not used. On the CPU the fit runs on the calling thread only.

    Args:
        start: Function of the rows, shape (N, D), on the device, and of their order in the first
            epoch, shape (N,), that returns the unfitted density.
        x: Finite rows, shape (N, D), N >= 2, which stay unchanged. float64 is fitted in float64,
            every other dtype in float32.
        training: Options of the optimiser.
        device: Device of the fit, to which `x` is copied once.
        on_step: Called with each step's record in order, for a group of steps at a time.
        checkpoints: Steps after which the density is passed to `checkpoints.show`. Losses are
            copied from the device at these steps, too.
        descend: Class that takes the steps; the default uses torch and runs on any device.
        release: Called after every few rows, so that pages of a memory-mapped file are released;
            None for rows in memory.

    Returns:
        The density, on `device`, and one record for each step.

    Raises:
        InputError: Unsuitable rows, or a loss that is no longer finite.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import Flow, GlowConfig, TrainingConfig, fit_density
        >>> x = torch.randn(200, 4, generator=torch.Generator().manual_seed(0))
        >>> flow, steps = fit_density(
        ...     lambda x, order: Flow(x.shape[1], GlowConfig()), x, training=TrainingConfig()
        ... )
        >>> len(steps), flow.log_prob(x).shape
        (3, torch.Size([200]))
    """
    x = _checked(x, training, release or (lambda: None))
    x = x.to(resolve_device(device) if isinstance(device, str) else device)
    generator = torch.Generator().manual_seed(training.seed)
    order = torch.randperm(len(x), generator=generator).to(device)
    density = start(x, order)
    n_steps = training.n_steps(len(x))
    shown = checkpoints.steps if checkpoints else frozenset()

    @torch.no_grad()
    def show(step: int) -> None:
        if checkpoints and step in shown:
            checkpoints.show(step, density)

    show(0)
    descent = descend(density, training)
    numbers = batches(order, training.batch_size, generator)
    release = release if x.device.type == "cpu" else None
    steps: list[StepRecord] = []
    every = min(_READ_EVERY, max(1, _READ_EVERY_ROWS // training.batch_size))
    ends = {*range(0, n_steps, every), *(step for step in shown if step <= n_steps), n_steps}
    for before, end in pairwise(sorted(ends)):
        taken = [descent.step(_rows(x, batch, release)) for batch in islice(numbers, end - before)]
        for step, (bits, norm) in enumerate(taken, before + 1):
            steps.append(StepRecord(step, float(bits), float(norm)))
            _check_finite(step, steps[-1].bits_per_dimension, steps[-1].gradient_norm)
            if on_step is not None:
                on_step(steps[-1])
        show(end)
        context.report(end, n_steps, "steps")
    with torch.no_grad():  # the loss after the last step, which is in no record
        last = density.log_prob(_rows(x, order[: training.batch_size], release))
    _check_finite(n_steps, last.mean().item())
    return density, tuple(steps)


@dataclass(frozen=True)
class FitResult:
    """A fitted flow, on the device of the fit, and the record of each step.

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


@checked
def fit_flow(
    x: Tensor,
    *,
    glow: GlowConfig,
    training: TrainingConfig,
    device: str | torch.device = "cpu",
    on_step: Callable[[StepRecord], None] | None = None,
    checkpoints: Checkpoints | None = None,
    compiled: bool | None = None,
    release: Callable[[], None] | None = None,
) -> FitResult:
    """Fit a flow to the rows `x` by maximum likelihood, with the options of `fit_density`.

    `glow` is the architecture. `compiled` chooses compiled loops or torch; None leaves the choice
    to `is_compiled`.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow
        >>> x = torch.randn(200, 8, generator=torch.Generator().manual_seed(0))
        >>> result = fit_flow(x, glow=GlowConfig(), training=TrainingConfig())
        >>> len(result.steps), result.flow.to_latent(x).shape
        (3, torch.Size([200, 8]))
    """

    def start(x: Tensor, order: Tensor) -> Flow:
        flow = Flow(x.shape[1], glow, seed=training.seed, dtype=x.dtype).to(x.device)
        if glow.initialization == "data":
            flow.initialize(x[order[:START_ROWS]])
        return flow

    def descend(flow: Flow, training: TrainingConfig) -> "Descent":
        if not (is_compiled(flow, len(x), training) if compiled is None else compiled):
            return TorchDescent(flow, training)
        with context.loading():
            from bertflow_core.flows.compiled import CompiledDescent, load

            load(lambda: context.report(0, training.n_steps(len(x)), _COMPILING))
        return CompiledDescent(flow, training)

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


def is_compiled(flow: Flow, n_rows: int, training: TrainingConfig) -> bool:
    """Tell whether compiled loops fit a flow: the default flow, on enough rows."""
    n_blocks = training.n_steps(n_rows) * -(-min(training.batch_size, n_rows) // _BLOCK)
    return flow.has_loops and n_blocks >= _FEWEST_BLOCKS


def _checked(x: Tensor, training: TrainingConfig, release: Callable[[], None]) -> Tensor:
    """Refuse unsuitable rows, and return all in the dtype of the fit; check for cancellation."""
    if x.ndim != 2 or len(x) < 2:
        raise InputError(f"expected rows of shape (N, D), at least 2, got {tuple(x.shape)}")
    for start in range(0, len(x), _CHECKED_AT_ONCE):
        if start:
            context.report(0, training.n_steps(len(x)), "steps")
            release()
        if x[start : start + _CHECKED_AT_ONCE].sum().isfinite():
            continue  # a quick test; a sum of finite numbers may also overflow
        n_bad = int((~x.isfinite()).any(1).sum())
        if n_bad:
            raise InputError(
                f"the embeddings are not finite: expected numbers, got NaN or infinity in {n_bad} "
                f"of {len(x)} rows; remove these rows"
            )
    return x.detach().to(torch.float64 if x.dtype == torch.float64 else torch.float32)


def batches(order: Tensor, size: int, generator: torch.Generator) -> Iterator[Tensor]:
    """Yield batches of row numbers without end: from `order`, shape (N,), then from new orders."""
    size = min(size, len(order))
    while True:
        for start in range(0, len(order) - size + 1, size):
            yield order[start : start + size]
        order = torch.randperm(len(order), generator=generator).to(order.device)


def _rows(x: Tensor, numbers: Tensor, release: Callable[[], None] | None) -> Tensor:
    """Return a copy of some rows, shape (n, D); a memory-mapped file is read in parts."""
    if release is None:
        return x.index_select(0, numbers)
    rows = x.new_empty((len(numbers), x.shape[1]))
    for start in range(0, len(numbers), READ_AT_ONCE):
        some = slice(start, start + READ_AT_ONCE)
        rows[some] = x.index_select(0, numbers[some])
        release()
    return rows


def _check_finite(step: int, *values: float) -> None:
    bad = [value for value in values if not math.isfinite(value)]
    if bad:
        raise InputError(
            f"the fit diverged: expected a finite loss and gradient, got {bad[0]} at step {step}; "
            "lower the learning rate or standardize the embeddings first"
        )
