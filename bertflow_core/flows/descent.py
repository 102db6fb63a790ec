"""Steps of gradient descent on a density: what they are given, and how torch takes them."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

import torch
from torch import Tensor, nn

from bertflow_core.flows.adamw import AdamW
from bertflow_core.flows.config import TrainingConfig

__all__ = ["READ_AT_ONCE", "Course", "Density", "Descend", "Descent", "TorchDescent"]

READ_AT_ONCE = 128
"""Rows of a mapped file that are read before they are released: each may bring 2 MiB with it."""


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
