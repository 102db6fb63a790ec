"""A real browser before a real server; nothing on any page may ask another machine for anything."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import lab_server
import pytest
from bertflow_benchmarks.raw_visitor import RawVisitor
from held_work import HELD
from lab_pages import drawn, follow
from waiting import wait_for

LONG_WORK = "/compare?dataset=teaching&calibrators=flow%3Aepochs%3D1000%2Cpermutation%3Dlinear"
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
GRAVE = ("serious", "critical")
STILL = """
*, *::before, *::after { transition: none !important; animation: none !important; }
[data-stale="true"] { opacity: 1 !important; }
"""
"""Colours fade otherwise, and so does what a run draws anew: no contrast meanwhile."""
SHOWN = """scheme => {
  const app = document.querySelector("[data-testid=stApp]");
  return !app || getComputedStyle(app).colorScheme === scheme;
}"""
"""Whether a page is drawn by light or by dark; without Streamlit it is at once."""
AXE = """
async ([part, isOfColours]) => {
  const options = { resultTypes: ["violations"] };
  if (isOfColours) options.runOnly = ["color-contrast"];
  return (await axe.run(part, options)).violations;
}
"""


@pytest.fixture(scope="package")
def server(tmp_path_factory) -> Iterator[lab_server.Server]:
    """The dashboard for all browser tests, started where strangers' modules lie.

    It ends as it must: quietly, though torch takes steps for somebody.
    """
    home = tmp_path_factory.mktemp("served")
    patch = HELD.format(folder=str(home))
    server = lab_server.start(lab_server.strange_folder(home / "start"), patch=patch)
    yield server
    visitor = RawVisitor(server, LONG_WORK)
    visitor.run("Calibrate")
    wait_for(lambda: re.search(r"[\d,]+ of [\d,]+ steps", visitor.run()), what="the first steps")
    assert server.stop() in (0, -signal.SIGTERM)
    assert "Segmentation" not in server.log.read_text()


@pytest.fixture(scope="package")
def browser(tmp_path_factory):
    """A window of Chromium, Playwright's own where Debian's is missing, that keeps what it read."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium
        found = CHROMIUM if Path(CHROMIUM).exists() else chromium.executable_path
        if not Path(found).exists():
            pytest.skip(f"no browser: neither {CHROMIUM} nor Playwright's own is installed")
        profile = tmp_path_factory.mktemp("profile")
        browser = chromium.launch_persistent_context(profile, executable_path=found, args=FLAGS)
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
        self._pages = []
        self.asked: list[str] = []
        self.foreign: list[str] = []

    def __call__(self, path="/", *, scheme="light", server=None):
        url = (server or self._server).url
        page = follow(self._browser.new_page())
        self._pages.append(page)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": 1280, "height": 900})
        own = (url, url.replace("http", "ws", 1), "data:", "blob:")

        def note(asked):
            self.asked.append(asked.url)
            if not asked.url.startswith(own):
                self.foreign.append(asked.url)

        page.on("request", note)
        page.on("websocket", note)
        if "dataset=" not in path:  # the small one
            path += ("&" if "?" in path else "?") + "dataset=teaching"
        page.goto(path if path.startswith("http") else url + path)
        return page

    def close(self):
        for page in self._pages:
            page.close()

    def keep(self, folder):
        """Keep what the open pages show, and the server's log, for whoever looks for a fault."""
        folder.mkdir()
        ended = f"\nended with {self._server.process.poll()}\n"
        (folder / "server.log").write_text(self._server.log.read_text() + ended, encoding="utf-8")
        for i, page in enumerate(each for each in self._pages if not each.is_closed()):
            page.screenshot(path=folder / f"{i}.png")
            (folder / f"{i}.html").write_text(page.content(), encoding="utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note on a test whether it failed."""
    report = yield
    item.failed = report.failed
    return report


@pytest.fixture
def visit(browser, server, request, tmp_path_factory) -> Iterator[Visits]:
    """Visits to the server; a request to anywhere else fails the test."""
    visits = Visits(browser, server)
    yield visits
    if request.node.failed:
        visits.keep(kept := tmp_path_factory.getbasetemp() / f"{request.node.name}-pages")
        request.node.add_report_section("call", "pages", f"what the pages showed: {kept}")
    visits.close()
    assert not visits.foreign


@pytest.fixture
def faults():
    """Return a function that lists the grave faults axe finds on a page, by light and by dark."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def is_ours(rule, node, scheme):
        """Tell whether a page can mend it.

        By dark the colour of buttons, under white text, is too dim as that of what is chosen.
        """
        chosen = rule == "color-contrast" and scheme == "dark" and node["html"].startswith("<p>")
        return not chosen and ' hidden=""' not in node["html"]

    def faults(page, schemes=("dark", "light"), part="html"):
        """Let one part be looked at: by dark only its colours, all else is the same by light."""
        page.mouse.move(0, 0)  # off whatever it was pressed on, which explains itself
        if page.evaluate("!window.axe"):
            page.add_style_tag(content=STILL)
            page.evaluate(axe.axe_script)
        found = []
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(SHOWN, arg=scheme)
            if page.get_by_test_id("stApp").count():
                drawn(page)  # Streamlit runs a page once more where its theme changes
            found += [
                (rule["id"], node["html"][:200])
                for rule in page.evaluate(AXE, [part, scheme == "dark"])
                if rule["impact"] in GRAVE
                for node in rule["nodes"]
                if is_ours(rule["id"], node, scheme)
            ]
        return found

    return faults
