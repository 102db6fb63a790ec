"""The jobs of the wall, shared by visitors: its spaces, and its pictures."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import run

from bertflow_core.datasets import other_columns
from bertflow_core.lab import Lab
from bertflow_core.layer_choices import of_layers
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.figures.pages import Page
    from bertflow_core.studies.wall import Column, Picture, Wall, WallRecipe
    from bertflow_core.studies.wall.drawing import PanePicture
    from bertflow_core.studies.words.recipe import WordRecipe


@dataclass(frozen=True, eq=False)
class Drawn:
    """A wall as the browser gets it.

    Attributes:
        pictures: One per pane.
        extra: Columns that the pictures add to those of the wall.
        payload: All of it in bytes, encoded once, so that it is sent once.
    """

    pictures: "tuple[PanePicture, ...]"
    extra: "tuple[Column, ...]"
    payload: bytes = field(repr=False)


def spaces(recipe: "WallRecipe", *, start: bool | None) -> Job | None:
    """Return the job that embeds the rows of a wall and fits the calibrator of every pane."""
    recipe = _without_own_choices(recipe)
    return run(_built, recipe.base, recipe, start=start)


def _built(base: "Recipe | WordRecipe", lab: Lab, recipe: "WallRecipe") -> "Wall":
    from bertflow_core.studies.wall import build_wall

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
    """Return the job that draws the spaces of a finished job.

    Args:
        built: The job that built them.
        picture: How they are drawn.
        judged: Whether kept neighbours are counted for every point, as they always are for UMAP.
        start: As `run` has it.
    """
    return run(_draw, built, picture, judged, start=start)


def page(built: Job, drawn: Job, picture: "Picture", *, start: bool) -> Job | None:
    """Return the job that writes a drawn wall as one HTML file, with every row's neighbours."""
    return run(_page, built, picture, drawn, start=start)


def _page(wall: "Wall", picture: "Picture", drawn: Drawn) -> "Page":
    from bertflow_core.studies.wall.page import wall_page
    from bertflow_core.studies.wall.recipe import wall_command

    assert wall.recipe is not None
    command = wall_command(wall.recipe, picture)
    return wall_page(wall, picture, drawn=drawn.pictures, command=command)


def _draw(wall: "Wall", picture: "Picture", judged: bool) -> Drawn:
    from bertflow_core.studies.wall.drawing import faithfulness_column, pictures
    from bertflow_core.studies.wall.page import wall_topics
    from bertflow_core.studies.wall.payload import encode

    found = pictures(wall, picture, with_faithfulness=judged)
    share = faithfulness_column(found)
    extra = () if share is None else (share,)
    payload = encode(
        found,
        (*wall.columns, *extra),
        wall.rows.texts,
        ids=wall.rows.names,
        caption=" ".join(wall.remarks(picture)),
        topics=wall_topics(wall, found),
    )
    return Drawn(found, extra, payload)
