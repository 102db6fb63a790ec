"""HTML files of their own, from templates, that ask nothing of any network."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from bertflow_core.files import bundle

MARK = '<meta name="generator" content="bertflow-lab site">'
"""A file with this line near its beginning is such a page."""


@dataclass(frozen=True)
class Page:
    """One HTML file: its name, what it is called, what one sees there, and the whole of it."""

    file: str
    title: str
    summary: str
    html: str = field(repr=False)


def picture_page(
    page: tuple[str, str, str],
    picture: tuple[str, str, str],
    *,
    payload: bytes = b"",
    notes: Sequence[str] = (),
    index: str = "",
) -> Page:
    """Return a page, of a file, title and summary, that shows one of the app's pictures.

    A picture is the class of the element that it takes, the script that finds that element and
    reads the payload, and a style sheet. Notes stand below it, a paragraph each. `index` is the
    file of the page that leads to all others; empty where it stands alone.
    """
    (file, title, summary), (root, script, style) = page, picture
    script = bundle(script)
    html = render(
        __package__,
        "picture.html.jinja",
        **frame(title, script),
        summary=summary,
        root=root,
        picture_style=bundle(style),
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


def render(package: str, name: str, **values: object) -> str:
    """Fill a template of a package; each value is escaped unless the template says otherwise."""
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    template = (files(package) / name).read_text(encoding="utf-8")
    return environment.from_string(template).render(values)


def content_policy(*scripts: str) -> str:
    """Return a policy that forbids a page everything but these scripts, and any network.

    Styles are Plotly's too, which are not known before.
    """
    digests = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
