"""What a fit of the real flow shows on its way: losses, checkpoints, and what follows from them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from bertflow_core.analysis.spectrum import effective_rank
from bertflow_core.errors import InputError
from bertflow_core.evaluation import Difference
from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.trace import layer_names, trace
from bertflow_core.linalg import FloatArray
from bertflow_core.results import Prepared

__all__ = ["Checkpoint", "LiveFit", "Measures", "Watched", "late_span", "verdict"]

MAX_SHOWN = 600
WOBBLE = 0.001
"""Differences of rho from checkpoint to checkpoint that say nothing."""


@dataclass(frozen=True, eq=False)
class Measures:
    """What a space is like, in the unit of its name.

    Attributes:
        rho: Spearman's rho of cosine with gold on the scored pairs; None without gold.
        mean_cosine: Over all pairs of the scored sentences.
        norm_gap: Kolmogorov and Smirnov's statistic of the held-out rows' norms against chi(D).
        spectrum: Singular spectrum of the held-out rows, falling, shape (D,).
    """

    rho: float | None
    mean_cosine: float
    norm_gap: float
    spectrum: FloatArray = field(repr=False)

    @property
    def effective_rank(self) -> float:
        """How many directions share the variance, from 1 to D."""
        return effective_rank(np.square(self.spectrum))


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """The flow after some steps.

    Attributes:
        step: Steps so far.
        log_likelihood: Mean log-density of the held-out sentences in nats.
        measures: Of the latent space.
        weights: The flow's parameters by name.
    """

    step: int
    log_likelihood: float
    measures: Measures
    weights: dict[str, FloatArray] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Watched:
    """What a fit is watched on.

    Attributes:
        prepared: The scored pairs: those of the dev split where there is one.
        x_fit: Embeddings that are fitted, shape (M, D), float32.
        x_held_out: Of sentences of the fit corpus that no step sees, shape (H, D), float32.
        before: The measures of the embeddings as they are.
    """

    prepared: Prepared
    x_fit: FloatArray = field(repr=False)
    x_held_out: FloatArray = field(repr=False)
    before: Measures


@dataclass(eq=False)
class LiveFit:
    """A fit that is under way or over; its own thread writes, others read copies.

    Args:
        epochs: Passes over the fitted sentences.

    Attributes:
        watched: The data, once they are embedded.
        n_steps: Steps of the whole fit, known from then on.
        losses: Bits per dimension of each step so far.
        checkpoints: Those reached so far.
        change: Rho at the end of `late_span` less rho at its start, from a paired bootstrap; None
            before the fit is over, and where the pairs do not allow it.
    """

    epochs: float
    watched: Watched | None = None
    n_steps: int = 0
    losses: list[float] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    change: Difference | None = None

    def flow_at(self, checkpoint: Checkpoint) -> Flow:
        """Return the flow of a checkpoint."""
        flow = Flow(self._known.x_fit.shape[1], GlowConfig())
        flow.load_state_dict({k: torch.from_numpy(v) for k, v in checkpoint.weights.items()})
        return flow

    def layers(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        """Return the names of the layers, in order."""
        return layer_names(self.flow_at(checkpoint))

    def coordinates(self, checkpoint: Checkpoint, dims: Sequence[int]) -> FloatArray:
        """Return some features of held-out rows after 0 to L layers, shape (L + 1, n, len(dims)).

        Args:
            checkpoint: One of this fit.
            dims: Features, counted from 0. They keep their places in a coupling and are reversed
                by a reversal: what is read off is the place, not the feature that it began as.

        Raises:
            InputError: There is no such feature, or the sentences are not embedded yet.
        """
        rows = torch.from_numpy(self._known.x_held_out[:MAX_SHOWN])
        if not all(0 <= d < rows.shape[1] for d in dims):
            raise InputError(f"features go from 0 to {rows.shape[1] - 1}, got {list(dims)}")
        found: FloatArray = trace(self.flow_at(checkpoint), rows).states[..., list(dims)].numpy()
        return found

    @property
    def _known(self) -> Watched:
        if self.watched is None:
            raise InputError("the sentences are not embedded yet: wait for the first checkpoint")
        return self.watched


def late_span(checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, Checkpoint] | None:
    """Return the first checkpoint with rho within 0.1 points of the best, and the last of all.

    Where these are one and the same, rho never stopped rising, and the first of all takes its
    place. None without gold, or before two checkpoints.
    """
    rhos = [(point.measures.rho, point) for point in checkpoints if point.measures.rho is not None]
    if len(rhos) < 2:
        return None
    best = max(rho for rho, _ in rhos)
    since = next(point for rho, point in rhos if rho >= best - WOBBLE)
    last = rhos[-1][1]
    return (rhos[0][1] if since is last else since), last


def verdict(checkpoints: Sequence[Checkpoint], change: Difference | None = None) -> str | None:
    """Say what more training did once rho was near its best.

    That likelihood does not say when to stop is claimed only where it rose and rho fell by more
    than checkpoints wobble, and by more than chance. The start of the span is chosen by its rho,
    which favours a fall, as is said: the interval knows nothing of it.

    Args:
        checkpoints: Of one fit.
        change: Of rho over `late_span`; None claims nothing.

    Returns:
        None without gold, or before two checkpoints.
    """
    span = late_span(checkpoints)
    if span is None:
        return None
    since, last = span
    rho = 100 * (since.measures.rho or 0.0), 100 * (last.measures.rho or 0.0)
    found = (
        f"From step {since.step:,} to step {last.step:,} the mean log-likelihood of held-out "
        f"sentences {_moved(since.log_likelihood, last.log_likelihood, 1)} nats, and rho x 100 "
    )
    if change is None:
        return f"{found}went from {rho[0]:.2f} to {rho[1]:.2f}: whether by chance is not tested."
    found += f"{_moved(*rho, 2)}."
    is_likelier = round(last.log_likelihood, 1) > round(since.log_likelihood, 1)
    is_worse = rho[1] < rho[0] - 100 * WOBBLE
    return f"{found} {_told(change, is_trap=is_likelier and is_worse)}"


def _moved(before: float, after: float, digits: int) -> str:
    """Say how a number went, by the digits that are printed."""
    shown = f"{before:.{digits}f}", f"{after:.{digits}f}"
    if shown[0] == shown[1]:
        return f"stayed at {shown[0]}"
    return f"{'rose' if after > before else 'fell'} from {shown[0]} to {shown[1]}"


def _told(change: Difference, *, is_trap: bool) -> str:
    low, high = change.interval.low, change.interval.high
    found = f"The 95 % interval of the change of rho x 100 is {100 * low:+.2f} to {100 * high:+.2f}"
    if low <= 0 <= high:
        return f"{found}: it cannot be told from chance."
    if low > 0:
        return f"{found}."
    found = f"{found}; the start was chosen for its rho, which favours a fall"
    if not is_trap:
        return f"{found}."
    return (
        f"{found}. The density went on improving and the similarity did not: likelihood does not "
        "say when to stop."
    )
