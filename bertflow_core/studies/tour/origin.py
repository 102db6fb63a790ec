"""The line under a step: what decides its numbers, in the recipe's own words."""

from collections.abc import Sequence

from bertflow_core.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["of_change", "origin", "origin_of_words", "shared_origin"]

_RAW = Recipe.calibrator


def origin(
    recipe: Recipe,
    specs: Sequence[str] = (_RAW,),
    *,
    layers: str | None = None,
    also: Sequence[str] = (),
) -> str:
    """Return what decides the numbers of a step on sentences.

    Args:
        recipe: The choices; its calibrator and aggregation are ignored.
        specs: The calibrators whose numbers are shown.
        layers: The layers that are shown; None is the recipe's own.
        also: What else decides them, such as how subsets are aggregated.
    """
    return "; ".join(
        [
            _space(recipe, layers or recipe.layers),
            _data(recipe),
            f"{_calibrated(specs, recipe.fit_on)}, seed {recipe.seed}",
            *also,
        ]
    )


def of_change(recipe: Recipe, n_draws: int) -> tuple[str, str]:
    """Return what decides a change of rho, and its interval, besides the pairs."""
    return f"aggregation {recipe.aggregation}", f"{n_draws:,} resamples"


def origin_of_words(recipe: WordRecipe) -> str:
    """Return what decides the mean norms of words, which no neighbour does."""
    bins = ", ".join(map(str, recipe.bins))
    return f"{_encoder(recipe)}, {recipe.table} table; counts {recipe.counts}; bins {bins}; {_RAW}"


def shared_origin(recipe: Recipe) -> str:
    """Return what all steps on sentences share, as sentences."""
    return (
        f"All steps on sentences share {_space(recipe)}; {_data(recipe)}; seed {recipe.seed}. What "
        f"is fitted is fitted on {recipe.fit_on}. The layers, the calibrators and whatever else "
        "decides the numbers of one step are named under it."
    )


def _space(recipe: Recipe, *layers: str) -> str:
    return ", ".join([_encoder(recipe), *layers, recipe.pooling, recipe.length, recipe.precision])


def _encoder(recipe: Recipe | WordRecipe) -> str:
    return f"{recipe.model} at {recipe.revision[:12]}" if recipe.revision else recipe.model


def _data(recipe: Recipe) -> str:
    return f"{recipe.dataset} {recipe.split}"


def _calibrated(specs: Sequence[str], fit_on: str) -> str:
    """Name calibrators, and what they are fitted on where one of them learns anything."""
    *before, last = specs
    named = f"{', '.join(before)} and {last}" if before else last
    return named if set(specs) <= {_RAW} else f"{named} fitted on {fit_on}"
