"""The page that leads to all others of the site, and the pictures that these show."""

from collections.abc import Sequence

from bertflow_core.figures.pages import Page, Shown, frame, render

__all__ = ["INDEX", "NEWBORN", "PLANE", "index_page"]

INDEX = "index.html"
"""Its file."""

PLANE = Shown("flow-view", "site_plane.js", "theatre.css")
NEWBORN = Shown("newborn", "site_newborn.js", "newborn.css")


def index_page(pages: Sequence[Page], *, title: str, notes: Sequence[str]) -> Page:
    """Return the page that leads to all others."""
    html = render(__package__, "index.html.jinja", **frame(title), pages=pages, notes=notes)
    return Page(INDEX, title, "", html)
