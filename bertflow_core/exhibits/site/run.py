"""The site: a start page, and one way through all other pages, from the tour to the questions.

Each page is written whole or not at all, and never over a file of another kind.
"""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path

from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.errors import InputError
from bertflow_core.exhibits.newborn import stored_recording
from bertflow_core.exhibits.site.live import PAGE as LIVE_PAGE
from bertflow_core.exhibits.site.live import check_live, make_live
from bertflow_core.exhibits.site.questions import PAGE as QUESTIONS
from bertflow_core.exhibits.site.questions import questions_page
from bertflow_core.exhibits.site.start import START, start_page
from bertflow_core.exhibits.tour.compute import compute_tour
from bertflow_core.exhibits.tour.lesson import Lesson, stored_for, versions
from bertflow_core.exhibits.tour.page import MARK as LESSON_MARK
from bertflow_core.exhibits.tour.page import TITLE, lesson_page
from bertflow_core.exhibits.wall.drawing import draw_wall
from bertflow_core.exhibits.wall.page import wall_page
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe
from bertflow_core.exhibits.wall.rows import build_wall
from bertflow_core.figures.pages import KEEP, MARK, WORKER, Page, picture_page, render
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.files import begins_with_mark, digest_of, file_sha256, write_file
from bertflow_core.runtime.shipped import bundle
from bertflow_core.studies.depth.spheres import stored_depth
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import quoted

_TOUR = (
    *("tour.html", TITLE),
    "Questions about a space of sentence embeddings: answer first, then see the picture.",
)
_DEPTH = (
    *("depth.html", "The cone, layer by layer"),
    "The same sentences in every layer of a raw language model. Play the layers, and leave out the "
    "coordinates that make the cone.",
)
_PLANE = (
    *("plane.html", "A flow on the plane"),
    "A normalizing flow on the plane, trained in this page. Drag points through it, go forward "
    "and back through its layers, and open each one with its numbers.",
)
_NEWBORN = (
    *("newborn.html", "How a cone forms"),
    "A small language model learns to guess masked words, and its words drift into a cone. A "
    "recording to play, step by step.",
)
_WALL = (
    *("wall.html", "The wall of sentences"),
    "The same sentences before and after calibration. Draw a lasso in one pane, and the same "
    "sentences light up in the others.",
)
_WORDS = (
    *("words.html", "The wall of words"),
    "The words of an encoder coloured by how frequent they are, before and after a flow.",
)

_PAGES = (_TOUR, LIVE_PAGE, _DEPTH, _PLANE, _NEWBORN, _WALL, _WORDS, QUESTIONS)
"""The way through the site; not every site has the live page."""

_Entry = tuple[str, str, str]  # file, title and summary

LIVE = "live"  # the folder beside the pages from which the live page loads its networks


def make_site(recipe: Recipe, lab: Lab, *, live: Path | None = None) -> tuple[Page, ...]:
    """Compute all pages of the site; `live` is the folder for the networks of the live page."""
    lesson = stored_for(recipe) or compute_tour(recipe, lab)
    entries = [page for page in _PAGES if live is not None or page != LIVE_PAGE]
    neighbours = zip([START, *entries[:-1]], [*entries[1:], None], strict=True)
    ways = dict(zip(entries, starmap(_ways, neighbours), strict=True))
    pages = tuple(_pages(recipe, lab, lesson, live, ways))
    asked = ["--live"] if live is not None else []
    command = shlex.join(["bertflow-lab", "site", *asked, "--out", "site", *recipe.to_args()])
    notes = [f"Made by: {command}", f"Walls: {versions()}. Tour: {lesson.versions}."]
    return (start_page(_ways(None, entries[0], entries, notes)), *pages)


def _ways(
    back: tuple[str, ...] | None,
    onward: _Entry | None,
    pages: Sequence[_Entry] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return the links of a page to its neighbours; on the start page, to all pages, with notes."""
    links = {"back": back, "onward": onward, "index": START[0]}
    return render(__package__, "ways.html.jinja", keep=KEEP, pages=pages, notes=notes, **links)


def _pages(
    recipe: Recipe, lab: Lab, lesson: Lesson, live: Path | None, ways: Mapping[_Entry, str]
) -> Iterator[Page]:
    yield Page(*_TOUR, lesson_page(lesson, ways=ways[_TOUR]))
    if live is not None:
        yield make_live(recipe, lab, live, ways=ways[LIVE_PAGE])
    depth, recording = stored_depth(), stored_recording()
    yield picture_page(
        _DEPTH,
        ("depth cone", "depth.js", "depth.css"),
        payload=_json(depth.spheres),
        notes=[f"A recording. {depth.report.params.caption()}."],
        ways=ways[_DEPTH],
    )
    yield picture_page(_PLANE, ("flow-plane", "flow_plane.js", "flow_plane.css"), ways=ways[_PLANE])
    yield picture_page(
        _NEWBORN,
        ("newborn", "newborn.js", "newborn.css"),
        payload=_json(recording.picture()),
        notes=[recording.caption],
        ways=ways[_NEWBORN],
    )
    specs = ("identity", "null-top-k:k=6", "whiten", "flow")
    wall = build_wall(WallRecipe(base=recipe, calibrators=specs, counts=VOCABULARY), lab)
    yield wall_page(draw_wall(wall, Picture()), page=_WALL, ways=ways[_WALL])
    of_words = WordRecipe(model=recipe.model, revision=recipe.revision, seed=recipe.seed)
    wall = build_wall(WallRecipe(base=of_words), lab)
    yield wall_page(draw_wall(wall, Picture(metric="l2")), page=_WORDS, ways=ways[_WORDS])
    yield questions_page(ways=ways[QUESTIONS])


def _json(payload: object) -> bytes:
    return json.dumps(payload, allow_nan=False).encode()


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
    for path in (folder / name for name in (WORKER, *(each[0] for each in (START, *_PAGES)))):
        if path.exists() and not begins_with_mark(path, (MARK, LESSON_MARK)):
            raise InputError(
                f"{quoted(path)} exists and is not a page of this program: choose another folder"
            )


def write_site(folder: Path, pages: Sequence[Page]) -> None:
    """Write the pages into a folder, which is created if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        write_file(folder / page.file, page.html.encode())
    write_file(folder / WORKER, _worker(folder, pages).encode())


def _worker(folder: Path, pages: Sequence[Page]) -> str:
    """Return the service worker that keeps these pages, and names that change with the contents."""
    is_live = any(page.file == LIVE_PAGE[0] for page in pages)
    networks = sorted((folder / LIVE).glob("*")) if is_live else []
    site = {
        "files": [page.file for page in pages],
        "pages": digest_of([page.html for page in pages]),
        "networks": digest_of([file_sha256(path) for path in networks]),
    }
    return f"/* {MARK} */\nglobalThis.site = {json.dumps(site)};\n{bundle('worker.js')}"
