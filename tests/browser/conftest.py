"""A real browser before a real server; nothing on any page may ask another machine for anything."""

from collections.abc import Iterator
from pathlib import Path

import lab_server
import pytest

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PAGE_SECONDS = 30
GRAVE = ("serious", "critical")
NOT_OURS = {"exclude": [["[data-testid=stSidebarNav]"]]}
"""Streamlit's menu: it lays the headings of its groups into a list, where only items may stand."""


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[lab_server.Server]:
    """The dashboard for all browser tests, started where strangers' modules lie."""
    home = tmp_path_factory.mktemp("served")
    server = lab_server.start(lab_server.strange_folder(home / "start"), home / "cache")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser():
    """Chromium; Playwright's own where Debian's is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium
        found = CHROMIUM if Path(CHROMIUM).exists() else chromium.executable_path
        if not Path(found).exists():
            pytest.skip(f"no browser: neither {CHROMIUM} nor Playwright's own is installed")
        browser = chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


class Visits:
    """Opens addresses, each as a visitor of its own, and notes what their pages ask for.

    Attributes:
        asked: Addresses that were asked for.
        foreign: Those among them that are not the server's own.
    """

    def __init__(self, browser, server):
        self._browser, self._server = browser, server
        self._contexts = []
        self.asked: list[str] = []
        self.foreign: list[str] = []

    def __call__(self, path="/", *, scheme="light", server=None):
        url = (server or self._server).url
        context = self._browser.new_context(
            color_scheme=scheme,
            reduced_motion="reduce",
            viewport={"width": 1280, "height": 900},
            base_url=url,
        )
        self._contexts.append(context)
        context.set_default_timeout(PAGE_SECONDS * 1000)
        own = (url, url.replace("http", "ws", 1), "data:", "blob:")

        def note(asked):
            self.asked.append(asked.url)
            if not asked.url.startswith(own):
                self.foreign.append(asked.url)

        context.on("request", note)
        page = context.new_page()
        page.on("websocket", note)
        page.goto(path)
        return page

    def close(self):
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(browser, server) -> Iterator[Visits]:
    """Visits to the server; a request to anywhere else fails the test."""
    visits = Visits(browser, server)
    yield visits
    visits.close()
    assert not visits.foreign


@pytest.fixture
def faults():
    """Return a function that lists the grave faults axe finds on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def faults(page):
        page.mouse.move(0, 0)  # off whatever it was pressed on, which explains itself
        page.wait_for_timeout(500)  # colours and explanations fade
        found = axe.run(page, context=NOT_OURS).response["violations"]
        return [
            (rule["id"], node["html"][:200])
            for rule in found
            if rule["impact"] in GRAVE
            for node in rule["nodes"]
        ]

    return faults
