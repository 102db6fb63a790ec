"""A fit of the paper's flow, recorded as it runs: losses, measures at checkpoints, a verdict.

The flow and its training are the defaults of the calibrator `flow`, on the CPU. A tenth of the
sentences, at most 1,000, is held out. The scored pairs are those of the dev split if there is one,
otherwise those of the recipe's split.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
import torch

from bertflow_core.analysis.gaussianity import norm_gap
from bertflow_core.analysis.isotropy import effective_rank, mean_cosine
from bertflow_core.arrays.moments import singular_values
from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import Spec
from bertflow_core.datasets.benchmarks import DEV
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.datasets.texts import need_targets
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.evaluation.comparison import Comparison, Direction, compare_to, pair_scores
from bertflow_core.flows import Checkpoints, Flow, GlowConfig, TrainingConfig, fit_flow
from bertflow_core.flows.rows import by_batches, latent_of, layer_names, trace
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe

_MAX_CHECKPOINTS = 32
_MAX_HELD_OUT, _HELD_OUT_SHARE = 1_000, 0.1
MIN_CORPUS = 40
_MAX_SHOWN = 600  # held-out rows whose coordinates are drawn
WOBBLE = 0.001  # differences of rho between checkpoints that are too small to matter
EPOCHS_APART = 5  # epochs over which a gain of likelihood is measured
LEAST_GAIN = 0.01  # bits per dimension; a smaller gain counts as none
MOST_EPOCHS = 60  # largest number of epochs of a fit that waits for convergence

REFERENCES = {
    "as encoded": "identity",
    "mean only": "null-top-k:k=0",
    "ActNorm only": "standardize",
}
"""The steps of a flow's first layer, each as an equivalent calibrator."""


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures of a space."""

    rho: float | None  # Spearman's, of cosine with gold on the scored pairs; None without gold
    mean_cosine: float  # over all pairs of the scored sentences
    log_likelihood: float  # mean log-density of the held-out sentences in nats
    norm_gap: float  # as `gaussianity.norm_gap`, of held-out rows
    spectrum: FloatArray = field(repr=False)  # singular values of held-out rows, descending, (D,)

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


@dataclass(eq=False)
class LiveFit:
    """The record of a fit, running or finished; only its own thread writes to it."""

    epochs: float  # passes over the fit corpus; the maximum if `until_converged`
    until_converged: bool = False  # whether it ends as soon as the likelihood has converged
    n_steps: int = 0  # of the whole fit, or its maximum; 0 before the data are embedded
    steps_per_epoch: int = 0
    losses: list[float] = field(default_factory=list)  # bits per dimension of each step so far
    checkpoints: list[Checkpoint] = field(default_factory=list)  # those reached so far
    change: Comparison | None = None  # of rho over `late_span`, if the pairs allow a test
    embedded: Embedded = field(init=False, repr=False)  # with the scored pairs
    x_fit: FloatArray = field(init=False, repr=False)  # rows to fit on, float32, (M, D)
    x_held_out: FloatArray = field(init=False, repr=False)  # held-out rows, float32, (H, D)
    references: Mapping[str, Measures] = field(init=False, repr=False)  # of `REFERENCES`

    def flow_at(self, checkpoint: Checkpoint) -> Flow:
        """Return the flow of a checkpoint."""
        return Flow.from_arrays(self.x_fit.shape[1], GlowConfig(), checkpoint.weights)

    def layers(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        """Return the names of the layers, in order."""
        return layer_names(self.flow_at(checkpoint))

    def coordinates(self, checkpoint: Checkpoint, dims: Sequence[int]) -> FloatArray:
        """Return features `dims` of n held-out rows after 0 to L layers, (L + 1, n, len(dims))."""
        rows = torch.from_numpy(self.x_held_out[:_MAX_SHOWN])
        return trace(self.flow_at(checkpoint), rows).states[..., list(dims)].numpy()

    @property
    def last_gain(self) -> float | None:
        """The bits per dimension that the last `EPOCHS_APART` epochs saved, if it is known."""
        apart = EPOCHS_APART * self.steps_per_epoch
        bits = {point.step: point.measures.bits_per_dimension for point in self.checkpoints}
        last = max(bits, default=0)
        is_known = last > 0 and last % apart == 0 and last - apart in bits
        return bits[last - apart] - bits[last] if is_known else None

    @property
    def has_converged(self) -> bool:
        """Whether the last epochs gained less than `LEAST_GAIN`; false for the first epochs."""
        gain, first = self.last_gain, EPOCHS_APART * self.steps_per_epoch
        return gain is not None and gain < LEAST_GAIN and self.checkpoints[-1].step > first

    def convergence(self) -> str:
        """Say whether the fit has converged; empty until there are two checkpoints to compare."""
        gain = self.last_gain
        if gain is None:
            return ""
        state = "has converged" if self.has_converged else "has not converged"
        epochs = self.checkpoints[-1].step // self.steps_per_epoch
        return (
            f"The held-out likelihood {state} after {epochs} epochs: the last {EPOCHS_APART} "
            f"gained {gain:.4f} bits per dimension (a gain below {LEAST_GAIN} counts as converged)."
        )

    def late_span(self) -> tuple[Checkpoint, Checkpoint] | None:
        """Return the first checkpoint with rho x 100 within 0.1 of the best, and the final one.

        If rho never stopped rising, the first is the very first checkpoint. None without two rhos.
        """
        rhos = [(each.measures.rho, each) for each in self.checkpoints]
        known = [(rho, point) for rho, point in rhos if rho is not None]
        if len(known) < 2:
            return None
        (_, first), *_, (_, last) = known
        best = max(rho for rho, _ in known)
        since = next(point for rho, point in known if rho >= best - WOBBLE)
        return first if since is last else since, last

    def verdict(self) -> str:
        """Say how rho changed over `late_span`; empty if this is unknown."""
        span = self.late_span()
        if span is None:
            return ""
        since, last = (point.measures for point in span)
        tested = self.change
        rho = Comparison(since.rho, last.rho, *((tested.low, tested.high) if tested else ()))
        density = Comparison(round(since.log_likelihood, 1), round(last.log_likelihood, 1))
        sentences = [
            f"From step {span[0].step:,} to step {span[1].step:,}:",
            density.sentence("the mean log-likelihood of held-out sentences, in nats,", digits=1),
            rho.sentence("Rho x 100", times=100),
        ]
        if tested is None or tested.p is None:
            sentences.append("This change of rho is not tested for significance.")
        elif rho.direction is Direction.FELL:
            sentences.append(
                "The first of these steps was chosen for its high rho, so a fall after it is to be "
                "expected."
            )
            if (rho.difference or 0) < -WOBBLE and density.direction is Direction.ROSE:
                sentences.append(
                    "The density kept improving while the similarity did not, so likelihood does "
                    "not tell when to stop."
                )
        return " ".join(sentences)


class _Converged(Exception):
    """Raised to end a fit that has converged."""


def watch_fit(recipe: Recipe, lab: Lab, live: LiveFit) -> LiveFit:
    """Fit the flow on a recipe's fit corpus, and record the fit in `live` while it runs.

    Epochs refer to the whole corpus, even if sentences were drawn from it.
    """
    (embedded,) = lab.embedded([_on_dev(recipe, lab)])
    live.embedded = embedded
    is_out = _held_out(embedded.corpus.sentences, seed=recipe.seed)
    x = np.asarray(embedded.x_fit, np.float32)
    live.x_fit, live.x_held_out = x[~is_out], x[is_out]
    fitted = {name: Spec(spec).build().fit(live.x_fit) for name, spec in REFERENCES.items()}
    live.references = {
        name: _measures(live, each.transform, each.score_samples(live.x_held_out))
        for name, each in fitted.items()
    }

    def training(epochs: float) -> TrainingConfig:
        return TrainingConfig(epochs=epochs / embedded.corpus.share, seed=recipe.seed)

    n_rows = len(live.x_fit)
    live.n_steps = training(live.epochs).n_steps(n_rows)
    live.steps_per_epoch = training(1).n_steps(n_rows)

    def show(step: int, flow: Flow) -> None:
        density = by_batches(flow.log_prob, live.x_held_out)
        measures = _measures(live, partial(latent_of, flow), density)
        live.checkpoints.append(Checkpoint(step, measures, flow.arrays()))
        if live.until_converged and live.has_converged:
            raise _Converged

    steps = checkpoint_steps(live.n_steps)
    if live.until_converged:
        steps |= frozenset(range(0, live.n_steps + 1, EPOCHS_APART * live.steps_per_epoch))
    with suppress(_Converged):
        fit_flow(
            torch.from_numpy(live.x_fit),
            glow=GlowConfig(),
            training=training(live.epochs),
            on_step=lambda record: live.losses.append(record.bits_per_dimension),
            checkpoints=Checkpoints(steps, show),
        )
    live.n_steps = len(live.losses)
    if live.until_converged:
        live.epochs = live.n_steps / live.steps_per_epoch
    live.change = _change(live)
    return live


def checkpoint_steps(n_steps: int) -> frozenset[int]:
    """Return 0, 1, `n_steps` and steps between them, spaced geometrically."""
    spaced = np.geomspace(1, n_steps, _MAX_CHECKPOINTS - 1).round().astype(int)
    return frozenset({0, *spaced.tolist()})


def _on_dev(recipe: Recipe, lab: Lab) -> Recipe:
    """Return the recipe on its dev split, if its data have one with gold scores."""
    if recipe.dataset in lab.tables:
        return recipe
    opened = open_dataset(recipe.dataset, **lab.recipe_data(recipe).options())
    has_dev = DEV in opened.splits and DEV not in opened.hidden
    return recipe.with_(split=DEV) if has_dev else recipe


def _held_out(sentences: Sequence[str], *, seed: int) -> npt.NDArray[np.bool_]:
    """Return which sentences are held out, shape (M,); duplicates stay on one side."""
    distinct = list(dict.fromkeys(sentences))
    if len(distinct) < MIN_CORPUS:
        raise InputError(
            f"too few sentences to hold some out: expected at least {MIN_CORPUS} different ones, "
            f"got {len(distinct)}; choose larger data"
        )
    n = min(_MAX_HELD_OUT, int(_HELD_OUT_SHARE * len(distinct)))
    chosen = {distinct[i] for i in sample_rows(len(distinct), n, seed=seed)}
    return np.array([sentence in chosen for sentence in sentences])


def _measures(
    live: LiveFit, to_latent: Callable[[FloatArray], FloatArray], log_density: FloatArray
) -> Measures:
    """Measure a space, given the log-density of its held-out rows, shape (H,)."""
    pairs, recipe = live.embedded.data, live.embedded.recipe
    x = to_latent(live.embedded.x_texts)
    held_out = to_latent(live.x_held_out)
    rho: float | None = None
    if pairs.gold is not None:
        scores = score_pairs(pairwise_cosine(*pairs.compared(x)), pairs.gold, pairs.subsets)
        rho = getattr(scores.spearman, recipe.aggregation)
    return Measures(
        rho=rho,
        mean_cosine=mean_cosine(x),
        log_likelihood=float(log_density.mean(dtype=np.float64)),
        norm_gap=norm_gap(held_out),
        spectrum=singular_values(held_out),
    )


def _change(live: LiveFit) -> Comparison | None:
    """Test the change of rho over `late_span`, if there is one."""
    embedded, span = live.embedded, live.late_span()
    if span is None:
        return None
    latent = [partial(latent_of, live.flow_at(point)) for point in span]
    since, last = (pairwise_cosine(f(embedded.x_first), f(embedded.x_second)) for f in latent)
    pairs, recipe = embedded.data, embedded.recipe
    scores = pair_scores(
        {"since": since, "last": last},
        need_targets(pairs),
        pairs.subsets,
        aggregation=recipe.aggregation,
        seed=recipe.seed,
    )
    return compare_to("since", scores)["last"]
