"""Time the dashboard as a visitor sees it, with a real server and Chromium.

A load ends when the page's heading is visible. For the first load, server and browser have just
started; the first two charts are timed on the page that it opens. For later loads the browser has
cached the page's scripts. The table for cached sentences is requested with a new seed,
so that its scores are computed anew. This table and the sliders are timed after the server has
finished its own background work.
"""

import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import psutil  # type: ignore[import-untyped]

from .measure import Run
from .server import Server, served

_CHROMIUM = Path("/usr/bin/chromium")
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
_MOST_SECONDS = 120
_VIEW = {"width": 1280, "height": 900}
_CALIBRATORS = ("null-top-k:k=6", "whiten", "flow")
_TURNS = (
    ("batch_size", "ArrowRight", "flow:batch_size=128"),
    ("coupling_width", "ArrowLeft", "flow:batch_size=128,coupling_width=16"),
    ("depth", "ArrowRight", "flow:batch_size=128,depth=5,coupling_width=16"),
    ("n_levels", "ArrowRight", "flow:batch_size=128,n_levels=3,depth=5,coupling_width=16"),
    ("lr", "ArrowRight", "flow:lr=0.003,batch_size=128,n_levels=3,depth=5,coupling_width=16"),
)
"""Sliders of the tab Tune, the key pressed on each, and the flow that is fitted then."""
_START, _COMPARE = "Why cosine fails, and what helps", "Compare"
_MENU = ("Guided tour", "Check your model", _COMPARE, "See the space", "Take home", "How it works")
_SLIDERS = "compare_tab=Tune&tune_shown=Sliders+of+the+flow&layers=layer:4"
_DRAWN = '[data-testid="stApp"][data-test-script-state="notRunning"]'
_COMPARED = "compare?" + "&".join(f"calibrators={spec}" for spec in _CALIBRATORS)


def main() -> None:
    """Visit a new server in each of several rounds."""
    from playwright.sync_api import sync_playwright

    run = Run.asked("app", __doc__)
    repeats = 1 if run.quick else 3
    rounds, versions = [], {"streamlit": version("streamlit")}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = _CHROMIUM if _CHROMIUM.exists() else Path(playwright.chromium.executable_path)
        for i in range(repeats):
            with (
                served(Path(folder) / str(i)) as server,
                playwright.chromium.launch(executable_path=path, args=_FLAGS) as browser,
            ):
                versions["chromium"] = browser.version
                rounds.append(_visit(server, browser))
    medians = {name: round(median(each[name] for each in rounds), 3) for name in rounds[0]}
    rows = [{"name": name, "seconds": seconds} for name, seconds in medians.items()]
    choices = {"dataset": "captions", "calibrators": ", ".join(_CALIBRATORS), "repeats": repeats}
    run.finish(rows, **versions, **choices)


def _settle(server: Server) -> None:
    """Wait until the server's background work is done, such as embedding more layers."""
    own, before = psutil.Process(server.process.pid), -1.0
    for _ in range(150):
        now = 0.0
        for each in (own, *own.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                now += sum(each.cpu_times()[:2])  # of the processor, in seconds
        if abs(now - before) < 0.2:
            return
        before = now
        time.sleep(2)
    raise RuntimeError("the server is still busy: does something else use it?")


def _visit(server: Server, browser: Any) -> Mapping[str, float]:  # noqa: ANN401, imported late
    context = browser.new_context(viewport=_VIEW)
    page = context.new_page()
    seconds, begun = {"ready, after the command": server.seconds}, time.perf_counter()
    seconds["first load"] = _timed(lambda: page.goto(server.url), _heading(page, _START))
    _wait_until_seen(page.locator(".cone canvas").first)
    seconds["first chart"] = time.perf_counter() - begun
    _wait_until_seen(page.locator(".js-plotly-plot .main-svg").first)
    seconds["chart below it"] = time.perf_counter() - begun
    seconds["second load"] = _timed(page.reload, _heading(page, _START))
    seconds["page switch, immediately after a load"] = _switched(page, _COMPARE)
    address, table = f"{server.url}/{_COMPARED}&layers=layer:4&seed=", "Behind the row"
    seconds["table, sentences not yet embedded"] = _pressed(page, f"{address}1", "Score", table)
    _settle(server)
    seconds["table, cached sentences"] = _pressed(page, f"{address}2", "Score", table)
    seconds["Check your model, every layer"] = _pressed(
        page, f"{server.url}/check?layers=layer:4&seed=2", "Check", "Evidence"
    )
    turns = _turned(server, page)
    seconds["slider, flow fitted anew, figure"] = median(turns)
    seconds["the same, slowest slider"] = max(turns)
    switches = []
    for title in _MENU:
        _wait_until_seen(page.locator(_DRAWN))  # the page before is complete
        switches.append(_switched(page, title))
    seconds["page switch, from a page that is drawn"] = median(switches)
    seconds["the same, slowest page"] = max(switches)
    context.close()
    return seconds


def _pressed(page: Any, address: str, label: str, text: str) -> float:  # noqa: ANN401
    """Open a page, and return the time from a click on its button to a text of its result."""
    page.goto(address)
    button = page.get_by_role("button", name=label, exact=True)
    button.wait_for()
    return _timed(button.click, page.get_by_text(text, exact=True))


def _turned(server: Server, page: Any) -> list[float]:  # noqa: ANN401
    """Return, for each slider, the time until the figure shows the newly fitted flow."""
    page.goto(f"{server.url}/compare?{_SLIDERS}")
    page.get_by_role("button", name="Fit this flow").click()
    legend = page.locator(".legendtext")
    _wait_until_seen(legend.get_by_text("flow", exact=True))
    _settle(server)
    times = []
    for slider, key, spec in _TURNS:
        turn = partial(page.get_by_role("slider", name=slider).press, key)
        times.append(_timed(turn, legend.get_by_text(spec, exact=True)))
        page.wait_for_timeout(1_000)
    return times


def _switched(page: Any, title: str) -> float:  # noqa: ANN401
    """Return the time from a click on the menu to the page's heading."""
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=title, exact=True)
    return _timed(link.click, _heading(page, title))


def _heading(page: Any, text: str) -> Any:  # noqa: ANN401
    return page.get_by_role("heading", name=text, exact=True)


def _timed(act: Callable[[], Any], locator: Any) -> float:  # noqa: ANN401
    start = time.perf_counter()
    act()
    _wait_until_seen(locator)
    return time.perf_counter() - start


def _wait_until_seen(locator: Any) -> None:  # noqa: ANN401
    """Look for an element every 20 ms; Playwright's own waiting looks only twice a second."""
    end = time.monotonic() + _MOST_SECONDS
    while not locator.is_visible():
        if time.monotonic() > end:
            raise RuntimeError(f"not seen within {_MOST_SECONDS} s: {locator}")
        locator.page.wait_for_timeout(20)


if __name__ == "__main__":
    main()
