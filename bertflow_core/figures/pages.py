"""HTML files of figures and pictures, from templates; they load nothing from the internet."""

import hashlib
import textwrap
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from plotly.offline import get_plotlyjs

from bertflow_core.figures.kinds import alt_of
from bertflow_core.figures.style import Figure, plain
from bertflow_core.runtime.shipped import bundle

MARK = '<meta name="generator" content="bertflow-lab site">'
"""A line near the beginning of every page of `bertflow-lab site`."""

WORKER = "worker.js"
"""The file of a site that keeps its pages for visits without a network."""

KEEP = (
    'if (location.protocol.startsWith("http")) '
    f'navigator.serviceWorker?.register("{WORKER}").catch(() => {{}});'
)
"""The script of every page of a site: it starts the worker, where a browser allows that."""

_AXIS = 70  # pixels from the horizontal axis down to a caption


@dataclass(frozen=True)
class Page:
    """One HTML file: its name, title, summary and content."""

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
    items: tuple[str, Sequence[str]] = ("", ()),
    ways: str = "",
    loads: bool = False,
) -> Page:
    """Return a page (file, title, summary) that shows one of the app's pictures.

    `picture` has the class of its element, its script and its style sheet. Below it are `notes` and
    `items`, a heading and a numbered list. In a site `ways` is HTML that links the other pages and
    has the script `KEEP`. A page that `loads` may read from its own folder.
    """
    (file, title, summary), (root, script, style) = page, picture
    script = bundle(script)
    html = render(
        __package__,
        "picture.html.jinja",
        **frame(title, script, ways=ways, loads=loads),
        summary=summary,
        root=root,
        picture_style=bundle(style),
        payload=b64encode(payload).decode(),
        notes=notes,
        heading=items[0],
        items=items[1],
        script=script,
    )
    return Page(file, title, summary, html)


def frame(title: str, *scripts: str, ways: str = "", loads: bool = False) -> dict[str, str]:
    """Return the frame of every page: title, logo, style, ways, and a policy for `scripts`."""
    style = (files(__package__) / "page.css").read_text(encoding="utf-8")
    policy = content_policy(*scripts, ways=ways, loads=loads)
    return {"title": title, "mark": MARK, "policy": policy, "style": style, "ways": ways}


def render(package: str, name: str, **values: object) -> str:
    """Fill a template of a package; every value is escaped unless the template marks it safe."""
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    template = (files(package) / name).read_text(encoding="utf-8")
    return environment.from_string(template).render(values)


def content_policy(*scripts: str, ways: str = "", loads: bool = False) -> str:
    """Return a policy that allows a page only these scripts, and no network.

    Any style is allowed, since Plotly adds its own. A page with `ways` may start its site's worker.
    """
    scripts = (*scripts, KEEP) if ways else scripts
    digests = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    if loads:
        allowed = f"{allowed} 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    if ways:
        allowed = f"{allowed}; worker-src 'self'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def figure_page(figure: Figure, *, title: str, caption: str, command: str, script: str = "") -> str:
    """Return a page with an offline figure; `script` is a file beside it, else it has Plotly's."""
    own = Figure(figure).update_layout(template="plotly_white")
    return render(
        __package__,
        "figure.html.jinja",
        title=title,
        figure=own.to_html(full_html=False, include_plotlyjs=script or True),
        alt=alt_of(figure) or title,
        caption=caption,
        command=command,
    )


def captioned(figure: Figure, caption: str) -> Figure:
    """Return a copy of a figure with its caption below, for a width of 1,000 pixels."""
    lines = textwrap.wrap(caption, 175)
    room = _AXIS + 15 * len(lines)
    own = Figure(figure).update_layout(
        template="plotly_white",
        height=figure.layout.height + room,
        margin={"l": 70, "r": 20, "b": room},
    )
    own.add_annotation(
        text="<br>".join(map(plain, lines)),
        font={"size": 11},
        align="left",
        showarrow=False,
        **{"xref": "paper", "x": 0, "xanchor": "left", "xshift": -50},
        **{"yref": "paper", "y": 0, "yanchor": "top", "yshift": 15 - _AXIS},
    )
    return own


def plotly_script() -> str:
    """Return the JavaScript of Plotly, in the version that makes the figures; 4 to 5 MB."""
    text: str = get_plotlyjs()
    return text
