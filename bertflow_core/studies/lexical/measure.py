"""Does cosine follow shared words or meaning? Table 6 and Figure 2, for any pairs and calibrators.

The cosines of each pair are compared by rank with its edit distance and its gold score.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bertflow_core.analysis.edit_distance import (
    Tokenize,
    Unit,
    edit_distances,
    normalised_distances,
    pair_lengths,
)
from bertflow_core.datasets import SentencePairs
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.loading import whole_text_tokenizer
from bertflow_core.errors import InputError, choose
from bertflow_core.evaluation.inference import Difference
from bertflow_core.evaluation.rank_matrix import N_DRAWS, rank_matrix
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.space import Space, changes_of_rho
from bertflow_core.studies.lexical.bias import (
    DEFAULT_THRESHOLD,
    DISTANCE,
    GOLD,
    LENGTH,
    NORMALISED,
    Distance,
    LexicalBias,
)
from bertflow_core.wording import quoted

__all__ = ["UNITS", "check_unit", "compare_with_edits", "lexical_bias"]

WORDPIECE = "wordpiece"
UNITS = (*Unit, WORDPIECE)
"""What one edit changes; `wordpiece` is a token of the recipe's model."""


def check_unit(unit: str) -> str:
    """Return a unit's name.

    Raises:
        InputError: It is none of `UNITS`.
    """
    if unit not in UNITS:
        raise InputError(f"unknown unit {quoted(unit)}: expected one of {', '.join(UNITS)}")
    return unit


def compare_with_edits(
    recipe: Recipe,
    lab: Lab,
    calibrators: Sequence[str],
    *,
    unit: str = Unit.TREEBANK,
    threshold: int = DEFAULT_THRESHOLD,
    shown: str = Distance.EDITS,
    n_draws: int = N_DRAWS,
) -> LexicalBias:
    """Evaluate calibrators and compare their cosines with the pairs' edit distances.

    Args:
        recipe: Its calibrator and aggregation are ignored.
        lab: Loads and embeds the data.
        calibrators: Specs; the first is the baseline.
        unit: As in `lexical_bias`.
        threshold: As in `lexical_bias`.
        shown: As in `lexical_bias`.
        n_draws: As in `lexical_bias`.

    Raises:
        InputError: Data, a model, a calibrator or a unit that cannot be used.
        ResourceError: The disk or the network failed.
    """
    check_unit(unit)  # before anything is embedded
    distance = choose(Distance, shown, "distance")
    results = lab.evaluate(recipe, tuple(dict.fromkeys(calibrators)))
    return lexical_bias(
        results,
        unit=unit,
        threshold=threshold,
        shown=distance,
        n_draws=n_draws,
    )


def lexical_bias(
    results: Sequence[Space],
    *,
    unit: str = Unit.TREEBANK,
    threshold: int = DEFAULT_THRESHOLD,
    shown: Distance = Distance.EDITS,
    n_draws: int = N_DRAWS,
) -> LexicalBias:
    """Compare cosines that are known already with the pairs' edit distances.

    Args:
        results: One per calibrator, of one recipe; the first is the baseline.
        unit: What one edit changes, one of `UNITS`.
        threshold: Largest edit distance of a close pair.
        shown: Which distance tables and figures lead with; both are measured.
        n_draws: Resamples of the pairs for the intervals.

    Raises:
        InputError: Single sentences, fewer than two pairs, or an unknown unit.
    """
    first = results[0]
    pairs, recipe = first.prepared.pairs, first.prepared.recipe
    if not pairs.is_paired:
        raise InputError(
            f"{quoted(pairs.name)} holds single sentences: an edit distance needs pairs of "
            "sentences"
        )
    if not pairs.has_words:
        raise InputError(
            f"{quoted(pairs.name)} has vectors and no words to compare: add columns of sentences"
        )
    divider = _divider(unit, recipe)
    distances = edit_distances(pairs.first, pairs.second, unit=divider)
    lengths = pair_lengths(pairs.first, pairs.second, unit=divider)
    similarities = {result.spec: result.similarity for result in results}
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    columns: dict[str, FloatArray] = {
        **gold,
        **similarities,
        DISTANCE: distances.astype(np.float64),
    }
    close = np.flatnonzero(distances <= threshold)
    chosen = {name: column[close] for name, column in columns.items()}
    columns |= {
        NORMALISED: normalised_distances(distances, lengths),
        LENGTH: lengths.astype(np.float64),
    }
    options: dict[str, Any] = {"n_draws": n_draws, "seed": recipe.seed}
    recipe = recipe.with_(calibrator=Recipe.calibrator, aggregation=Recipe.aggregation)
    return LexicalBias(
        recipe=recipe.without("calibrator", "aggregation"),
        unit=str(unit),
        threshold=threshold,
        pairs=pairs,
        similarities=similarities,
        distances=distances,
        lengths=lengths,
        n_draws=n_draws,
        every=rank_matrix(columns, **options),
        close=rank_matrix(chosen, **options) if len(close) > 1 else None,
        gains=_gains(similarities, pairs, recipe),
        shown=shown,
    )


def _gains(
    similarities: dict[str, FloatArray],
    pairs: SentencePairs,
    recipe: Recipe,
) -> dict[str, Difference]:
    """Return each calibrator's change of rho with gold against the first, where there is one."""
    try:
        found = changes_of_rho(
            similarities,
            pairs,
            recipe,
            baseline=next(iter(similarities)),
        )
    except InputError:  # no gold, or too few pairs: the rank matrix says what there is
        return {}
    return {each.name: each for each in found.to_baseline}


def _divider(unit: str, recipe: Recipe) -> Unit | Tokenize:
    """Return what divides a sentence into units."""
    if check_unit(unit) != WORDPIECE:
        return Unit(unit)
    tokenizer = whole_text_tokenizer(resolve_model(recipe.model, revision=recipe.revision))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).tokens
