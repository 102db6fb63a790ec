"""A real browser before a real server; nothing on any page may ask another machine for anything."""

import signal
from collections.abc import Iterator
from pathlib import Path

import lab_server
import pytest
from bertflow_benchmarks.raw_visitor import RawVisitor
from held_work import HELD
from lab_pages import follow
from tiny_models import save_small_minilm

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
GRAVE = ("serious", "critical")
STILL = """
addEventListener("DOMContentLoaded", () => {
  const still = document.createElement("style");
  still.textContent = `
    *, *::before, *::after { transition: none !important; animation: none !important; }
    [data-stale="true"] { opacity: 1 !important; }
  `;
  document.head.append(still);
});
"""
"""Colours fade otherwise, and so does what a run draws anew: much work, and no contrast."""
SHOWN = """scheme => {
  const app = document.querySelector("[data-testid=stApp]");
  return !app || getComputedStyle(app).colorScheme === scheme;
}"""
"""Whether a page is drawn by light or by dark; without Streamlit it is at once."""
AXE = """
async ([part, isOfColours]) => {
  const options = { resultTypes: ["violations"], preload: false };
  if (isOfColours) options.runOnly = ["color-contrast"];
  const app = document.querySelector("[data-testid=stApp]");
  if (!app) return (await axe.run(part, options)).violations;
  let isMoving = true;
  const watch = new MutationObserver(() => (isMoving = true));
  const attributeFilter = ["data-stale", "data-test-script-state"];
  watch.observe(app, { subtree: true, attributeFilter });
  const isIdle = () =>
    app.dataset.testScriptState === "notRunning" && !app.querySelector("[data-stale=true]");
  for (let i = 0, found; ; i++) {
    if (isIdle()) {
      isMoving = false;
      found = (await axe.run(part, options)).violations;
      if (!isMoving) return found;
    }
    if (i === 1000) throw new Error("the page is drawn again and again");
    await new Promise((done) => setTimeout(done, 50));
  }
}
"""
"""Looks at a page while nothing is drawn, and once more where a run began: what waits is dim."""


@pytest.fixture(scope="package")
def server(tmp_path_factory, minilm) -> Iterator[lab_server.Server]:
    """The dashboard for all browser tests, started where strangers' modules lie."""
    home = tmp_path_factory.mktemp("served")
    first_run = home / "first-run" / "sitecustomize.py"
    first_run.parent.mkdir()
    small = save_small_minilm(minilm, home / "small-minilm")
    first_run.write_text(HELD.format(folder=str(home), model=str(small)), encoding="utf-8")
    folder = lab_server.strange_folder(home / "start")
    server = lab_server.start(folder, PYTHONPATH=str(first_run.parent))
    yield server
    assert server.stop() in (0, -signal.SIGTERM)


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
        browser.add_init_script(STILL)
        yield browser
        browser.close()


class Visits:
    """Opens addresses, each as a visitor of its own, and notes what their pages do.

    All in one tab: what the browser has compiled for a visit serves the next one too.

    Attributes:
        page: The tab.
        asked: Addresses that were asked for.
        errors: What went wrong on the pages.
    """

    def __init__(self, browser, server):
        self._server, self._url = server, server.url
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.page = page = follow(browser.new_page())
        for event in ("request", "websocket"):
            page.on(event, lambda asked: self.asked.append(asked.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda m: m.type == "error" and self.errors.append(m.text))

    def __call__(self, path="/", *, scheme="light", server=None):
        self._url = (server or self._server).url
        self.page.bring_to_front()  # timers of a tab behind others are slowed
        self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        self.page.set_viewport_size({"width": 1280, "height": 900})
        if "dataset=" not in path:  # the small one
            path += ("&" if "?" in path else "?") + "dataset=teaching"
        self.page.goto(self._url + path)
        return self.page

    @property
    def foreign(self):
        """Addresses that were asked for and are not the server's own."""
        own = (self._url, self._url.replace("http", "ws", 1), "data:", "blob:", "about:")
        return [url for url in self.asked if not url.startswith(own)]

    def leave(self):
        """Leave the page and forget what it did."""
        self.page.goto("about:blank")
        self.asked.clear()
        self.errors.clear()

    def keep(self, folder):
        """Keep what the page shows, and the server's log, for whoever looks for a fault."""
        folder.mkdir()
        ended = f"\nended with {self._server.process.poll()}\n"
        (folder / "server.log").write_text(self._server.log.read_text() + ended, encoding="utf-8")
        self.page.screenshot(path=folder / "page.png")
        (folder / "page.html").write_text(self.page.content(), encoding="utf-8")


@pytest.fixture(scope="package")
def visits(browser, server):
    """The tab of all visits."""
    return Visits(browser, server)


@pytest.fixture
def visit(visits, request, tmp_path_factory) -> Iterator[Visits]:
    """Visits to the server; a request to anywhere else fails the test."""
    n_failed = request.session.testsfailed
    yield visits
    if request.session.testsfailed > n_failed:
        visits.keep(kept := tmp_path_factory.getbasetemp() / f"{request.node.name}-pages")
        request.node.add_report_section("call", "pages", f"what the pages showed: {kept}")
    foreign = visits.foreign
    visits.leave()
    assert not foreign


@pytest.fixture
def come(server):
    """Return a function that opens a page without a browser; everybody leaves in the end."""
    came = []

    def come(address="/", **options):
        came.append(RawVisitor(server, address, **options))
        return came[-1]

    yield come
    for visitor in came:
        visitor.leave()


@pytest.fixture
def faults():
    """Return a function that lists the grave faults axe finds on a page, by light and by dark."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def faults(page, schemes=("dark", "light"), part="html"):
        """Let one part be looked at: by dark only its colours, all else is the same by light."""
        page.mouse.move(0, 0)  # off whatever it was pressed on, which explains itself
        if page.evaluate("!window.axe"):
            page.evaluate(axe.axe_script)
        found = []
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(SHOWN, arg=scheme)
            found += [
                (rule["id"], node["html"][:200])
                for rule in page.evaluate(AXE, [part, scheme == "dark"])
                if rule["impact"] in GRAVE
                for node in rule["nodes"]
                if ' hidden=""' not in node["html"]
            ]
        return found

    return faults
