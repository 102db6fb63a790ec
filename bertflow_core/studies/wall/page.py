"""A wall as one HTML file that works without a network."""

from collections.abc import Sequence

from bertflow_core.errors import InputError
from bertflow_core.figures.pages import Page, Shown, picture_page
from bertflow_core.studies.wall.alone import wall_payload
from bertflow_core.studies.wall.drawing import PanePicture
from bertflow_core.studies.wall.payload import with_key
from bertflow_core.studies.wall.recipe import Picture
from bertflow_core.studies.wall.spaces import Wall
from bertflow_core.studies.wall.topics import TOPICS_NOTE

__all__ = ["MAX_PAGE_BYTES", "PAGE", "wall_page"]

MAX_PAGE_BYTES = 32_000_000
"""What browsers still open at once."""

PAGE = (
    "wall.html",
    "The wall",
    "The same rows in several spaces. Draw a lasso in one pane, and the same rows light up in the "
    "others; click a point for its nearest rows in the full space of every pane.",
)
"""Its file, title and summary."""

_SHOWN = Shown("wall", "site_wall.js", "wall.css")


def wall_page(
    wall: Wall,
    picture: Picture,
    *,
    drawn: Sequence[PanePicture] = (),
    page: tuple[str, str, str] = PAGE,
    index: str = "",
    command: str = "",
) -> Page:
    """Return a wall as a page: linked panes, lasso, search and neighbours.

    Args:
        wall: The spaces.
        picture: How they are drawn.
        drawn: What `pictures` returned for this picture; drawn here where it is empty.
        page: Its file, title and summary.
        index: File of the page that leads to all others; empty where it stands alone.
        command: What makes it again; empty where there is no such command.

    Raises:
        InputError: Too many rows, or more than a page may hold.
        ResourceError: UMAP's process ended early, or the disk refused.
    """
    payload = wall_payload(wall, picture, drawn=drawn)
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
