"""A wall as one HTML file that needs no server: it holds the neighbours of every row."""

from collections.abc import Sequence

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.errors import InputError
from bertflow_core.figures.picture_page import Page, Shown, picture_page
from bertflow_core.progress import Progress, in_space, silent
from bertflow_core.studies.wall.drawing import PanePicture, faithfulness_column, pictures
from bertflow_core.studies.wall.nearest import all_neighbours
from bertflow_core.studies.wall.payload import encode, with_key
from bertflow_core.studies.wall.recipe import Picture
from bertflow_core.studies.wall.row_properties import Column
from bertflow_core.studies.wall.spaces import Wall
from bertflow_core.studies.wall.topics import TOPICS_NOTE, wall_topics

__all__ = [
    "MAX_PAGE_BYTES",
    "MAX_PAGE_ROWS",
    "PAGE",
    "check_page_rows",
    "wall_page",
    "wall_payload",
]

MAX_PAGE_ROWS = 20_000
MAX_PAGE_BYTES = 32_000_000
"""What browsers still open at once."""

PAGE = (
    "wall.html",
    "The wall",
    "The same rows in several spaces. Draw a lasso in one pane, and the same rows light up in the "
    "others; click a point for its nearest rows in the full space of every pane.",
)
"""Its file, title and summary."""

_N_NEIGHBOURS = 10
_SHOWN = Shown("wall", "site_wall.js", "wall.css")


def wall_page(
    wall: Wall,
    picture: Picture,
    *,
    drawn: Sequence[PanePicture] = (),
    page: tuple[str, str, str] = PAGE,
    index: str = "",
    command: str = "",
    progress: Progress = silent,
) -> Page:
    """Return a wall as a page: linked panes, lasso, search and neighbours, without a network.

    Args:
        wall: The spaces.
        picture: How they are drawn.
        drawn: What `pictures` returned for this picture; drawn here where it is empty.
        page: Its file, title and summary.
        index: File of the page that leads to all others; empty where it stands alone.
        command: What makes it again; empty where there is no such command.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: Too many rows, or more than a page may hold.
        ResourceError: UMAP's process ended early, or the disk refused.
    """
    payload = wall_payload(wall, picture, drawn=drawn, progress=progress)
    notes = [" ".join(wall.remarks(picture))]
    if not wall.recipe.of_words:
        notes.append(TOPICS_NOTE)
    if command:
        notes.append(f"Made by: {command}")
    made = picture_page(page, _SHOWN, payload=with_key(payload, "wall"), notes=notes, index=index)
    if len(made.html) > MAX_PAGE_BYTES:
        raise InputError(
            f"the page takes {len(made.html) / 1e6:.0f} MB, at most {MAX_PAGE_BYTES / 1e6:.0f} are "
            "allowed: show fewer rows or panes"
        )
    return made


def wall_payload(
    wall: Wall,
    picture: Picture,
    *,
    drawn: Sequence[PanePicture] = (),
    progress: Progress = silent,
) -> bytes:
    """Return a wall as the browser reads it, with the neighbours of every row.

    Args:
        wall: As `wall_page`.
        picture: As `wall_page`.
        drawn: As `wall_page`.
        progress: As `wall_page`.

    Raises:
        InputError: Too many rows.
        ResourceError: As `wall_page`.
    """
    check_page_rows(len(wall.rows))
    drawn = drawn or pictures(wall, picture, progress=progress)
    return encode(
        drawn,
        _columns(wall, drawn),
        wall.rows.texts,
        ids=wall.rows.names,
        caption=" ".join(wall.remarks(picture)),
        neighbours=_neighbours(wall, picture.metric, progress),
        topics=wall_topics(wall, drawn),
    )


def check_page_rows(n_rows: int) -> None:
    """Refuse more rows than a page may hold.

    Raises:
        InputError: There are more.
    """
    if n_rows > MAX_PAGE_ROWS:
        raise InputError(
            f"a wall without a server holds at most {MAX_PAGE_ROWS:,} rows, got {n_rows:,}: show "
            "fewer"
        )


def _neighbours(wall: Wall, metric: str, progress: Progress) -> list[Neighbours]:
    """Return the neighbours of every row by pane; equal panes share a space, and so these."""
    found: dict[int, Neighbours] = {}
    for place, space in enumerate(wall.spaces):
        if id(space) not in found:
            at = in_space(progress, place, len(wall.spaces))
            found[id(space)] = all_neighbours(space.z, _N_NEIGHBOURS, metric, progress=at)
    return [found[id(space)] for space in wall.spaces]


def _columns(wall: Wall, drawn: Sequence[PanePicture]) -> list[Column]:
    """Return the columns, the frequency of words first: what the cone has to do with."""
    share = faithfulness_column(drawn)
    columns = [*wall.columns, *([] if share is None else [share])]
    return sorted(columns, key=lambda column: "frequency" not in column.name)
