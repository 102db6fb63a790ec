"""The site: tour, flow on the plane, newborn cone, walls, and the page that leads to them.

Each page is written whole or not at all, and never over a file of another kind.
"""

import json
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.errors import InputError
from bertflow_core.figures.pages import MARK, Page, Shown, frame, picture_page, render
from bertflow_core.files import begins_with_mark, write_file
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.newborn.recording import payload
from bertflow_core.studies.newborn.study import stored_newborn
from bertflow_core.studies.tour.compute import compute_tour
from bertflow_core.studies.tour.lesson import versions
from bertflow_core.studies.tour.page import MARK as LESSON_MARK
from bertflow_core.studies.tour.page import TITLE, lesson_page
from bertflow_core.studies.tour.stored import stored_for
from bertflow_core.studies.wall import Picture, WallRecipe, build_wall
from bertflow_core.studies.wall.page import wall_page
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import quoted

__all__ = ["FILES", "check_site_folder", "make_site", "write_site"]

_INDEX = "index.html"
_PLANE_PICTURE = Shown("flow-view", "flow_view.js", "theatre.css")
_NEWBORN_PICTURE = Shown("newborn", "newborn.js", "newborn.css")
_SENTENCE_CALIBRATORS = ("identity", "null-top-k:k=6", "whiten", "flow")
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
FILES = (_INDEX, *(page[0] for page in (_TOUR, _PLANE, _NEWBORN, _SENTENCES, _WORDS)))
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
        picture_page(_PLANE, _PLANE_PICTURE, index=_INDEX),
        picture_page(
            _NEWBORN,
            _NEWBORN_PICTURE,
            payload=json.dumps(payload(stored.rows, stored.facts)).encode(),
            notes=[f"{stored.params.caption()}."],
            index=_INDEX,
        ),
    ]
    walls = (_SENTENCES, _sentence_wall(recipe)), (_WORDS, _word_wall(recipe))
    for page, (chosen, picture) in walls:
        wall = build_wall(chosen, lab)
        pages.append(wall_page(wall, picture, page=page, index=_INDEX))
    command = shlex.join(["bertflow-lab", "site", "--out", "site", *recipe.to_args()])
    notes = [f"Made by: {command}", f"Walls: {versions()}. Tour: {lesson.versions}."]
    index = render(__package__, "index.html.jinja", **frame(_TITLE), pages=pages, notes=notes)
    return (Page(_INDEX, _TITLE, "", index), *pages)


def _sentence_wall(recipe: Recipe) -> tuple[WallRecipe, Picture]:
    """Return the wall of a recipe's sentences, which are compared by cosine."""
    return WallRecipe(base=recipe, calibrators=_SENTENCE_CALIBRATORS, counts=VOCABULARY), Picture()


def _word_wall(recipe: Recipe) -> tuple[WallRecipe, Picture]:
    """Return the wall of the words of a recipe's model, whose lengths say most."""
    base = WordRecipe(model=recipe.model, revision=recipe.revision, seed=recipe.seed)
    return WallRecipe(base=base), Picture(metric="l2")


def check_site_folder(folder: Path, names: Iterable[str]) -> None:
    """Refuse, before any work, a folder in which the pages could not be written.

    Raises:
        InputError: It is no folder, or one of the names is taken by something else.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{quoted(folder)} is no folder: choose another name")
    paths = [folder / name for name in names]
    taken = [
        path for path in paths if path.exists() and not begins_with_mark(path, (MARK, LESSON_MARK))
    ]
    if taken:
        raise InputError(
            f"{quoted(taken[0])} exists and is no page of this program: choose another folder"
        )


def write_site(folder: Path, pages: Sequence[Page]) -> None:
    """Write the pages into a folder, which is made where there is none.

    Raises:
        ResourceError: The disk refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        write_file(folder / page.file, page.html.encode())
