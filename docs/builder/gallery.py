"""The gallery: every page of the dashboard, its command and its picture, if there is one."""

from pathlib import Path
from urllib.parse import urlencode

from bertflow_app.navigation import PAGES, page_of, tab_of, title_of

from bertflow_core.studies import STUDIES

_COMMANDS = {
    "scores": "bertflow-lab evaluate",
    "compare": "bertflow-lab evaluate",
    "ledger": "bertflow-lab ledger",
    "knobs": "bertflow-lab analyse tune",
    "export": "bertflow-lab export model",
    "tour": "bertflow-lab report",
    "words": "bertflow-lab analyse words",
}
"""The commands of views whose name is not that of a study."""


VIEWS = [name for page, each in PAGES.items() for name in each.views or (page,)]
"""Tabs, and pages without tabs."""


def address(view: str) -> str:
    """Return a view's address, relative to the dashboard's."""
    page, tab = page_of(view), urlencode(tab_of(view))
    return ("" if page == "start" else page) + (f"?{tab}" if tab else "")


def text(pictures: Path) -> str:
    """Return the gallery; a view's picture is the file in the folder that has its name."""
    parts = [
        "# Gallery\n\nEvery page of the dashboard with the built-in data, and the command that "
        "gives the same numbers."
    ]
    for view in VIEWS:
        title, page = title_of(view), PAGES[page_of(view)].title
        where = title if title == page else f"{page}: {title}"
        command = _COMMANDS.get(view, f"bertflow-lab analyse {view}" if view in STUDIES else "")
        parts.append(f"## {where}" + (f"\n\n`{command}`" if command else ""))
        if (pictures / f"{view}.webp").exists():
            parts.append(f"![{where}](gallery/{view}.webp)")
    return "\n\n".join(parts) + "\n"
