"""A wall for a place without a server, as one HTML file or in a notebook.

Its payload holds the neighbours of every row. The regions of its pictures are named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.loadings import words_of
from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.analysis.topics import WIDEST, Topic, count_terms, topics_of
from bertflow_core.errors import InputError
from bertflow_core.figures.pages import Page, picture_page
from bertflow_core.linalg import FloatArray
from bertflow_core.report import Column as Shown
from bertflow_core.report import Report
from bertflow_core.studies.wall.drawing import PanePicture, faithfulness_column, pictures
from bertflow_core.studies.wall.nearest import all_neighbours
from bertflow_core.studies.wall.payload import encode, with_key
from bertflow_core.studies.wall.recipe import Picture, WallRecipe, check_number, wall_command
from bertflow_core.studies.wall.spaces import Column, PaneSpace, Wall, WallRows, number_column
from bertflow_core.wording import quoted

MAX_ROWS_ALONE = 20_000
MAX_PAGE_BYTES = 32_000_000
"""What browsers still open at once."""

PAGE = (
    "wall.html",
    "The wall",
    "The same rows in several spaces. Draw a lasso in one pane, and the same rows light up in the "
    "others; click a point for its nearest rows in the full space of every pane.",
)
"""Its file, title and summary."""

TOPICS_NOTE = (
    "Topic names: each pane's picture is cut into regions (k-means on its coordinates; parts near "
    f"each other are joined up to {100 * WIDEST:.0f} % of the picture's width, half of that at "
    "zoom 2, and so on to zoom 8). A region is named by the words that set its sentences apart "
    "from the other regions' (class-based tf-idf, Grootendorst, 2022; English function words are "
    "left out). They describe the picture, not the full space."
)
"""How the names are made."""

_PICTURE = ("wall", "wall.js", "wall.css")
_N_NEIGHBOURS = 10


@dataclass(frozen=True, eq=False)
class DrawnWall:
    """A wall as the browser gets it."""

    pictures: tuple[PanePicture, ...]  # one per pane
    extra: tuple[Column, ...]  # columns that the pictures add to those of the wall
    payload: bytes = field(repr=False)  # all of it, sent once; no neighbours: a server looks


def draw_wall(wall: Wall, picture: Picture, judged: bool = False) -> DrawnWall:
    """Draw a wall for a place with a server; `judged` counts kept neighbours for every point."""
    found = pictures(wall, picture, with_faithfulness=judged)
    share = faithfulness_column(found)
    extra = () if share is None else (share,)
    return DrawnWall(found, extra, _encoded(wall, picture, found, extra))


def wall_page(
    wall: Wall,
    picture: Picture,
    drawn: DrawnWall | None = None,
    *,
    page: tuple[str, str, str] = PAGE,
    index: str = "",
) -> Page:
    """Return a wall as a page: linked panes, lasso, search and neighbours.

    More than a page may hold is refused. It is drawn here where `drawn` is None; `page` is its
    file, title and summary. Without an `index`, the file of the page that leads to all others, it
    says the command that makes it again.
    """
    payload = with_key(wall_payload(wall, picture, drawn), "wall")
    topics = () if wall.of_words else (TOPICS_NOTE,)
    command = "" if index or wall.recipe is None else wall_command(wall.recipe, picture)
    made_by = (f"Made by: {command}",) if command else ()
    notes = [" ".join(wall.remarks(picture)), *topics, *made_by]
    made = picture_page(page, _PICTURE, payload=payload, notes=notes, index=index)
    if len(made.html) > MAX_PAGE_BYTES:
        raise InputError(
            f"the page takes {len(made.html) / 1e6:.0f} MB, at most {MAX_PAGE_BYTES / 1e6:.0f} are "
            "allowed: show fewer rows or panes"
        )
    return made


def wall_payload(wall: Wall, picture: Picture, drawn: DrawnWall | None = None) -> bytes:
    """Return a wall with every row's neighbours; it is drawn here where `drawn` is None."""
    check_rows(len(wall.rows))
    drawn = drawn or draw_wall(wall, picture)
    neighbours = []
    for place, space in enumerate(wall.spaces):
        with context.in_space(place, len(wall.spaces)):
            neighbours.append(all_neighbours(space.z, _N_NEIGHBOURS, picture.metric))
    return _encoded(wall, picture, drawn.pictures, drawn.extra, neighbours)


def _encoded(
    wall: Wall,
    picture: Picture,
    drawn: Sequence[PanePicture],
    extra: Sequence[Column],
    neighbours: Sequence[Neighbours] = (),
) -> bytes:
    topics: list[tuple[Topic, ...]] = []
    if not wall.of_words:  # of single words nothing is distinctive
        seed = 0 if wall.recipe is None else wall.recipe.base.seed
        terms = count_terms(wall.rows.texts)
        topics = [topics_of(pane.coordinates, terms, seed=seed) for pane in drawn]
    columns = (*wall.columns, *extra)
    return encode(
        drawn,
        sorted(columns, key=lambda column: "frequency" not in column.name),  # the cone's, first
        wall.rows.texts,
        ids=wall.rows.names,
        caption=" ".join(wall.remarks(picture)),
        neighbours=neighbours,
        topics=topics,
    )


def selection_report(
    wall: Wall, picture: Picture, rows: Sequence[int], extra: Sequence[Column] = ()
) -> Report:
    """Report selected rows with every column; rows and extra columns as `Wall.records` has them."""
    remarks, records = wall.remarks(picture), wall.records(rows, extra)
    return Report(
        name="selection",
        params=picture,
        columns=[Shown(key, key) for key in records[0]],
        rows=[{**row, "recipe": " ".join(remarks)} for row in records],
        remarks=remarks,
        facts={} if wall.recipe is None else {"wall": _without_paths(wall.recipe)},
    )


def _without_paths(recipe: WallRecipe) -> dict[str, Any]:
    """Return a recipe's fields; files of word counts by their name, not by their folder here."""
    fields = recipe.to_dict()
    for each in (fields, fields["base"]):
        if each.get("counts"):
            each["counts"] = Path(each["counts"]).name
    return fields


def given_wall(spaces: Mapping[str, FloatArray], texts: Sequence[str]) -> Wall:
    """Return a wall of given vectors of the same N rows, (N, D), by the name of the pane."""
    check_number(len(spaces))
    check_rows(len(texts))
    arrays = {name: _checked(name, z, len(texts)) for name, z in spaces.items()}
    words = [sum(word[0].isalnum() for word in words_of(text)) for text in texts]
    length = number_column("length", words, "words")
    rows = WallRows(np.arange(len(texts)), tuple(texts), (length,), f"{len(texts):,} rows")
    return Wall(rows, tuple(PaneSpace(name, "", z) for name, z in arrays.items()))


def check_rows(n_rows: int) -> None:
    """Refuse more rows than a wall without a server may hold."""
    if n_rows > MAX_ROWS_ALONE:
        raise InputError(
            f"a wall without a server holds at most {MAX_ROWS_ALONE:,} rows, got {n_rows:,}: show "
            "fewer"
        )


def _checked(name: str, z: FloatArray, n_rows: int) -> FloatArray:
    """Return given vectors as float32; refuse what has no row of finite numbers for each text."""
    try:
        array = np.asarray(z, np.float32)
    except (TypeError, ValueError):
        array = np.empty(0, np.float32)
    if array.ndim != 2 or len(array) != n_rows or n_rows < 2 or not np.isfinite(array).all():
        raise InputError(
            f"{quoted(str(name))} needs finite vectors of shape ({n_rows}, D), one per text and at "
            f"least two, got {array.shape}"
        )
    return array
