"""The jobs of the wall, shared by visitors: its spaces, and its pictures."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key, once

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


def spaces(recipe: "WallRecipe", *, start: bool) -> Job | None:
    """Return the job that embeds the rows of a wall and fits the calibrator of every pane.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    recipe = _without_own_choices(recipe)
    base, shown, lab, upload = recipe.base, recipe, Lab(), None
    if isinstance(base, Recipe):
        named, lab = services.at_hand(base)
        shown, upload = replace(recipe, base=named), services.upload_of(base)
        reading = services.reading_of(base)

    def work() -> "Wall":
        from bertflow_core.studies.wall import build_wall

        more = other_columns(upload, reading) if upload and reading else None
        return build_wall(shown, lab, more=more)

    return find_or_start(job_key("wall", Recipe(), **recipe.to_dict()), work, start=start)


def _without_own_choices(recipe: "WallRecipe") -> "WallRecipe":
    """Return a recipe without the choices of the sidebar that each pane makes for itself."""
    base: Recipe | WordRecipe = recipe.base.with_(calibrator=Recipe.calibrator)
    if isinstance(base, Recipe):
        base = of_layers(base, [pane.layers for pane in recipe.panes])
        base = base.with_(aggregation=Recipe.aggregation)
    return replace(recipe, base=base)


def drawn(built: Job, picture: "Picture", *, judged: bool, again: bool) -> Job:
    """Return the job that draws the spaces of a finished job; it starts by itself.

    Args:
        built: The job that built them; its name stands for all data, uploads included.
        picture: How they are drawn.
        judged: Whether kept neighbours are counted for every point, as they always are for UMAP.
        again: Whether to try again what failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    key = job_key("picture", Recipe(), wall=built.key, judged=judged, **picture.to_dict())
    wall = built.result

    def work() -> Drawn:
        return _draw(wall, picture, judged)

    return once(key, work, again=again)


def page(built: Job, drawn: Job, picture: "Picture", *, start: bool) -> Job | None:
    """Return the job that writes a wall as one HTML file, with the neighbours of every row.

    Args:
        built: The job that built its spaces.
        drawn: The job that drew them.
        picture: How they are drawn.
        start: Whether to start it.

    Raises:
        Busy: Too many jobs are waiting.
    """
    wall, panes = built.result, drawn.result.pictures

    def work() -> "Page":
        from bertflow_core.studies.wall.page import wall_page
        from bertflow_core.studies.wall.recipe import wall_command

        return wall_page(wall, picture, drawn=panes, command=wall_command(wall.recipe, picture))

    return find_or_start(job_key("wall page", Recipe(), drawn=drawn.key), work, start=start)


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
