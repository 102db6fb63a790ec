"""Fit a density by maximum likelihood (Eq. 4 of Li et al., 2020): one loop, for any device."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.optim.adamw import adamw

from bertflow_core import context
from bertflow_core.device import resolve_device
from bertflow_core.errors import InputError, check_type
from bertflow_core.flows.config import TrainingConfig, check_rows
from bertflow_core.threads import one_thread

READ_EVERY = 32
"""Steps between two readings of the losses: each reading waits for the device."""

READ_AT_ONCE = 128
"""Rows of a mapped file that are read before they are released: each may bring 2 MiB with it."""

BETAS = (0.9, 0.999)
EPS = 1e-6
LATE = 2.0**30
"""A count of steps at which both corrections 1 - beta^t are exactly 1."""

_CHECKED_AT_ONCE = 65_536


@dataclass(frozen=True)
class StepRecord:
    """What one training step saw, before it changed the parameters.

    Args:
        step: From 1.
        bits_per_dimension: Mean of -log p(x) / (D ln 2) over the batch; may be negative.
        gradient_norm: Global norm of its gradient, before clipping.

    Example:
        >>> from bertflow_core.flows import StepRecord
        >>> StepRecord(step=1, bits_per_dimension=2.05, gradient_norm=0.4).step
        1
    """

    step: int
    bits_per_dimension: float
    gradient_norm: float


@dataclass(frozen=True)
class Checkpoints:
    """When a fit shows its density, and to whom; this changes no number of the fit.

    Args:
        steps: After which steps; 0 is the start, and what lies beyond the fit is never reached.
        show: Called with the step and the density, a torch module on the device of the fit, which
            it must leave as it is: the next step changes it in place. Takes no gradient.

    Example:
        >>> import torch
        >>> from bertflow_core.flows import Checkpoints, GlowConfig, TrainingConfig, fit_flow
        >>> seen = []
        >>> checkpoints = Checkpoints(frozenset({0, 2}), lambda step, flow: seen.append(step))
        >>> x = torch.randn(200, 4, generator=torch.Generator().manual_seed(0))
        >>> _ = fit_flow(x, glow=GlowConfig(), training=TrainingConfig(), checkpoints=checkpoints)
        >>> seen
        [0, 2]
    """

    steps: frozenset[int] = frozenset()
    show: Callable[[int, nn.Module], None] = field(default=lambda step, density: None)

    @torch.no_grad()
    def reach(self, step: int, density: object) -> None:
        """Show `density` where `step` is one of the steps."""
        if step in self.steps and isinstance(density, nn.Module):
            self.show(step, density)


class AdamW:
    r"""Moments of the gradients, and the steps that they lead to.

    .. math::
        m_t = 0.9 m_{t-1} + 0.1 g_t \qquad v_t = 0.999 v_{t-1} + 0.001 g_t^2 \\
        \theta_t = (1 - \eta \lambda) \theta_{t-1} - \eta \hat m_t / (\sqrt{\hat v_t} + 10^{-6})

    with :math:`\hat m_t = m_t / (1 - 0.9^t)` and :math:`\hat v_t = v_t / (1 - 0.999^t)`, or the
    moments themselves where their bias is not corrected. It is torch's fused kernel without
    `torch.optim.AdamW` around it: making one imports torch's compiler, which takes longer than a
    small fit.

    Args:
        parameters: What to move; their `grad` is read.
        learning_rate: eta.
        weight_decay: lambda, decoupled.
        bias_correction: Whether the moments are corrected. BERT's own optimiser, which the
            reference code uses, does not.

    References:
        Decoupled Weight Decay Regularization (Loshchilov & Hutter, 2019), Algorithm 2.
        https://arxiv.org/abs/1711.05101
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
        # float32 holds LATE + 1 as LATE, so that a late start stays where it is.
        first = 0.0 if bias_correction else LATE
        self._means = [torch.zeros_like(p) for p in self.parameters]
        self._squares = [torch.zeros_like(p) for p in self.parameters]
        self._counts = [
            torch.tensor(first, dtype=torch.float32, device=p.device) for p in self.parameters
        ]

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter by its gradient."""
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
    """What can be fitted: a torch module with a log-density.

    Example:
        >>> from bertflow_core.flows import Density, Flow, GlowConfig
        >>> density: Density = Flow(4, GlowConfig())
        >>> density.n_features
        4
    """

    n_features: int

    def log_prob(self, x: Tensor) -> Tensor:
        """Return the log-density in nats, shape (N,), of the rows `x`, shape (N, D)."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]:
        """Return what the fit may change."""
        ...


@dataclass(frozen=True, eq=False)
class Course:
    """What a descent goes through.

    Attributes:
        x: All rows, shape (N, D).
        batches: The row numbers of each step.
        training: The optimiser's options.
        beat: Called about ten times a second while steps are taken; may raise.
        release: Lets rows that were read leave the memory again; None where they lie in no file.
    """

    x: Tensor
    batches: Iterator[Tensor]
    training: TrainingConfig
    beat: Callable[[], None] = lambda: None
    release: Callable[[], None] | None = None

    def rows(self, numbers: Tensor) -> Tensor:
        """Return a copy of these rows, shape (n, D); of a mapped file few are mapped at a time."""
        if self.release is None:
            return self.x[numbers]
        rows = self.x.new_empty((len(numbers), self.x.shape[1]))
        for start in range(0, len(numbers), READ_AT_ONCE):
            some = slice(start, start + READ_AT_ONCE)
            rows[some] = self.x[numbers[some]]
            self.release()
        return rows


class Descent(Protocol):
    """Steps of gradient descent on a density, taken as they are asked for."""

    def take(self, n_steps: int) -> list[tuple[float, float]]:
        """Take the next steps; return the bits per dimension and the gradient norm of each."""
        ...

    def settle(self) -> None:
        """Let the density have the parameters that the steps led to, and no gradients."""
        ...


AnyDensity = TypeVar("AnyDensity", bound=Density)
Descend = Callable[[AnyDensity, Course], Descent]
"""Starts a descent."""


class TorchDescent:
    """AdamW's steps by automatic differentiation."""

    def __init__(self, density: Density, course: Course) -> None:
        training = course.training
        self._density, self._course = density, course
        self._largest_norm = math.inf if training.clip_norm is None else training.clip_norm
        self._optimizer = AdamW(
            density.parameters(),
            learning_rate=training.lr,
            weight_decay=training.weight_decay,
            bias_correction=training.bias_correction,
        )

    def take(self, n_steps: int) -> list[tuple[float, float]]:
        """Take the next steps, and read what they measured from the device at once."""
        taken = [self._step(numbers) for numbers in islice(self._course.batches, n_steps)]
        measured: list[tuple[float, float]] = torch.stack(taken).tolist()
        return measured

    def settle(self) -> None:
        """Forget the gradients: the density is changed in place."""
        self._optimizer.zero_grad()

    def _step(self, numbers: Tensor) -> Tensor:
        """Return bits per dimension and gradient norm of one step, shape (2,), unread."""
        density, optimizer = self._density, self._optimizer
        log_prob = density.log_prob(self._course.rows(numbers))
        bits_per_dimension = -log_prob.mean() / (density.n_features * math.log(2))
        optimizer.zero_grad()
        torch.autograd.backward(bits_per_dimension)
        norm = nn.utils.clip_grad_norm_(optimizer.parameters, self._largest_norm, foreach=True)
        optimizer.step()
        return torch.stack((bits_per_dimension.detach(), norm))


@one_thread()
def fit_density(
    start: Callable[[Tensor, Tensor], AnyDensity],
    x: Tensor,
    *,
    training: TrainingConfig,
    device: str | torch.device = "cpu",
    on_step: Callable[[StepRecord], None] | None = None,
    checkpoints: Checkpoints | None = None,
    descend: Descend[AnyDensity] = TorchDescent,
    release: Callable[[], None] | None = None,
) -> tuple[AnyDensity, tuple[StepRecord, ...]]:
    """Fit a density to the rows `x` by maximum likelihood.

    The loss is the mean of -log p(x) / (D ln 2) over a batch; the optimiser is Adam at a constant
    learning rate, AdamW where the weights decay. The rows are shuffled for each epoch, and a last,
    partial batch is left out. One seed gives one result, bit for bit on one CPU; the global random
    state plays no part. On the CPU the fit runs on the calling thread alone.

    Args:
        start: Makes the unfitted density, given the rows as they are fitted, shape (N, D), on the
            device, and their order in the first epoch, shape (N,).
        x: Rows, shape (N, D), N >= 2, finite; left untouched. float64 is fitted in float64, every
            other dtype in float32.
        training: The optimiser's options.
        device: Where to fit; `x` is moved there once.
        on_step: Called with each step's record, in order and equally often.
        checkpoints: Where the fit shows its density; the losses are read there too.
        descend: Takes the steps; torch, on any device.
        release: Called after every few rows that are read, so that those of a memory-mapped file
            do not stay in memory; None where they lie in no file.

    Returns:
        The density, on `device`, and one record for each step.

    Raises:
        InputError: Rows that cannot be fitted, or a loss that is no longer finite.

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
    check_type(training, TrainingConfig, "training", "a TrainingConfig")
    check_type(device, (str, torch.device), "device", "a name such as cpu, or a torch.device")
    x = _checked(x, lambda: context.report(0, training.n_steps(len(x)), "steps"))
    x = x.to(resolve_device(device) if isinstance(device, str) else device)
    generator = torch.Generator().manual_seed(training.seed)
    order = torch.randperm(len(x), generator=generator).to(device)
    density = start(x, order)
    n_steps = training.n_steps(len(x))
    steps: list[StepRecord] = []
    checkpoints = checkpoints or Checkpoints()
    checkpoints.reach(0, density)
    course = Course(
        x,
        _batches(order, n_steps, training.batch_size, generator),
        training,
        beat=lambda: context.report(len(steps), n_steps, "steps"),
        release=release if x.device.type == "cpu" else None,
    )
    descent = descend(density, course)
    for before, end in pairwise(_ends(n_steps, checkpoints)):
        records = _records(before + 1, descent.take(end - before))
        steps += records
        if on_step is not None:
            for record in records:
                on_step(record)
        if end in checkpoints.steps or end == n_steps:
            descent.settle()
        checkpoints.reach(end, density)
        context.report(end, n_steps, "steps")
    _check_fitted(density, course.rows(order[: training.batch_size]), n_steps)
    return density, tuple(steps)


def _checked(x: Tensor, beat: Callable[[], None]) -> Tensor:
    """Return the rows in the dtype of the fit; `beat` is called between parts of many rows."""
    check_type(x, Tensor, "rows", "a torch tensor of shape (N, D)")
    check_rows(x)
    if len(x) < 2:
        raise InputError(f"too few rows: expected at least 2, got {len(x)}; pass more sentences")
    for start in range(0, len(x), _CHECKED_AT_ONCE):
        if start:
            beat()
        # Quick; a sum of finite numbers may overflow too.
        if not x[start : start + _CHECKED_AT_ONCE].sum().isfinite():
            _check_rows_finite(x)
    return x.detach().to(torch.float64 if x.dtype == torch.float64 else torch.float32)


def _check_rows_finite(x: Tensor) -> None:
    n_bad = int((~x.isfinite()).any(1).sum())
    if n_bad:
        raise InputError(
            f"the embeddings are not finite: expected numbers, got NaN or infinity in {n_bad} of "
            f"{len(x)} rows; remove these rows"
        )


def _batches(
    order: Tensor, n_steps: int, batch_size: int, generator: torch.Generator
) -> Iterator[Tensor]:
    """Yield each step's row numbers: whole batches of `order`, shape (N,), then of new orders."""
    batch_size = min(batch_size, len(order))
    per_epoch = len(order) // batch_size
    for step in range(n_steps):
        start = step % per_epoch * batch_size
        if step and start == 0:
            order = torch.randperm(len(order), generator=generator).to(order.device)
        yield order[start : start + batch_size]


def _ends(n_steps: int, checkpoints: Checkpoints) -> list[int]:
    """Return, rising from 0, after which steps to read: every `READ_EVERY`, and the last."""
    ends = {*range(0, n_steps, READ_EVERY), *checkpoints.steps, n_steps}
    return sorted(end for end in ends if end <= n_steps)


def _records(first: int, measured: Iterable[tuple[float, float]]) -> list[StepRecord]:
    """Return the records of the steps from `first` on."""
    records = [StepRecord(step, *pair) for step, pair in enumerate(measured, first)]
    for record in records:
        _check_finite(record.step, record.bits_per_dimension, record.gradient_norm)
    return records


@torch.no_grad()
def _check_fitted(density: Density, batch: Tensor, n_steps: int) -> None:
    """Check the loss after the last step, which no record shows."""
    _check_finite(n_steps, density.log_prob(batch).mean().item())


def _check_finite(step: int, *values: float) -> None:
    bad = [value for value in values if not math.isfinite(value)]
    if bad:
        raise InputError(
            f"the fit diverged: expected a finite loss and gradient, got {bad[0]} at step {step}; "
            "lower the learning rate or standardize the embeddings first"
        )
