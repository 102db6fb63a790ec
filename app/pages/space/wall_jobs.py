"""The jobs of the wall, shared by visitors: its spaces, and its pictures."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import run

from bertflow_core.datasets.own_table import other_columns
from bertflow_core.lab import Lab
from bertflow_core.layer_choices import of_layers
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.wall.recipe import Picture, WallRecipe
    from bertflow_core.studies.wall.spaces import Wall
    from bertflow_core.studies.words.recipe import WordRecipe


def spaces(recipe: "WallRecipe", *, start: bool | None) -> Job | None:
    """Return the job that embeds the rows of a wall and fits the calibrator of every pane."""
    recipe = _without_own_choices(recipe)
    return run(_built, recipe.base, recipe, start=start)


def _built(base: "Recipe | WordRecipe", lab: Lab, recipe: "WallRecipe") -> "Wall":
    from bertflow_core.studies.wall.rows import build_wall

    more = None
    if isinstance(recipe.base, Recipe):
        upload, reading = services.upload_of(recipe.base), services.reading_of(recipe.base)
        more = other_columns(upload, reading) if upload and reading else None
    return build_wall(replace(recipe, base=base), lab, more=more)


def _without_own_choices(recipe: "WallRecipe") -> "WallRecipe":
    """Return a recipe without the choices of the sidebar that each pane makes for itself."""
    base: Recipe | WordRecipe = recipe.base.with_(calibrator=Recipe.calibrator)
    layers = recipe.layers
    if isinstance(base, Recipe):
        layers = layers or (base.layers,)
        base = of_layers(base, layers).with_(aggregation=Recipe.aggregation)
    return replace(recipe, base=base, layers=layers)


def drawn(built: Job, picture: "Picture", *, judged: bool, start: bool | None) -> Job | None:
    """Return the job that draws the spaces of a finished job."""
    return run("studies.wall.drawing:draw_wall", built, picture, judged, start=start)


def page(drawn: Job, *, start: bool) -> Job | None:
    """Return the job that writes a drawn wall as one HTML file, with every row's neighbours."""
    return run("studies.wall.page:wall_page", drawn, start=start)
