"""The pages of the site: one HTML file each, which asks nothing of any network."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from bertflow_core.figures.templates import content_policy, render

__all__ = ["MARK", "NEWBORN", "PLANE", "WALL", "Page", "Shown", "index_page", "picture_page"]

MARK = '<meta name="generator" content="bertflow-lab site">'
"""A file with this line near its beginning is such a page."""


@dataclass(frozen=True)
class Shown:
    """One of the app's pictures.

    Attributes:
        root: Class of the element that it takes.
        script: Name of its script, which finds that element.
        style: Name of its style sheet.
    """

    root: str
    script: str
    style: str


PLANE = Shown("flow-view", "site_plane.js", "theatre.css")
NEWBORN = Shown("newborn", "site_newborn.js", "newborn.css")
WALL = Shown("wall", "site_wall.js", "wall.css")


@dataclass(frozen=True)
class Page:
    """One file of the site.

    Attributes:
        file: Its name.
        title: What it is called.
        summary: What one sees there, a sentence or two.
        html: The whole file.
    """

    file: str
    title: str
    summary: str
    html: str = field(repr=False)


def picture_page(
    page: tuple[str, str, str],
    picture: Shown,
    bundles: Mapping[str, str],
    *,
    payload: bytes = b"",
    notes: Sequence[str] = (),
) -> Page:
    """Return a page that shows a picture.

    Args:
        page: Its file, title and summary.
        picture: What it shows.
        bundles: Scripts and style sheets by name.
        payload: The picture's data, as its script reads them.
        notes: Below the picture, a paragraph each: what its numbers depend on.
    """
    file, title, summary = page
    script = bundles[picture.script]
    html = render(
        __package__,
        "picture.html.jinja",
        **_frame(title, script),
        summary=summary,
        root=picture.root,
        picture_style=bundles[picture.style],
        payload=b64encode(payload).decode(),
        notes=notes,
        script=script,
    )
    return Page(file, title, summary, html)


def index_page(pages: Sequence[Page], *, title: str, notes: Sequence[str]) -> Page:
    """Return the page that leads to all others."""
    html = render(__package__, "index.html.jinja", **_frame(title), pages=pages, notes=notes)
    return Page("index.html", title, "", html)


def _frame(title: str, *scripts: str) -> dict[str, str]:
    style = (files(__package__) / "site.css").read_text(encoding="utf-8")
    return {"title": title, "mark": MARK, "policy": content_policy(*scripts), "style": style}
