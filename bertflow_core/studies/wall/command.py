"""The command that makes a wall again as a page."""

from itertools import product

from bertflow_core.layer_choices import layer_options
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Pane, Picture, WallRecipe

__all__ = ["PAGE_ROWS", "panes_of", "wall_command"]

PAGE_ROWS = 4_000
"""Most rows of a page, unless told otherwise."""

_UNUSED = {"n_neighbors": Picture.n_neighbors, "min_dist": Picture.min_dist}
"""What only UMAP needs."""


def panes_of(model: str, layers: tuple[str, ...], calibrators: tuple[str, ...]) -> tuple[Pane, ...]:
    """Return one pane per layer set and calibrator, the calibrators of a layer set together."""
    return tuple(Pane(model, *each) for each in product(layers, calibrators))


def wall_command(recipe: WallRecipe, picture: Picture) -> str:
    """Return the command whose page shows these spaces; empty where there is none.

    There is none of words, of several models, and where panes are no grid.
    """
    base = recipe.base
    models, layers, specs = (
        tuple(dict.fromkeys(getattr(pane, name) for pane in recipe.panes))
        for name in ("model", "layers", "calibrator")
    )
    if not isinstance(base, Recipe) or recipe.panes != panes_of(models[0], layers, specs):
        return ""
    made = (recipe.recipe_of(pane) for pane in recipe.panes)
    options = layer_options([each for each in made if isinstance(each, Recipe)])
    options += _changed(recipe, WallRecipe(panes=recipe.panes, max_rows=PAGE_ROWS), "counts")
    options += _changed(recipe, WallRecipe(panes=recipe.panes, max_rows=PAGE_ROWS), "max_rows")
    drawn = picture if picture.method == "umap" else picture.with_(**_UNUSED)
    words = drawn.with_(seed=Picture.seed).changes()
    options += [("--" + name.replace("_", "-"), text) for name, text in words.items()]
    own = base.with_(model=models[0]).without("layers", "aggregation", "metric")
    command = "bertflow-lab analyse wall --out wall.html"
    return own.to_command(specs, command=command, options=options)


def _changed(chosen: object, default: object, name: str) -> list[tuple[str, str]]:
    value = getattr(chosen, name)
    if value == getattr(default, name):
        return []
    return [(f"--{name.replace('_', '-')}", str(value))]
