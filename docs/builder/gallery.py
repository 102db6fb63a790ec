"""The gallery: every page of the dashboard, its command and its picture, if there is one."""

from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from bertflow_app.navigation import PAGES, page_of, tab_of, title_of

from bertflow_core.studies import STUDIES

_COMMANDS = {
    "scores": "bertflow-lab evaluate",
    "compare": "bertflow-lab compare",
    "significance": "bertflow-lab compare --bootstrap 10000",
    "ledger": "bertflow-lab ledger",
    "knobs": "bertflow-lab analyse sweep",
    "export": "bertflow-lab export model",
    "tour": "bertflow-lab report",
    "words": "bertflow-lab analyse words",
}
"""The commands of views that are not studies of the same name."""


class View(NamedTuple):
    """A tab, or a page without tabs."""

    name: str
    title: str
    page: str
    address: str


def _view(name: str) -> View:
    page = page_of(name)
    address = "" if page == "start" else page
    asked = urlencode(tab_of(name))
    return View(name, title_of(name), PAGES[page].title, f"{address}?{asked}" if asked else address)


VIEWS = [_view(name) for page, each in PAGES.items() for name in each.views or (page,)]


def page(pictures: Path) -> str:
    """Return the page; a view's picture is the file in the folder that has its name."""
    parts = [
        "# Gallery\n\nEvery page of the dashboard with the built-in data, and the command that "
        "gives the same numbers."
    ]
    for view in VIEWS:
        where = view.title if view.title == view.page else f"{view.page}: {view.title}"
        name = view.name
        command = _COMMANDS.get(name, f"bertflow-lab analyse {name}" if name in STUDIES else "")
        parts.append(f"## {where}" + (f"\n\n`{command}`" if command else ""))
        if (pictures / f"{name}.webp").exists():
            parts.append(f"![{where}](gallery/{name}.webp)")
    return "\n\n".join(parts) + "\n"
