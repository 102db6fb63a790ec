"""A fit of the paper's flow, watched: losses, the space at checkpoints, and what follows from them.

The flow and its training are the defaults of the calibrator `flow`, on the CPU. A tenth of the
sentences, at most 1,000, is held out; the pairs of the dev split are scored where there is one,
else those of the recipe's split.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from bertflow_core.analysis.gaussianity import norms_test
from bertflow_core.analysis.isotropy import effective_rank, mean_cosine, singular_values
from bertflow_core.change import Change, Verdict
from bertflow_core.contrasts import changes_of_rho
from bertflow_core.datasets import Split
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.evaluation.inference import Difference
from bertflow_core.flows import Checkpoints, Flow, GlowConfig, StepRecord, TrainingConfig, fit_flow
from bertflow_core.flows.glow import ActNorm, log_base
from bertflow_core.flows.rows import by_batches, latent_of, layer_names, trace
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, sample_rows
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared

MAX_CHECKPOINTS = 32
MAX_HELD_OUT, HELD_OUT_SHARE = 1_000, 0.1
MIN_CORPUS = 40
MAX_SHOWN = 600  # held-out rows whose coordinates are drawn
WOBBLE = 0.001  # differences of rho between checkpoints that are too small to matter
EPOCHS_APART = 5  # over which a gain of likelihood is measured
LEAST_GAIN = 0.01  # bits per dimension: a smaller gain is none
MOST_EPOCHS = 60  # after these a fit that waits for convergence ends in any case


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures of a space."""

    rho: float | None  # Spearman's, of cosine with gold on the scored pairs; None without gold
    mean_cosine: float  # over all pairs of the scored sentences
    log_likelihood: float  # mean log-density of the held-out sentences in nats
    norm_gap: float  # Kolmogorov and Smirnov's statistic of held-out norms against chi(D)
    spectrum: FloatArray = field(repr=False)  # singular, of held-out rows, falling, shape (D,)

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
    """The data of a watched fit."""

    prepared: Prepared  # with the scored pairs
    x_fit: FloatArray = field(repr=False)  # what the flow is fitted on, shape (M, D), float32
    x_held_out: FloatArray = field(repr=False)  # sentences that no step sees, shape (H, D), float32
    references: Mapping[str, Measures]  # as they are, less their mean, and standardized, by name

    @property
    def before(self) -> Measures:
        """The measures of the embeddings as they are."""
        return next(iter(self.references.values()))


@dataclass(eq=False)
class LiveFit:
    """The record of a fit, running or finished; its own thread writes, others read copies."""

    epochs: float  # passes over the whole fit corpus, or the most of them
    until_converged: bool = False  # whether it ends as soon as the likelihood has converged
    watched: Watched | None = None  # the data, once they are embedded
    n_steps: int = 0  # of the whole fit, or the most of them; 0 before the data are embedded
    steps_per_epoch: int = 0
    losses: list[float] = field(default_factory=list)  # bits per dimension of each step so far
    checkpoints: list[Checkpoint] = field(default_factory=list)  # those reached so far
    change: Difference | None = None  # of rho over `late_span`, at the end, where pairs allow it

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


class _Converged(Exception):
    """The fit has converged."""


def watch_fit(recipe: Recipe, lab: Lab, live: LiveFit) -> LiveFit:
    """Fit the flow on a recipe's fit corpus, and record the fit in `live` while it runs.

    `epochs` may be more than one; as in any fit they are of the whole corpus where sentences were
    drawn from it. Where the fit is to end as soon as it has converged, its record then has the
    steps and epochs that it took.
    """
    prepared = lab.prepare(_on_dev(recipe, lab))
    live.watched = watched = _watched(prepared)

    def training(epochs: float) -> TrainingConfig:
        return TrainingConfig(epochs=epochs / prepared.corpus.share, seed=recipe.seed)

    n_rows = len(watched.x_fit)
    live.n_steps = training(live.epochs).n_steps(n_rows)
    live.steps_per_epoch = training(1).n_steps(n_rows)

    def show(step: int, flow: nn.Module) -> None:
        if isinstance(flow, Flow):
            live.checkpoints.append(_checkpoint(step, flow, watched))
        if live.until_converged and has_converged(live):
            raise _Converged

    def note(record: StepRecord) -> None:
        live.losses.append(record.bits_per_dimension)

    steps = checkpoint_steps(live.n_steps)
    if live.until_converged:
        steps |= frozenset(range(0, live.n_steps + 1, EPOCHS_APART * live.steps_per_epoch))
    with suppress(_Converged):
        fit_flow(
            torch.from_numpy(watched.x_fit),
            glow=GlowConfig(),
            training=training(live.epochs),
            on_step=note,
            checkpoints=Checkpoints(steps, show),
        )
    live.n_steps = len(live.losses)
    if live.until_converged:
        live.epochs = live.n_steps / live.steps_per_epoch
    live.change = _change(live, prepared)
    return live


def checkpoint_steps(n_steps: int, at_most: int = MAX_CHECKPOINTS) -> frozenset[int]:
    """Return 0, 1, `n_steps` and steps between them, spaced geometrically."""
    return frozenset({0, *np.geomspace(1, n_steps, at_most - 1).round().astype(int).tolist()})


def _on_dev(recipe: Recipe, lab: Lab) -> Recipe:
    """Return the recipe on its dev split, where its data have one with gold scores."""
    if recipe.dataset in lab.tables:
        return recipe
    opened = open_dataset(recipe.dataset, **lab.data_options(recipe))
    has_dev = Split.DEV in opened.splits and Split.DEV not in opened.hidden
    return recipe.with_(split=str(Split.DEV)) if has_dev else recipe


def _watched(prepared: Prepared) -> Watched:
    is_out = _held_out(prepared.corpus.sentences, seed=prepared.recipe.seed)
    x = np.asarray(prepared.x_fit, np.float32)
    x_fit, x_out = x[~is_out], x[is_out]
    return Watched(prepared, x_fit, x_out, _references(prepared, x_fit, x_out))


@torch.no_grad()
def _references(prepared: Prepared, x_fit: FloatArray, x_out: FloatArray) -> dict[str, Measures]:
    """Measure what a flow's first layer does by itself: nothing, its shift, its shift and scale.

    Each is an ActNorm fitted in closed form, so that it has a density as the whole flow has one.
    """
    rows = torch.from_numpy(x_fit)
    nothing, shift, both = (ActNorm(rows.shape[1]) for _ in range(3))
    both.initialize(rows)
    shift.b.copy_(both.b)
    found = {}
    for name, layer in {"as encoded": nothing, "mean only": shift, "ActNorm only": both}.items():
        z, ladj = layer(torch.from_numpy(x_out))
        density = float((log_base(z.double()) + ladj).mean())
        found[name] = _measures(prepared, partial(_normalized, layer), x_out, density)
    return found


def _normalized(layer: ActNorm, rows: FloatArray) -> FloatArray:
    values: FloatArray = layer.normalized(torch.from_numpy(rows)).detach().numpy()
    return values


def _held_out(sentences: Sequence[str], *, seed: int) -> npt.NDArray[np.bool_]:
    """Return which sentences are held out, shape (M,); duplicates stay on one side."""
    distinct = list(dict.fromkeys(sentences))
    if len(distinct) < MIN_CORPUS:
        raise InputError(
            f"too few sentences to hold some out: expected at least {MIN_CORPUS} different ones, "
            f"got {len(distinct)}; choose larger data"
        )
    n = min(MAX_HELD_OUT, int(HELD_OUT_SHARE * len(distinct)))
    chosen = {distinct[i] for i in sample_rows(len(distinct), n, seed=seed)}
    return np.array([sentence in chosen for sentence in sentences])


def _change(live: LiveFit, prepared: Prepared) -> Difference | None:
    """Test the change of rho that `verdict` reports."""
    pairs, span = prepared.pairs, late_span(live.checkpoints)
    if pairs.gold is None or span is None:
        return None
    latent = [partial(latent_of, live.flow_at(point)) for point in span]
    since, last = (pairwise_cosine(f(prepared.x_first), f(prepared.x_second)) for f in latent)
    try:
        (tested,) = changes_of_rho(
            {"since": since, "last": last}, pairs, prepared.recipe, baseline="since"
        ).to_baseline
    except InputError:  # too few or too similar pairs to resample: nothing is claimed
        return None
    return tested


def _checkpoint(step: int, flow: Flow, watched: Watched) -> Checkpoint:
    log_prob = by_batches(flow.log_prob, watched.x_held_out)
    density = float(log_prob.mean(dtype=np.float64))
    measures = _measures(watched.prepared, partial(latent_of, flow), watched.x_held_out, density)
    weights = {name: value.numpy(force=True).copy() for name, value in flow.state_dict().items()}
    return Checkpoint(step, measures, weights)


def _measures(
    prepared: Prepared,
    to_latent: Callable[[FloatArray], FloatArray],
    x_held_out: FloatArray,
    log_likelihood: float,
) -> Measures:
    pairs = prepared.pairs
    first, second = to_latent(prepared.x_first), to_latent(prepared.x_second)
    held_out = to_latent(x_held_out)
    rho: float | None = None
    if pairs.gold is not None:
        scores = score_pairs(pairwise_cosine(first, second), pairs.gold, pairs.subsets)
        rho = getattr(scores.spearman, prepared.recipe.aggregation)
    return Measures(
        rho=rho,
        mean_cosine=mean_cosine(np.concatenate([first, second] if pairs.is_paired else [first])),
        log_likelihood=log_likelihood,
        norm_gap=norms_test(held_out).statistic,
        spectrum=singular_values(held_out),
    )


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


def convergence(live: LiveFit) -> str:
    """Say whether a fit has converged on held-out sentences; nothing where no gain is known."""
    gain = _last_gain(live) if live.checkpoints else None
    if gain is None:
        return ""
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


def verdict(checkpoints: Sequence[Checkpoint], tested: Difference | None = None) -> str:
    """Describe what training did to rho after rho came near its best; nothing where not known.

    The text says that likelihood does not tell when to stop only if likelihood rose, in the digits
    that are shown, while rho fell significantly over `late_span`, as `tested`. Its start is chosen
    by its rho, which favours a fall; the interval does not account for that, and the text says so.
    """
    span = late_span(checkpoints)
    if span is None:
        return ""
    since, last = (point.measures for point in span)
    ends = (None, None) if tested is None else (tested.change.low, tested.change.high)
    rho = Change(since.rho, last.rho, *ends)
    density = Change(round(since.log_likelihood, 1), round(last.log_likelihood, 1))
    said = [
        f"From step {span[0].step:,} to step {span[1].step:,}:",
        density.sentence("the mean log-likelihood of held-out sentences, in nats,", digits=1),
        rho.sentence("Rho x 100", times=100),
    ]
    if tested is None:
        said.append("That is not tested for significance.")
    elif rho.verdict is Verdict.FELL:
        said.append("The start was chosen for its high rho, which favours a fall.")
        if (rho.difference or 0) < -WOBBLE and density.verdict is Verdict.ROSE:
            said.append(
                "The density kept improving and the similarity did not: likelihood does not tell "
                "when to stop."
            )
    return " ".join(said)
