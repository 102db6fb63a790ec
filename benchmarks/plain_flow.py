"""BERT-flow as one would write it down: what the package's fit is measured against.

It follows the public PyTorch port: data-dependent start in the first forward pass, a list of the
parts split off, stock Adam, and the loss read in each step. The port makes images of one pixel out
of vectors and runs 1x1 convolutions; with linear layers it is the plain loop. Architecture,
starts and order of the rows are the package's, so that the losses can be compared step by step.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

__all__ = ["PlainFlow", "convolution", "fit", "linear"]

Layer = Callable[..., nn.Module]

DEPTH, N_LEVELS, WIDTH, BATCH_SIZE = 3, 2, 32, 64
LEARNING_RATE, EPS = 1e-3, 1e-6


def linear(n_inputs: int, n_outputs: int, *, bias: bool) -> nn.Module:
    """Return a layer for rows of shape (N, D)."""
    return nn.Linear(n_inputs, n_outputs, bias=bias)


def convolution(n_inputs: int, n_outputs: int, *, bias: bool) -> nn.Module:
    """Return a layer for images of one pixel, shape (N, D, 1, 1)."""
    return nn.Conv2d(n_inputs, n_outputs, kernel_size=1, bias=bias)


class ActNorm(nn.Module):
    """Shift and scale, which the first batch starts."""

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.b = nn.Parameter(torch.zeros(n_features))
        self.logs = nn.Parameter(torch.zeros(n_features))
        self.is_started = False

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the rows, shape as `x`, and the log-determinant of one of them."""
        if not self.is_started:
            self._start(x.detach().flatten(1))
        shape = (1, -1, *(1,) * (x.dim() - 2))
        log_scale = 3 * self.logs
        return (x + self.b.view(shape)) * log_scale.view(shape).exp(), log_scale.sum()

    @torch.no_grad()
    def _start(self, x: Tensor) -> None:
        self.b.copy_(-x.mean(0))
        self.logs.copy_(-x.std(0, correction=0).log() / 3)
        self.is_started = True


class Coupling(nn.Module):
    """Shift the second half by a network of the first."""

    def __init__(self, n_features: int, layer: Layer, generator: torch.Generator) -> None:
        super().__init__()
        sizes = (n_features // 2, WIDTH)
        self.hidden = nn.ModuleList(layer(size, WIDTH, bias=False) for size in sizes)
        for weight in self.hidden.parameters():
            nn.init.normal_(weight, 0.0, 0.05, generator=generator)
        self.actnorms = nn.ModuleList([ActNorm(WIDTH), ActNorm(WIDTH)])
        self.last = layer(WIDTH, n_features - n_features // 2, bias=True)
        for parameter in self.last.parameters():
            nn.init.zeros_(parameter)
        self.logs = nn.Parameter(torch.zeros(n_features - n_features // 2))

    def forward(self, x: Tensor) -> Tensor:
        """Return the rows, shape as `x`; the volume stays."""
        first, second = x.chunk(2, dim=1)
        h = first
        for hidden, actnorm in zip(self.hidden, self.actnorms, strict=True):
            h = actnorm(hidden(h))[0].relu()
        scale = (3 * self.logs).exp().view(1, -1, *(1,) * (x.dim() - 2))
        return torch.cat([first, second + self.last(h) * scale], dim=1)


class PlainFlow(nn.Module):
    """Two levels of three steps (ActNorm, permutation, coupling); half is split off in between."""

    def __init__(self, n_features: int, layer: Layer, *, seed: int = 0) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        sizes = [n_features // 2**level for level in range(N_LEVELS) for _ in range(DEPTH)]
        self.actnorms = nn.ModuleList(ActNorm(size) for size in sizes)
        self.orders, couplings = [], []
        for size in sizes:
            self.orders.append(torch.randperm(size, generator=generator))
            couplings.append(Coupling(size, layer, generator))
        self.couplings = nn.ModuleList(couplings)

    def forward(self, x: Tensor) -> Tensor:
        """Return -log p(x) / (D ln 2), averaged over the rows."""
        n_features = x.shape[1]
        parts, log_determinant = [], x.new_zeros(())
        for step, (actnorm, coupling) in enumerate(zip(self.actnorms, self.couplings, strict=True)):
            if step and step % DEPTH == 0:
                x, split_off = x.chunk(2, dim=1)
                parts.append(split_off)
            x, change = actnorm(x)
            x = coupling(x[:, self.orders[step]])
            log_determinant = log_determinant + change
        squares = sum(part.square().flatten(1).sum(1) for part in [*parts, x])
        log_prob = log_determinant - 0.5 * (squares + n_features * math.log(2 * math.pi))
        return -log_prob.mean() / (n_features * math.log(2))


def fit(x: Tensor, layer: Layer, *, seed: int = 0) -> list[float]:
    """Fit for one epoch of whole batches; return the loss of each step in bits per dimension.

    Args:
        x: Rows, shape (N, D), for `linear`, or (N, D, 1, 1) for `convolution`.
        layer: `linear` or `convolution`.
        seed: Decides the start and the order.
    """
    flow = PlainFlow(x.shape[1], layer, seed=seed)
    optimizer = torch.optim.Adam(flow.parameters(), lr=LEARNING_RATE, eps=EPS)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    losses = []
    for start in range(0, len(x) - BATCH_SIZE + 1, BATCH_SIZE):
        loss = flow(x[order[start : start + BATCH_SIZE]])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
