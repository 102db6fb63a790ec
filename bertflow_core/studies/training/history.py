"""The record of a fit of the real flow: losses, checkpoints, and a verdict from them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from bertflow_core.analysis.isotropy import effective_rank
from bertflow_core.errors import InputError
from bertflow_core.evaluation import Difference
from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.trace import layer_names, trace
from bertflow_core.linalg import FloatArray
from bertflow_core.space import Prepared

__all__ = [
    "Checkpoint",
    "LiveFit",
    "Measures",
    "Reference",
    "Watched",
    "bits_per_dimension",
    "late_span",
    "verdict",
]

MAX_SHOWN = 600
WOBBLE = 0.001
"""Differences of rho between checkpoints that are too small to matter."""


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures of a space.

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
        """Effective number of directions of the spectrum, from 1 to D."""
        return effective_rank(np.square(self.spectrum))


@dataclass(frozen=True, eq=False)
class Reference:
    """A space that the flow is compared with: a part of its own first layer, or none.

    Attributes:
        name: What is applied.
        log_likelihood: Mean log-density of the held-out sentences in nats.
        measures: Of what it makes of them.
    """

    name: str
    log_likelihood: float
    measures: Measures


def bits_per_dimension(log_likelihood: float, n_features: int) -> float:
    """Return -log2 of a density per feature, of a log-density in nats."""
    return -log_likelihood / (n_features * math.log(2))


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
    """The data of a watched fit.

    Attributes:
        prepared: The scored pairs: those of the dev split where there is one.
        x_fit: Embeddings that the flow is fitted on, shape (M, D), float32.
        x_held_out: Of sentences of the fit corpus that no step sees, shape (H, D), float32.
        references: The embeddings as they are, less their mean, and standardized.
    """

    prepared: Prepared
    x_fit: FloatArray = field(repr=False)
    x_held_out: FloatArray = field(repr=False)
    references: tuple[Reference, ...]

    @property
    def before(self) -> Measures:
        """The measures of the embeddings as they are."""
        return self.references[0].measures


@dataclass(eq=False)
class LiveFit:
    """The record of a fit, running or finished; its own thread writes, others read copies.

    Args:
        epochs: Passes over the fit corpus, or the most of them; over all of it where sentences
            were drawn from it.
        until_converged: Whether the fit ends as soon as the held-out likelihood has converged.

    Attributes:
        watched: The data, once they are embedded.
        n_steps: Steps of the whole fit, or the most of them; 0 before the data are embedded.
        steps_per_epoch: Steps of one pass; 0 before the data are embedded.
        losses: Bits per dimension of each step so far.
        checkpoints: Those reached so far.
        change: Rho at the end of `late_span` less rho at its start, from a paired bootstrap; None
            before the fit has ended, and where the pairs do not allow it.
    """

    epochs: float
    until_converged: bool = False
    watched: Watched | None = None
    n_steps: int = 0
    steps_per_epoch: int = 0
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
            dims: Features by position, counted from 0. A coupling keeps positions; a reversal
                reverses them.

        Raises:
            InputError: No such feature, or the sentences are not embedded yet.
        """
        rows = torch.from_numpy(self._known.x_held_out[:MAX_SHOWN])
        if not all(0 <= d < rows.shape[1] for d in dims):
            raise InputError(f"features go from 0 to {rows.shape[1] - 1}, got {list(dims)}")
        states: FloatArray = trace(self.flow_at(checkpoint), rows).states[..., list(dims)].numpy()
        return states

    @property
    def _known(self) -> Watched:
        if self.watched is None:
            raise InputError("the sentences are not embedded yet: wait for the first checkpoint")
        return self.watched


def late_span(checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, Checkpoint] | None:
    """Return the first checkpoint with rho x 100 within 0.1 of the best, and the last one.

    If these are the same, rho never stopped rising; then the first of all checkpoints takes its
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
    """Describe what training did to rho after rho came near its best.

    The text says that likelihood does not tell when to stop only if likelihood rose while rho fell
    significantly. The start of the span is chosen by its rho, which favours a fall; the interval
    does not account for that, and the text says so.

    Args:
        checkpoints: Of one fit.
        change: Of rho over `late_span`; None where it is not tested.

    Returns:
        None without gold, or before two checkpoints.
    """
    span = late_span(checkpoints)
    if span is None:
        return None
    since, last = span
    rho = 100 * (since.measures.rho or 0.0), 100 * (last.measures.rho or 0.0)
    text = (
        f"From step {since.step:,} to step {last.step:,} the mean log-likelihood of held-out "
        f"sentences {_moved(since.log_likelihood, last.log_likelihood, 1)} nats, and rho x 100 "
    )
    if change is None:
        return f"{text}went from {rho[0]:.2f} to {rho[1]:.2f} (not tested for significance)."
    text += f"{_moved(*rho, 2)}."
    is_likelier = round(last.log_likelihood, 1) > round(since.log_likelihood, 1)
    is_worse = rho[1] < rho[0] - 100 * WOBBLE
    return f"{text} {_significance(change, is_trap=is_likelier and is_worse)}"


def _moved(before: float, after: float, digits: int) -> str:
    """Describe the change of a number, judged by the digits that are printed."""
    shown = f"{before:.{digits}f}", f"{after:.{digits}f}"
    if shown[0] == shown[1]:
        return f"stayed at {shown[0]}"
    return f"{'rose' if after > before else 'fell'} from {shown[0]} to {shown[1]}"


def _significance(change: Difference, *, is_trap: bool) -> str:
    low, high = change.interval.low, change.interval.high
    text = f"The 95 % interval of the change of rho x 100 is {100 * low:+.2f} to {100 * high:+.2f}"
    if low <= 0 <= high:
        return f"{text}: not significant."
    if low > 0:
        return f"{text}."
    text = f"{text}; the start was chosen for its high rho, which favours a fall"
    if not is_trap:
        return f"{text}."
    return (
        f"{text}. The density kept improving and the similarity did not: likelihood does not tell "
        "when to stop."
    )
