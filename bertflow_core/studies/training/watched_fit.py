"""Fit the real flow and measure the space at checkpoints."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import numpy as np
import torch
from torch import nn

from bertflow_core.analysis.gaussianity import norms_test
from bertflow_core.analysis.isotropy import mean_cosine, singular_values
from bertflow_core.calibrators.flow import epochs_of_part
from bertflow_core.datasets import Split
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.evaluation.inference import Difference
from bertflow_core.flows import Checkpoints, Flow, GlowConfig, StepRecord, TrainingConfig, fit_flow
from bertflow_core.flows.glow import ActNorm
from bertflow_core.flows.rows import by_batches, latent_of
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, sample_rows
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared, changes_of_rho
from bertflow_core.studies.training.record import (
    EPOCHS_APART,
    Checkpoint,
    LiveFit,
    Measures,
    Watched,
    has_converged,
    late_span,
)

MAX_CHECKPOINTS = 32
MAX_HELD_OUT = 1_000
HELD_OUT_SHARE = 0.1
MIN_CORPUS = 40


class _Converged(Exception):
    """The fit has converged."""


def watch_fit(recipe: Recipe, lab: Lab, live: LiveFit) -> LiveFit:
    """Fit the paper's flow on a recipe's fit corpus, and record the fit in `live` while it runs.

    The flow and its training are the defaults of the calibrator `flow`, on the CPU; a tenth of the
    sentences, at most 1,000, is held out, and `epochs` may be more than one; as in any fit they are
    of the whole corpus where sentences were drawn from it. The pairs of the dev split are scored if
    there is one, else those of the recipe's split. Where the fit is to end as soon as it has
    converged, its record then has the steps and epochs that it took.
    """
    prepared = lab.prepare(_on_dev(recipe, lab))
    live.watched = watched = _watched(prepared)
    share = prepared.corpus.share
    training = TrainingConfig(epochs=epochs_of_part(live.epochs, share), seed=recipe.seed)
    live.n_steps = training.n_steps(len(watched.x_fit))
    one = TrainingConfig(epochs=epochs_of_part(1, share))
    live.steps_per_epoch = one.n_steps(len(watched.x_fit))

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
            training=training,
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
        log_base = -0.5 * (z.double().square().sum(1) + z.shape[1] * math.log(2 * math.pi))
        density = float((log_base + ladj).mean())
        found[name] = _measures(prepared, partial(_normalized, layer), x_out, density)
    return found


def _normalized(layer: ActNorm, rows: FloatArray) -> FloatArray:
    values: FloatArray = layer.normalized(torch.from_numpy(rows)).detach().numpy()
    return values


def _held_out(sentences: Sequence[str], *, seed: int) -> np.ndarray:
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
    first, second = to_latent(prepared.x_first), to_latent(prepared.x_second)
    held_out = to_latent(x_held_out)
    sides = [first, second] if prepared.pairs.is_paired else [first]
    return Measures(
        rho=_rho(prepared, first, second),
        mean_cosine=mean_cosine(np.concatenate(sides)),
        log_likelihood=log_likelihood,
        norm_gap=norms_test(held_out).statistic,
        spectrum=singular_values(held_out),
    )


def _rho(prepared: Prepared, first: FloatArray, second: FloatArray) -> float | None:
    pairs = prepared.pairs
    if pairs.gold is None:
        return None
    scores = score_pairs(pairwise_cosine(first, second), pairs.gold, pairs.subsets)
    rho: float | None = getattr(scores.spearman, prepared.recipe.aggregation)
    return rho
