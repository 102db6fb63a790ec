"""Make the site: tour, flow on the plane, newborn cone, walls, and the page that leads to them."""

import json
import shlex

from bertflow_core.figures.pages import Page, picture_page
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.newborn.recording import payload
from bertflow_core.studies.newborn.study import stored_newborn
from bertflow_core.studies.site.page import INDEX, NEWBORN, PLANE, index_page
from bertflow_core.studies.site.wall import sentence_wall, word_wall
from bertflow_core.studies.tour.compute import compute_tour
from bertflow_core.studies.tour.lesson import versions
from bertflow_core.studies.tour.page import TITLE, lesson_page
from bertflow_core.studies.tour.stored import stored_for
from bertflow_core.studies.wall import build_spaces
from bertflow_core.studies.wall.page import wall_page

__all__ = ["FILES", "make_site"]

_TITLE = "Sentence embeddings, their cone, and a flow that opens it"
_TOUR = (
    "tour.html",
    TITLE,
    "Questions about a space of sentence embeddings: answer first, then see the picture.",
)
_PLANE = (
    "plane.html",
    "Inside a flow",
    "A normalizing flow on the plane, trained in this page. Drag points through it, go forward and "
    "back through its layers, and open each one with its numbers.",
)
_NEWBORN = (
    "newborn.html",
    "How a cone forms",
    "A small language model learns to guess masked words, and its words drift into a cone. A "
    "recording to play, step by step.",
)
_SENTENCES = (
    "wall.html",
    "The wall of sentences",
    "The same sentences before and after calibration. Draw a lasso in one pane, and the same "
    "sentences light up in the others.",
)
_WORDS = (
    "words.html",
    "The wall of words",
    "The words of an encoder coloured by how frequent they are, before and after a flow.",
)
FILES = (INDEX, *(page[0] for page in (_TOUR, _PLANE, _NEWBORN, _SENTENCES, _WORDS)))
"""The names of the pages."""


def make_site(recipe: Recipe, lab: Lab) -> tuple[Page, ...]:
    """Compute all pages of the site; what is stored is taken from the store.

    Args:
        recipe: Whose space the tour and the walls show; its calibrator is ignored.
        lab: Where data and vectors are found.

    Returns:
        The pages of `FILES`, in that order.

    Raises:
        InputError: A recipe, data or model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    lesson = stored_for(recipe) or compute_tour(recipe, lab)
    stored = stored_newborn()
    pages = [
        Page(*_TOUR, lesson_page(lesson)),
        picture_page(_PLANE, PLANE, index=INDEX),
        picture_page(
            _NEWBORN,
            NEWBORN,
            payload=json.dumps(payload(stored.rows, stored.facts)).encode(),
            notes=[f"{stored.params.caption()}."],
            index=INDEX,
        ),
    ]
    walls = (_SENTENCES, sentence_wall(recipe)), (_WORDS, word_wall(recipe))
    for page, (chosen, picture) in walls:
        wall = build_spaces(chosen, lab)
        pages.append(wall_page(wall, picture, page=page, index=INDEX))
    command = shlex.join(["bertflow-lab", "site", "--out", "site", *recipe.to_args()])
    notes = [f"Made by: {command}", f"Walls: {versions()}. Tour: {lesson.versions}."]
    return (index_page(pages, title=_TITLE, notes=notes), *pages)
