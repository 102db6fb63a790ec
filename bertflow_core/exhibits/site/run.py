"""The site: tour, flow on the plane, cone of a model in training, walls, and an overview page.

Each page is written whole or not at all, and never over a file of another kind.
"""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.errors import InputError
from bertflow_core.exhibits.newborn import stored_recording
from bertflow_core.exhibits.site.live import PAGE as LIVE_PAGE
from bertflow_core.exhibits.site.live import check_live, make_live
from bertflow_core.exhibits.tour.compute import compute_tour
from bertflow_core.exhibits.tour.lesson import Lesson, stored_for, versions
from bertflow_core.exhibits.tour.page import MARK as LESSON_MARK
from bertflow_core.exhibits.tour.page import TITLE, lesson_page
from bertflow_core.exhibits.wall.drawing import draw_wall
from bertflow_core.exhibits.wall.page import wall_page
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe
from bertflow_core.exhibits.wall.rows import build_wall
from bertflow_core.figures.pages import MARK, Page, frame, picture_page, render
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.files import begins_with_mark, write_file
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import quoted

_INDEX = "index.html"
_TITLE = "Sentence embeddings, their cone, and a flow that opens it"
_PAGES = (
    (
        *("tour.html", TITLE),
        "Questions about a space of sentence embeddings: answer first, then see the picture.",
    ),
    (
        *("plane.html", "A flow on the plane"),
        "A normalizing flow on the plane, trained in this page. Drag points through it, go forward "
        "and back through its layers, and open each one with its numbers.",
    ),
    (
        *("newborn.html", "How a cone forms"),
        "A small language model learns to guess masked words, and its words drift into a cone. A "
        "recording to play, step by step.",
    ),
    (
        *("wall.html", "The wall of sentences"),
        "The same sentences before and after calibration. Draw a lasso in one pane, and the same "
        "sentences light up in the others.",
    ),
    (
        *("words.html", "The wall of words"),
        "The words of an encoder coloured by how frequent they are, before and after a flow.",
    ),
)
FILES = (_INDEX, *(file for file, _, _ in _PAGES), LIVE_PAGE[0])
"""The names of the pages; the last is the live page, which a site may lack."""

LIVE = "live"  # the folder beside the pages from which the live page loads its networks


def make_site(recipe: Recipe, lab: Lab, *, live: Path | None = None) -> tuple[Page, ...]:
    """Compute all pages of the site; `live` is the folder for the networks of the live page."""
    lesson = stored_for(recipe) or compute_tour(recipe, lab)
    pages = tuple(_pages(recipe, lab, lesson))
    if live is not None:
        pages = (pages[0], make_live(recipe, lab, live, index=_INDEX), *pages[1:])
    asked = ["--live"] if live is not None else []
    command = shlex.join(["bertflow-lab", "site", *asked, "--out", "site", *recipe.to_args()])
    notes = [f"Made by: {command}", f"Walls: {versions()}. Tour: {lesson.versions}."]
    index = render(__package__, "index.html.jinja", **frame(_TITLE), pages=pages, notes=notes)
    return (Page(_INDEX, _TITLE, "", index), *pages)


def _pages(recipe: Recipe, lab: Lab, lesson: Lesson) -> Iterator[Page]:
    tour, plane, newborn, sentences, words = _PAGES
    yield Page(*tour, lesson_page(lesson))
    yield picture_page(plane, ("flow-plane", "flow_plane.js", "flow_plane.css"), index=_INDEX)
    stored = stored_recording()
    yield picture_page(
        newborn,
        ("newborn", "newborn.js", "newborn.css"),
        payload=json.dumps(stored.picture(), allow_nan=False).encode(),
        notes=[stored.caption],
        index=_INDEX,
    )
    specs = ("identity", "null-top-k:k=6", "whiten", "flow")
    wall = build_wall(WallRecipe(base=recipe, calibrators=specs, counts=VOCABULARY), lab)
    yield wall_page(draw_wall(wall, Picture()), page=sentences, index=_INDEX)
    of_words = WordRecipe(model=recipe.model, revision=recipe.revision, seed=recipe.seed)
    wall = build_wall(WallRecipe(base=of_words), lab)
    yield wall_page(draw_wall(wall, Picture(metric="l2")), page=words, index=_INDEX)


def check_site(folder: Path, recipe: Recipe, *, live: bool) -> None:
    """Refuse, before any work, a folder or recipe for which the pages cannot be written."""
    if live:
        check_live(recipe)
        if (folder / LIVE).exists() and not (folder / LIVE_PAGE[0]).exists():
            raise InputError(
                f"{quoted(folder / LIVE)} exists and was not written by this program: choose "
                "another folder"
            )
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{quoted(folder)} is no folder: choose another name")
    for path in (folder / name for name in FILES):
        if path.exists() and not begins_with_mark(path, (MARK, LESSON_MARK)):
            raise InputError(
                f"{quoted(path)} exists and is not a page of this program: choose another folder"
            )


def write_site(folder: Path, pages: Sequence[Page]) -> None:
    """Write the pages into a folder, which is created if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        write_file(folder / page.file, page.html.encode())
