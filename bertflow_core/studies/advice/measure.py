"""Should I calibrate? Four findings on the user's own data, and what gold pairs show."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.registry import check_spec
from bertflow_core.encoders import CATALOG
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, distinct_rows
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import why_unscored
from bertflow_core.space import Prepared, Space, changes_of_rho
from bertflow_core.studies.advice.answer import recommend
from bertflow_core.studies.advice.cone import measure_cone
from bertflow_core.studies.advice.finding import Finding
from bertflow_core.studies.advice.linear import measure_linear_loss
from bertflow_core.studies.advice.result import Advice, Gain
from bertflow_core.studies.advice.rules import judge_cone, judge_linear, judge_shift, judge_size
from bertflow_core.studies.advice.shift import FEWEST, measure_shift
from bertflow_core.studies.advice.size import FEWEST_ROWS, measure_held_out

__all__ = ["CALIBRATORS", "advise", "check"]

CALIBRATORS = ("null-top-k:k=6", "whiten")
"""Tried by default: the two closed forms that the thresholds were measured with."""

_IDENTITY = "identity"


def advise(
    recipe: Recipe,
    lab: Lab,
    calibrators: Sequence[str] = CALIBRATORS,
    *,
    linear_next: bool = False,
    n_draws: int = N_DRAWS,
) -> Advice:
    """Embed a recipe's sentences and check whether calibrating them is worth it.

    Args:
        recipe: `recipe.calibrator` is ignored.
        lab: Where data and embeddings are kept, and what computes.
        calibrators: As `check`.
        linear_next: As `check`.
        n_draws: As `check`.

    Raises:
        InputError: Data or a model that cannot be used, and as `check`.
        ResourceError: The disk or the network failed.
    """
    specs = _tried(calibrators)
    return check(
        lab.prepare(recipe),
        calibrators=specs,
        linear_next=linear_next,
        n_draws=n_draws,
        device=lab.device,
    )


def check(
    prepared: Prepared,
    *,
    linear_next: bool = False,
    calibrators: Sequence[str] = CALIBRATORS,
    n_draws: int = N_DRAWS,
    device: str | None = None,
) -> Advice:
    """Answer the four questions, and measure rho before and after where there are gold scores.

    Args:
        prepared: The fit corpus and the sentences that are calibrated, embedded.
        linear_next: Whether a linear classifier is trained on the embeddings next.
        calibrators: Specs to try, without `identity`.
        n_draws: Resamples of the paired bootstrap.
        device: Where a flow is fitted; None takes the best device here.

    Raises:
        InputError: No calibrator, one that cannot be used, or sentences that all have one
            embedding.
    """
    specs = _tried(calibrators)
    total = 4 + len(specs)

    def step(done: int) -> AbstractContextManager[None]:
        return context.repeating(done, total, "checks")

    with step(0):
        cone = _cone(prepared)
    with step(1):
        shift = _shift(prepared)
    results: dict[str, Space] = {}
    for i, spec in enumerate(specs):
        with step(2 + i):
            results[spec] = prepared.under(spec, device=device)
    linear = _linear(results, linear_next)
    with step(total - 2):
        gains, note = _gains(prepared, results, n_draws)
    with step(total - 1):
        size = _size(prepared, gains)
    context.report(total, total, "checks")
    findings = (cone, size, shift, linear)
    recommendation, answer = recommend(findings, gains, linear_next=linear_next)
    noted = tuple(f"{s}: {n}." for s, each in results.items() for n in each.calibrator.notes_)
    return Advice(prepared.recipe, specs, recommendation, answer, findings, gains, note, noted)


def _tried(calibrators: Sequence[str]) -> tuple[str, ...]:
    """Return the calibrators to try, each once."""
    specs = tuple(dict.fromkeys(calibrators))
    if not specs or _IDENTITY in specs:
        raise InputError("name at least one calibrator to try, other than identity")
    for spec in specs:
        check_spec(spec)
    return specs


def _cone(prepared: Prepared) -> Finding:
    recipe = prepared.recipe
    entry = CATALOG.get(recipe.model)
    return judge_cone(
        measure_cone(_used(prepared), seed=recipe.seed),
        contrastive=None if entry is None else entry.contrastive,
        layers=recipe.layers,
    )


def _size(prepared: Prepared, gains: Sequence[Gain]) -> Finding:
    x = prepared.x_fit[distinct_rows(prepared.corpus.sentences)]
    enough = len(x) >= FEWEST_ROWS
    held_out = measure_held_out(x, seed=prepared.recipe.seed) if enough else None
    return judge_size(held_out, n_rows=len(x), n_features=x.shape[1], gains=gains)


def _shift(prepared: Prepared) -> Finding:
    fit = _distinct(prepared.corpus.sentences)
    pairs = prepared.pairs
    used = _distinct((*pairs.first, *pairs.second))
    shared = fit.keys() & used.keys()
    # The sides of a pair become neighbours again, as in a corpus.
    order = {text: i for i, text in enumerate(dict.fromkeys(pairs.sentences()))}
    only_fit = [row for text, row in fit.items() if text not in shared]
    only_used = [used[text] for text in order if text not in shared]
    shift = None
    if min(len(only_fit), len(only_used)) >= FEWEST:
        sides = prepared.x_fit[only_fit], _used(prepared)[only_used]
        shift = measure_shift(*sides, seed=prepared.recipe.seed)
    return judge_shift(shift, n_fit=len(fit), n_used=len(used), n_shared=len(shared))


def _linear(results: Mapping[str, Space], linear_next: bool) -> Finding:
    prepared = next(iter(results.values())).prepared
    # With few rows a regression fits anything, so the used rows are added.
    x = np.concatenate([prepared.x_fit, _used(prepared)])
    losses = {spec: measure_linear_loss(each.calibrator, x) for spec, each in results.items()}
    return judge_linear(losses, linear_next=linear_next)


def _gains(
    prepared: Prepared, results: Mapping[str, Space], n_draws: int
) -> tuple[tuple[Gain, ...], str | None]:
    """Compare each calibrator's rho with the raw one, or say why that cannot be done."""
    pairs = prepared.pairs
    if pairs.gold is None:
        return (), None if pairs.labels is None else why_unscored(pairs)
    every = {_IDENTITY: prepared.under(_IDENTITY), **results}
    try:
        comparison = changes_of_rho(
            {spec: result.similarity for spec, result in every.items()},
            pairs,
            prepared.recipe,
            baseline=_IDENTITY,
            n_draws=n_draws,
        )
    except InputError as error:
        return (), str(error)
    rhos = dict(zip(comparison.draws.names, comparison.draws.rhos.tolist(), strict=True))
    gains = [
        Gain(
            calibrator=each.name,
            before=rhos[_IDENTITY],
            after=rhos[each.name],
            low=each.interval.low,
            high=each.interval.high,
            significant=each.significant,
            n_pairs=len(pairs),
        )
        for each in comparison.to_baseline
    ]
    return tuple(sorted(gains, key=lambda gain: -gain.after)), None


def _used(prepared: Prepared) -> FloatArray:
    """Return the embeddings of the first and the second sentences; of single sentences once."""
    if not prepared.pairs.is_paired:
        return prepared.x_first
    return np.concatenate([prepared.x_first, prepared.x_second])


def _distinct(sentences: Sequence[str]) -> dict[str, int]:
    """Return the row where each distinct sentence first occurs, in that order."""
    return {sentences[row]: int(row) for row in distinct_rows(sentences)}
