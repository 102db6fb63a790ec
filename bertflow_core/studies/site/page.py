"""The pages of the site: one HTML file each, which asks nothing of any network."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from bertflow_core.figures.templates import content_policy, render

__all__ = ["MARK", "Page", "index_page", "picture_page"]

MARK = '<meta name="generator" content="bertflow-lab site">'
"""A file with this line near its beginning is such a page."""


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
    file: str,
    title: str,
    summary: str,
    *,
    root: str,
    style: str,
    bundles: Mapping[str, str],
    payload: bytes = b"",
    notes: Sequence[str] = (),
) -> Page:
    """Return a page that shows one of the app's pictures.

    Args:
        file: Its name; the picture's script is named after it.
        title: Of the page.
        summary: Above the picture.
        root: Class of the element that the picture takes.
        style: Name of its style sheet.
        bundles: Scripts and style sheets by name; the script is `site_NAME.js`.
        payload: What the picture shows, as its script reads it.
        notes: Below the picture, a paragraph each: what its numbers depend on.
    """
    script = bundles[f"site_{file.removesuffix('.html')}.js"]
    html = render(
        __package__,
        "picture.html.jinja",
        **_frame(title, script),
        summary=summary,
        root=root,
        picture_style=bundles[style],
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
