"""The record of a fit of the real flow: losses, checkpoints, and what follows from them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from bertflow_core.analysis.isotropy import effective_rank
from bertflow_core.change import Change, Verdict
from bertflow_core.evaluation.inference import Difference
from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.trace import layer_names, trace
from bertflow_core.linalg import FloatArray
from bertflow_core.space import Prepared

MAX_SHOWN = 600
WOBBLE = 0.001
"""Differences of rho between checkpoints that are too small to matter."""

EPOCHS_APART = 5
"""Epochs over which a gain of likelihood is measured."""

LEAST_GAIN = 0.01
"""Bits per dimension: a smaller gain is none."""

MOST_EPOCHS = 60
"""After these a fit that waits for convergence ends in any case."""


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures of a space.

    Attributes:
        rho: Spearman's rho of cosine with gold on the scored pairs; None without gold.
        mean_cosine: Over all pairs of the scored sentences.
        log_likelihood: Mean log-density of the held-out sentences in nats.
        norm_gap: Kolmogorov and Smirnov's statistic of the held-out rows' norms against chi(D).
        spectrum: Singular spectrum of the held-out rows, falling, shape (D,).
    """

    rho: float | None
    mean_cosine: float
    log_likelihood: float
    norm_gap: float
    spectrum: FloatArray = field(repr=False)

    @property
    def bits_per_dimension(self) -> float:
        """-log2 of the density per feature."""
        return -self.log_likelihood / (len(self.spectrum) * math.log(2))

    @property
    def effective_rank(self) -> float:
        """Effective number of directions of the spectrum, from 1 to D."""
        return effective_rank(np.square(self.spectrum))


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """The flow after some steps: the measures of its latent space, and its parameters by name."""

    step: int
    measures: Measures
    weights: Mapping[str, FloatArray] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Watched:
    """The data of a watched fit.

    Attributes:
        prepared: The scored pairs: those of the dev split where there is one.
        x_fit: Embeddings that the flow is fitted on, shape (M, D), float32.
        x_held_out: Of sentences of the fit corpus that no step sees, shape (H, D), float32.
        references: The embeddings as they are, less their mean, and standardized, by name.
    """

    prepared: Prepared
    x_fit: FloatArray = field(repr=False)
    x_held_out: FloatArray = field(repr=False)
    references: Mapping[str, Measures]

    @property
    def before(self) -> Measures:
        """The measures of the embeddings as they are."""
        return next(iter(self.references.values()))


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

    @property
    def data(self) -> Watched:
        """What is watched, which is there with the first checkpoint."""
        assert self.watched is not None
        return self.watched

    def flow_at(self, checkpoint: Checkpoint) -> Flow:
        """Return the flow of a checkpoint."""
        flow = Flow(self.data.x_fit.shape[1], GlowConfig())
        flow.load_state_dict({k: torch.from_numpy(v) for k, v in checkpoint.weights.items()})
        return flow

    def layers(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        """Return the names of the layers, in order."""
        return layer_names(self.flow_at(checkpoint))

    def coordinates(self, checkpoint: Checkpoint, dims: Sequence[int]) -> FloatArray:
        """Return some features of held-out rows after 0 to L layers, shape (L + 1, n, len(dims)).

        A coupling keeps positions, which count from 0; a reversal reverses them.
        """
        rows = torch.from_numpy(self.data.x_held_out[:MAX_SHOWN])
        states: FloatArray = trace(self.flow_at(checkpoint), rows).states[..., list(dims)].numpy()
        return states


def _last_gain(live: LiveFit) -> float | None:
    """Return the bits per dimension that `EPOCHS_APART` epochs saved on held-out sentences.

    None where the last checkpoint is at no multiple of them, or none stands as many before it.
    """
    apart, last = EPOCHS_APART * live.steps_per_epoch, live.checkpoints[-1]
    before = next((p for p in live.checkpoints[:-1] if p.step == last.step - apart), None)
    if before is None or last.step % apart:
        return None
    return before.measures.bits_per_dimension - last.measures.bits_per_dimension


def has_converged(live: LiveFit) -> bool:
    """Tell whether the last epochs gained next to nothing, or lost; the first ones never did."""
    gain = _last_gain(live)
    is_first = live.checkpoints[-1].step <= EPOCHS_APART * live.steps_per_epoch
    return gain is not None and gain < LEAST_GAIN and not is_first


def convergence(live: LiveFit) -> str | None:
    """Say whether a fit has converged on held-out sentences; None where no gain is known."""
    gain = _last_gain(live) if live.checkpoints else None
    if gain is None:
        return None
    word = "converged" if has_converged(live) else "not converged"
    epochs = live.checkpoints[-1].step // live.steps_per_epoch
    return (
        f"Held-out likelihood: {word} after {epochs} epochs; the last {EPOCHS_APART} gained "
        f"{gain:.4f} bits per dimension (converged: below {LEAST_GAIN})."
    )


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


def verdict(checkpoints: Sequence[Checkpoint], tested: Difference | None = None) -> str | None:
    """Describe what training did to rho after rho came near its best; None where nothing is known.

    The text says that likelihood does not tell when to stop only if likelihood rose, in the digits
    that are shown, while rho fell significantly over `late_span`, as `tested`. Its start is chosen
    by its rho, which favours a fall; the interval does not account for that, and the text says so.
    """
    span = late_span(checkpoints)
    if span is None:
        return None
    since, last = (point.measures for point in span)
    ends = (None, None) if tested is None else (tested.interval.low, tested.interval.high)
    rho = Change(since.rho, last.rho, *ends)
    density = Change(round(since.log_likelihood, 1), round(last.log_likelihood, 1))
    said = [
        f"From step {span[0].step:,} to step {span[1].step:,}:",
        density.sentence("the mean log-likelihood of held-out sentences, in nats,", digits=1),
        rho.sentence("Rho x 100", times=100),
    ]
    has_fallen = rho.verdict is Verdict.FELL and (rho.difference or 0) < -WOBBLE
    if tested is None:
        said.append("That is not tested for significance.")
    elif rho.verdict is Verdict.FELL:
        said.append("The start was chosen for its high rho, which favours a fall.")
        if has_fallen and density.verdict is Verdict.ROSE:
            said.append(
                "The density kept improving and the similarity did not: likelihood does not tell "
                "when to stop."
            )
    return " ".join(said)
