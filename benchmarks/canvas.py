"""The wall's canvas in Chromium without a GPU: first render, highlight after a lasso, a zoom.

No server takes part: the component's script is given random rows as Streamlit would give them. The
highlight is timed by the canvas itself, from the release of the button to the end of drawing.
"""

import base64
import struct
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from bertflow_app.browser.assets import script, style

from bertflow_core.studies.wall import Scatter
from bertflow_core.studies.wall.payload import encode

from .record import Outcome

__all__ = ["run"]

_CHROMIUM = Path("/usr/bin/chromium")
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
_VIEW = {"width": 1280, "height": 900}
_SEED = 0
_KEY = b"wall"
_MOUNT = """
async ([script, style, payload]) => {
  document.body.innerHTML = '<div class="wall"></div><style></style>';
  document.querySelector("style").textContent = style;
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: mount } = await import(url);
  const start = performance.now();
  mount({ data: bytes, parentElement: document, setStateValue: () => {} });
  await new Promise(requestAnimationFrame);
  return (performance.now() - start) / 1000;
}
"""


def run(*, quick: bool) -> Outcome:
    """Draw six panes of 20,000 rows and one of 100,000, as the project promises to be fast."""
    from playwright.sync_api import sync_playwright

    repeats, share = (2, 10) if quick else (9, 1)
    with sync_playwright() as playwright:
        launch = playwright.chromium.launch
        path = _CHROMIUM if _CHROMIUM.exists() else Path(playwright.chromium.executable_path)
        with launch(executable_path=path, args=_FLAGS) as browser:
            page = browser.new_page(viewport=_VIEW)
            rows: list[dict[str, Any]] = []
            for n_panes, n_rows in ((6, 20_000 // share), (1, 100_000 // share)):
                rows += _measure(page, n_panes, n_rows, repeats)
            browser_version = browser.version
    recipe = {"chromium": browser_version, "playwright": version("playwright"), "repeats": repeats}
    return Outcome({**recipe, "seed": _SEED}, rows)


def _measure(page: Any, n_panes: int, n_rows: int, repeats: int) -> list[dict[str, Any]]:  # noqa: ANN401, imported late
    data = base64.b64encode(_payload(n_panes, n_rows)).decode()
    settings = [script("wall"), style("wall"), data]
    first = page.evaluate(_MOUNT, settings)
    label = f"{n_panes} x {n_rows:,} rows"
    seconds = {
        f"first render, {label}": first,
        f"highlight after a lasso, {label}": _repeated(page, _lasso, "brush-ms", repeats),
        f"zoom, a frame, {label}": _repeated(page, _zoom, "frame-ms", repeats),
    }
    return [{"name": name, "seconds": round(value, 4)} for name, value in seconds.items()]


def _payload(n_panes: int, n_rows: int) -> bytes:
    generator = np.random.default_rng(_SEED)
    panes = [
        Scatter(f"pane {i}", "random", ("x", "y"), generator.normal(size=(n_rows, 2)))
        for i in range(n_panes)
    ]
    names = [f"sentence {row}" for row in range(n_rows)]
    return encode(panes, (), names, ids=names) + _KEY + struct.pack("<I", len(_KEY))


def _repeated(
    page: Any,  # noqa: ANN401, imported late
    act: Callable[[Any, float, float], None],
    name: str,
    repeats: int,
) -> float:
    """Return the median in seconds of what the canvas noted after each of several acts."""
    box = page.get_by_role("application").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    noted = []
    for _ in range(repeats):
        act(page, x, y)
        page.wait_for_timeout(200)
        noted.append(float(page.locator(".wall").get_attribute(f"data-{name}")) / 1000)
    return median(noted)


def _lasso(page: Any, x: float, y: float) -> None:  # noqa: ANN401, imported late
    page.mouse.move(x - 60, y - 60)
    page.mouse.down()
    for dx, dy in ((60, -60), (60, 60), (-60, 60)):
        page.mouse.move(x + dx, y + dy, steps=20)
    page.mouse.up()


def _zoom(page: Any, x: float, y: float) -> None:  # noqa: ANN401, imported late
    page.mouse.move(x, y)
    page.mouse.wheel(0, -20)
