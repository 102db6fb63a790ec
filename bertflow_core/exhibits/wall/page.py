"""A wall without a server, as one HTML file or in a notebook.

Its payload holds the neighbours of every row and the names of regions.
"""

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import ArrayLike

from bertflow_core.analysis.loadings import lower_words
from bertflow_core.analysis.topics import WIDEST
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall.drawing import DrawnWall
from bertflow_core.exhibits.wall.nearest import nearest_rows
from bertflow_core.exhibits.wall.payload import with_key
from bertflow_core.exhibits.wall.recipe import check_number, wall_command
from bertflow_core.exhibits.wall.spaces import MAX_LABELS, Axis, PaneSpace, Wall, column_of
from bertflow_core.figures.pages import Page, picture_page
from bertflow_core.runtime import context
from bertflow_core.wording import quoted

MAX_ROWS_ALONE = 20_000
MAX_PAGE_BYTES = 32_000_000  # browsers open larger pages slowly

PAGE = (
    "wall.html",
    "The wall",
    "The same rows in several spaces. Draw a lasso in one pane, and the same rows light up in "
    "the others; click a point to see its nearest rows in the full space of every pane.",
)
"""The page's file, title and summary."""

TOPICS_NOTE = (
    "Topic names: each pane's picture is cut into regions (k-means on its coordinates; near "
    f"parts are joined into regions at most {100 * WIDEST:.0f} % of the picture's width wide, half "
    "of that at zoom 2, and so on to zoom 8). A region is named by the words that set its "
    "sentences apart from the other regions' (class-based tf-idf, Grootendorst, 2022; English "
    "function words are left out). The names describe the picture, not the full space."
)
"""The explanation of topic names."""

_N_NEIGHBOURS = 10
_MISSING = ("nan", "NaT", "<NA>")  # how pandas writes a missing value


def wall_page(drawn: DrawnWall, *, page: tuple[str, str, str] = PAGE, ways: str = "") -> Page:
    """Return a wall as a page: linked panes, lasso, search and neighbours.

    `page` is its file, title and summary. Without `ways` it shows the command that makes it.
    """
    payload, wall = with_key(wall_payload(drawn), "wall"), drawn.wall
    topics = () if wall.of_words else (TOPICS_NOTE,)
    moved = [drawn.moved_finding()] if drawn.moves else []
    command = "" if ways or wall.recipe is None else wall_command(wall.recipe, drawn.picture)
    made_by = (f"Made by: {command}",) if command else ()
    notes = [*moved, " ".join(wall.remarks(drawn.picture)), *topics, *made_by]
    script = ("wall", "wall.js", "wall.css")
    items = ("The ten rows that moved most", _moved_lines(drawn))
    made = picture_page(page, script, payload=payload, notes=notes, items=items, ways=ways)
    if len(made.html) > MAX_PAGE_BYTES:
        raise InputError(
            f"the page takes {len(made.html) / 1e6:.0f} MB, but at most "
            f"{MAX_PAGE_BYTES / 1e6:.0f} MB are allowed: show fewer rows or panes"
        )
    return made


def _moved_lines(drawn: DrawnWall) -> list[str]:
    """Return a line for each of the ten rows that moved most; none for a single model."""
    lines = []
    for row in drawn.moved_most():
        text, shared = row.pop("Text"), row.pop("Shared")
        near = "; ".join(f"{name[0].lower()}{name[1:]}: “{other}”" for name, other in row.items())
        lines.append(f"“{text}”, {shared} shared; {near}")
    return lines


def wall_payload(drawn: DrawnWall) -> bytes:
    """Return the payload of a wall with the neighbours of every row."""
    check_rows(len(drawn.wall.texts))
    neighbours, spaces = [], drawn.wall.spaces
    for place, space in enumerate(spaces):
        with context.in_space(place, len(spaces)):
            neighbours.append(nearest_rows(space.z, _N_NEIGHBOURS, drawn.picture.metric))
    return drawn.encoded(neighbours)


def check_rows(n_rows: int) -> None:
    """Refuse more rows than a page without a server may hold."""
    if n_rows > MAX_ROWS_ALONE:
        raise InputError(
            f"a wall without a server holds at most {MAX_ROWS_ALONE:,} rows, got {n_rows:,}: show "
            "fewer"
        )


def given_wall(
    spaces: Mapping[str, ArrayLike], texts: Collection[str], colour: Collection[object] | None
) -> Wall:
    """Return a wall of given vectors, (N, D) by the pane's name, all of the same N rows."""
    check_number(len(spaces))
    check_rows(len(texts))
    panes = []
    for name, z in spaces.items():
        try:
            array = np.asarray(z)  # a column of lists or arrays becomes an array of objects
            array = np.asarray(array.tolist() if array.dtype == object else array, np.float32)
        except (TypeError, ValueError):
            array = np.empty(0, np.float32)
        n = len(texts)
        if array.ndim != 2 or len(array) != n or n < 2 or not np.isfinite(array).all():
            raise InputError(
                f"{quoted(str(name))} needs finite vectors of one width D, shape ({n}, D), one per "
                f"text and at least two, got {array.shape}"
            )
        panes.append(PaneSpace(name, "", array))
    words = [sum(word[0].isalnum() for word in lower_words(text)) for text in texts]
    shared = [Axis("length", np.array(words), unit="words")]
    if colour is not None:
        cells = [None if str(cell) in _MISSING else cell for cell in colour]
        column = column_of(str(getattr(colour, "name", None) or "colour"), cells)
        if column is None or len(cells) != len(texts):
            raise InputError(
                f"colour: expected {len(texts):,} numbers, or at most {MAX_LABELS} categories, "
                f"got {len(cells):,} values in {len(set(map(str, cells))):,} categories"
            )
        shared.insert(0, column)
    rows = np.arange(len(texts))
    return Wall(rows, tuple(texts), tuple(shared), f"{len(texts):,} rows", tuple(panes))
