"""Make the site: the tour, the flow on the plane, the wall, and the page that leads to them."""

import shlex
from collections.abc import Mapping

from bertflow_core.experiment import Lab
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.studies.site.page import Page, index_page, picture_page
from bertflow_core.studies.site.wall import wall_of
from bertflow_core.studies.tour.compute import compute_tour
from bertflow_core.studies.tour.page import TITLE, lesson_page
from bertflow_core.studies.tour.stored import stored_lesson

__all__ = ["BUNDLES", "FILES", "make_site"]

BUNDLES = ("site_plane.js", "site_wall.js", "theatre.css", "wall.css")
"""Scripts and style sheets that the pages hold, by name."""

FILES = ("index.html", "tour.html", "plane.html", "wall.html")
"""The names of the pages."""

_TITLE = "Sentence embeddings, their cone, and a flow that opens it"
_TOUR = "Questions about a space of sentence embeddings: answer first, then see the picture."
_PLANE = (
    "A normalizing flow on the plane, trained in this page. Drag points through it, go forward and "
    "back through its layers, and open each one with its numbers."
)
_WALL = (
    "The same sentences before and after calibration. Draw a lasso in one pane, and the same "
    "sentences light up in the others."
)


def make_site(
    recipe: Recipe, lab: Lab, bundles: Mapping[str, str], *, progress: Progress = silent
) -> tuple[Page, ...]:
    """Compute all pages of the site.

    Args:
        recipe: Whose space the tour and the wall show; its calibrator is ignored.
        lab: Where data and vectors are found.
        bundles: Scripts and style sheets by the names of `BUNDLES`.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: A recipe, data or model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    is_stored = recipe == Recipe()
    lesson = stored_lesson() if is_stored else compute_tour(recipe, lab, progress=progress)
    tour = Page("tour.html", TITLE, _TOUR, lesson_page(lesson))
    plane = picture_page(
        "plane.html",
        "Inside a flow",
        _PLANE,
        root="flow-view",
        style="theatre.css",
        bundles=bundles,
    )
    payload, remarks = wall_of(recipe, lab, progress=progress)
    wall = picture_page(
        "wall.html",
        "The wall",
        _WALL,
        root="wall",
        style="wall.css",
        bundles=bundles,
        payload=payload,
        notes=[" ".join(remarks)],
    )
    command = shlex.join(["bertflow-lab", "site", "--out", "site", *recipe.to_args()])
    pages = (tour, plane, wall)
    return (index_page(pages, title=_TITLE, notes=[f"Made by: {command}", lesson.versions]), *pages)
