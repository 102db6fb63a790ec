"""One of the app's pictures as an HTML file of its own, which asks nothing of any network."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from bertflow_core.figures.templates import content_policy, render
from bertflow_core.files import bundle

__all__ = ["MARK", "Page", "Shown", "frame", "picture_page"]

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


@dataclass(frozen=True)
class Page:
    """One HTML file.

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
    *,
    payload: bytes = b"",
    notes: Sequence[str] = (),
    index: str = "",
) -> Page:
    """Return a page that shows a picture.

    Args:
        page: Its file, title and summary.
        picture: What it shows.
        payload: The picture's data, as its script reads them.
        notes: Below the picture, a paragraph each: what its numbers depend on.
        index: File of the page that leads to all others; empty where it stands alone.
    """
    file, title, summary = page
    script = bundle(picture.script)
    html = render(
        __package__,
        "picture.html.jinja",
        **frame(title, script),
        summary=summary,
        root=picture.root,
        picture_style=bundle(picture.style),
        payload=b64encode(payload).decode(),
        notes=notes,
        index=index,
        script=script,
    )
    return Page(file, title, summary, html)


def frame(title: str, *scripts: str) -> dict[str, str]:
    """Return what every page has: title, mark, style, and a policy that allows these scripts."""
    style = (files(__package__) / "page.css").read_text(encoding="utf-8")
    return {"title": title, "mark": MARK, "policy": content_policy(*scripts), "style": style}
