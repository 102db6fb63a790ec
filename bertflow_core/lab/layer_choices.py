"""Recipes that differ only in their layer sets, and the fields that they share."""

from collections.abc import Sequence
from typing import Any

from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.lab.recipe import OF_PLAIN, PLAIN, SETTLED, Recipe
from bertflow_core.params import parameters_of

_OF_PLAIN = [each for each in parameters_of(Recipe) if each.name in OF_PLAIN]


def of_layers(recipe: Recipe, layers: Sequence[str]) -> Recipe:
    """Return the starting recipe for a study of these layer sets; its own layer set is ignored.

    The prompt and the number of features stay if the plain output is among the layer sets.
    """
    if recipe.layers == PLAIN_LAYERS and PLAIN_LAYERS in layers:
        return recipe
    return recipe.without("layers")


def widest(recipes: Sequence[Recipe]) -> Recipe:
    """Return the one of these recipes from which the others follow by changing the layer set.

    It is the plain output's, if any, since only that may have a prompt or `truncate_dim`.
    """
    return next(iter(_declared(recipes)), recipes[0])


def shared_by(recipes: Sequence[Recipe]) -> Recipe:
    """Return the common recipe of recipes that differ only in their layer sets.

    If the plain output is among them, they share no field of `SETTLED`.
    """
    first = recipes[0]
    apart = SETTLED if _declared(recipes) else ()
    return first.without(*{"layers", *apart})


def layer_columns(recipe: Recipe, shared: Recipe) -> dict[str, Any]:
    """Return the columns of a recipe that the common recipe lacks."""
    own, common = recipe.columns(), shared.columns()
    names = [f"recipe_{name}" for name in SETTLED if name != "layers"]
    return {name: own[name] for name in names if name in own.keys() - common.keys()}


def layer_options(recipes: Sequence[Recipe]) -> list[tuple[str, str]]:
    """Return the options for the layer sets, and for the plain output's prompts and features."""
    options = [("--layers", name) for name in dict.fromkeys(each.layers for each in recipes)]
    for recipe in _declared(recipes)[:1]:
        changes = recipe.changes()
        options += [(each.option, changes[each.name]) for each in _OF_PLAIN if each.name in changes]
    return options


def encodings(recipes: Sequence[Recipe]) -> str:
    """Describe how tokens became vectors, by layer set if they differ."""
    layers: dict[str, list[str]] = {}
    for recipe in recipes:
        name = recipe.layers.replace(PLAIN_LAYERS, PLAIN)
        layers.setdefault(recipe.encoding, []).append(name)
    if len(layers) == 1:
        return next(iter(layers))
    return "; ".join(
        f"{', '.join(dict.fromkeys(names))} with {text}" for text, names in layers.items()
    )


def encodings_apart(recipes: Sequence[Recipe]) -> tuple[str, ...]:
    """Return the sentence on the fields that `shared_by` leaves out, if any."""
    return (f"Vectors: {encodings(recipes)}.",) if _declared(recipes) else ()


def _declared(recipes: Sequence[Recipe]) -> list[Recipe]:
    """Return the recipes whose vectors are the plain output of a network."""
    return [each for each in recipes if each.layers == PLAIN_LAYERS and each.source.has_layers]
