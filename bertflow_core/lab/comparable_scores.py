"""Scores of a recipe's pairs under its metric and aggregation, with resamples to compare them."""

from collections.abc import Mapping, Sequence

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import Texts
from bertflow_core.datasets.texts import need_targets
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, metric_of
from bertflow_core.evaluation.comparison import Comparison, K, Score, average, pair_scores
from bertflow_core.evaluation.significance import MAX_UNDEFINED
from bertflow_core.lab.evaluation import Scored
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import quoted


def unit_scores(
    values: Mapping[K, FloatArray],
    data: Texts,
    recipe: Recipe,
    *,
    known: Mapping[K, float | None] | None = None,
) -> dict[K, Score]:
    """Score several arrays of the same units' values; `known` has the scores, if they are known."""
    return pair_scores(
        values,
        np.zeros(data.n_units) if data.targets is None else data.targets,
        data.subsets,
        aggregation=recipe.aggregation,
        metric=metric_of(data.metric),
        seed=recipe.seed,
        values=known,
    )


def scores_of(
    similarities: Mapping[K, FloatArray],
    pairs: Texts,
    recipe: Recipe,
    n_draws: int = N_DRAWS,
) -> dict[K, Score]:
    """Score several arrays for the same pairs or texts; the first is the baseline.

    Another score may be undefined, such as one of cosines that differ only by rounding error. The
    baseline may not, and a defined score only on at most 5 % of the `n_draws` resamples.
    """
    need_targets(pairs)
    scores = unit_scores(similarities, pairs, recipe)
    metric, aggregation = metric_of(pairs.metric), recipe.aggregation
    baseline = next(iter(scores))
    if scores[baseline].value is None:
        raise InputError(
            f"{quoted(str(baseline))} has no {metric.word} ({aggregation}): all its similarities, "
            f"or all {metric.gold} of a subset, are equal; leave it out or choose another "
            "aggregation"
        )
    defined = [each for each in scores.values() if each.value is not None]
    undefined = np.any([np.isnan(each.resample(n_draws)) for each in defined], axis=0)
    if undefined.mean() > MAX_UNDEFINED:
        raise InputError(
            f"{undefined.sum():,} of {n_draws:,} resamples have no {metric.word}, since all "
            f"their {metric.gold} or similarities are equal: the pairs are too few or too much "
            "alike for a bootstrap"
        )
    return scores


def scores_of_fits(
    fits: Mapping[K, Sequence[Scored]], pairs: Texts, recipe: Recipe
) -> dict[K, Score]:
    """Return the score of each row: the mean over its fits with several seeds.

    It is undefined for pairs without gold scores.
    """
    every = {(row, i): each for row, of_row in fits.items() for i, each in enumerate(of_row)}
    values = {key: getattr(fit.scores.main, recipe.aggregation) for key, fit in every.items()}
    of_units = {key: fit.unit_values for key, fit in every.items()}
    scores = unit_scores(of_units, pairs, recipe, known=values)
    return {row: average([scores[row, i] for i in range(len(each))]) for row, each in fits.items()}


def score_columns(
    score: Score, change: Comparison | None, n_draws: int = N_DRAWS
) -> dict[str, float | bool | None]:
    """Return a score, its interval and its tested change (none for the baseline) as columns."""
    low, high = score.interval(n_draws)
    row = {"score": score.value, "score_low": low, "score_high": high}
    return {**row, **({} if change is None else change.columns("change"))}
