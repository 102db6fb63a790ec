"""Recipes that differ in their layer sets: what they share, and what layers `model` have apart."""

from collections.abc import Sequence
from typing import Any

from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.lab.recipe import OF_LAYERS, Recipe


def of_layers(recipe: Recipe, layers: Sequence[str]) -> Recipe:
    """Return what a study of these layer sets starts from; its own layer set does not count.

    Prompt and kept features stay where layers `model` are among them.
    """
    if recipe.layers == PLAIN_LAYERS and PLAIN_LAYERS in layers:
        return recipe
    return recipe.without("layers")


def widest(recipes: Sequence[Recipe]) -> Recipe:
    """Return the recipe from which all follow that differ in their layer sets alone.

    It is one of layers `model`, if there is one: the others have no prompt and no width.
    """
    return next(iter(_declared(recipes)), recipes[0])


def shared_by(recipes: Sequence[Recipe]) -> Recipe:
    """Return what recipes share that differ in their layer sets alone.

    Where layers `model` are among them, pooling and length are not shared.
    """
    first = recipes[0]
    apart = OF_LAYERS if _declared(recipes) else ()
    return first.without("layers", *apart)


def layer_columns(recipe: Recipe, shared: Recipe) -> dict[str, Any]:
    """Return the columns of a recipe that the one shared by all does not have."""
    own, common = recipe.columns(), shared.columns()
    names = [f"recipe_{name}" for name in OF_LAYERS]
    return {name: own[name] for name in names if name in own.keys() - common.keys()}


def layer_options(recipes: Sequence[Recipe]) -> list[tuple[str, str]]:
    """Return the options that name the layer sets, and the prompt and width of layers `model`."""
    options = [("--layers", name) for name in dict.fromkeys(each.layers for each in recipes)]
    for recipe in _declared(recipes)[:1]:
        options += [("--prompt", recipe.prompt)] if recipe.prompt is not None else []
        options += [("--truncate-dim", str(recipe.truncate_dim))] if recipe.truncate_dim else []
    return options


def encodings(recipes: Sequence[Recipe]) -> str:
    """Say how tokens became vectors, by layer set where that is not the same, for people."""
    layers: dict[str, list[str]] = {}
    for recipe in recipes:
        layers.setdefault(recipe.encoding, []).append(recipe.layers)
    if len(layers) == 1:
        return next(iter(layers))
    return "; ".join(f"{', '.join(dict.fromkeys(names))}: {text}" for text, names in layers.items())


def encodings_apart(recipes: Sequence[Recipe]) -> tuple[str, ...]:
    """Return the sentence that says what `shared_by` leaves out, if it leaves anything out."""
    return (f"Vectors: {encodings(recipes)}.",) if _declared(recipes) else ()


def _declared(recipes: Sequence[Recipe]) -> list[Recipe]:
    """Return the recipes of layers `model` of a network."""
    return [each for each in recipes if each.layers == PLAIN_LAYERS and each.source.has_layers]
