"""A straightforward BERT-flow in torch, the peer of the package's fit.

It follows the public PyTorch port, with linear layers in place of 1x1 convolutions on images of one
pixel. The first forward pass initialises ActNorm from the data, the parts that are split off are
collected in a list, the optimizer is torch's Adam, and each step reads the loss. Architecture,
initial weights and order of the rows are the package's, so the losses can be compared step by step.
"""

import math

import torch
from torch import Tensor, nn

DEPTH, N_LEVELS, WIDTH, BATCH_SIZE = 3, 2, 32, 64
LEARNING_RATE, EPS = 1e-3, 1e-6


class ActNorm(nn.Module):
    """Shift and scale, initialised from the first batch."""

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.b = nn.Parameter(torch.zeros(n_features))
        self.logs = nn.Parameter(torch.zeros(n_features))
        self.is_started = False

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the transformed rows, shaped like `x`, and the log-determinant per row."""
        if not self.is_started:
            with torch.no_grad():
                self.b.copy_(-x.mean(0))
                self.logs.copy_(-x.std(0, correction=0).log() / 3)
            self.is_started = True
        log_scale = 3 * self.logs
        return (x + self.b) * log_scale.exp(), log_scale.sum()


class Coupling(nn.Module):
    """Shift the second half by a network of the first."""

    def __init__(self, n_features: int, generator: torch.Generator) -> None:
        super().__init__()
        sizes = (n_features // 2, WIDTH)
        self.hidden = nn.ModuleList(nn.Linear(size, WIDTH, bias=False) for size in sizes)
        for weight in self.hidden.parameters():
            nn.init.normal_(weight, 0.0, 0.05, generator=generator)
        self.actnorms = nn.ModuleList([ActNorm(WIDTH), ActNorm(WIDTH)])
        self.last = nn.Linear(WIDTH, n_features - n_features // 2)
        for parameter in self.last.parameters():
            nn.init.zeros_(parameter)
        self.logs = nn.Parameter(torch.zeros(n_features - n_features // 2))

    def forward(self, x: Tensor) -> Tensor:
        """Return the transformed rows, shaped like `x`; the log-determinant is 0."""
        first, second = x.chunk(2, dim=1)
        h = first
        for hidden, actnorm in zip(self.hidden, self.actnorms, strict=True):
            h = actnorm(hidden(h))[0].relu()
        return torch.cat([first, second + self.last(h) * (3 * self.logs).exp()], dim=1)


class PlainFlow(nn.Module):
    """Two levels of three steps (ActNorm, permutation, coupling); half is split off in between."""

    def __init__(self, n_features: int, *, seed: int = 0) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        sizes = [n_features // 2**level for level in range(N_LEVELS) for _ in range(DEPTH)]
        self.actnorms = nn.ModuleList(ActNorm(size) for size in sizes)
        self.orders, couplings = [], []
        for size in sizes:
            self.orders.append(torch.randperm(size, generator=generator))
            couplings.append(Coupling(size, generator))
        self.couplings = nn.ModuleList(couplings)

    def forward(self, x: Tensor) -> Tensor:
        """Return bits per dimension, -log p(x) / (D ln 2), averaged over the rows."""
        n_features = x.shape[1]
        parts, log_determinant = [], x.new_zeros(())
        for step, (actnorm, coupling) in enumerate(zip(self.actnorms, self.couplings, strict=True)):
            if step and step % DEPTH == 0:
                x, split_off = x.chunk(2, dim=1)
                parts.append(split_off)
            x, change = actnorm(x)
            x = coupling(x[:, self.orders[step]])
            log_determinant = log_determinant + change
        squares = sum(part.square().sum(1) for part in [*parts, x])
        log_prob = log_determinant - 0.5 * (squares + n_features * math.log(2 * math.pi))
        return -log_prob.mean() / (n_features * math.log(2))


def fit(x: Tensor, *, seed: int = 0) -> list[float]:
    """Fit rows (N, D) for one epoch of full batches; return each step's bits per dimension."""
    flow = PlainFlow(x.shape[1], seed=seed)
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
