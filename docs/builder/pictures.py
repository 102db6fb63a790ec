"""Take the pictures of the dashboard: stills in light and dark, and a short film for the README.

The script serves the dashboard with the built-in data and opens it in Chromium:

    python docs/builder/pictures.py docs/images

`views` takes a picture of every tab, for the gallery.
"""

import io
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bertflow_benchmarks.server import PATIENCE, served
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

SIZE, SHOWN = (1280, 900), (800, 562)
QUALITY = {"quality": 70, "method": 6}
STILLS = {"start": "", "advice": "advice", "space": "space"}
"""Addresses by the name of the picture."""
FILM = (("compare", 900), ("space", 400), ("how?how_tab=A+flow+on+the+plane", 0))
"""Addresses, and the number of pixels by which each page is scrolled."""
FRAMES, FRAME_MS, HOLD_MS = 8, 120, 1600
DRAWN = '[data-testid="stApp"][data-test-script-state="notRunning"]'
NO_BUTTON = ("start", "tour", "data", "newborn")
"""Views whose button is not pressed for the picture: it takes minutes or does something else."""
PICTURES = ".js-plotly-plot, [data-ready], .cone[data-pair], .flow-plane[data-steps]"


def visit(page: Page, address: str) -> None:
    """Open a page and wait until its pictures are drawn."""
    page.goto(address)
    page.locator(PICTURES).first.wait_for()
    settle(page)


def settle(page: Page) -> None:
    """Wait until no computation and no script runs."""
    stops = page.get_by_role("button", name="Stop", exact=True)
    expect(stops).to_have_count(0, timeout=PATIENCE * 1000)
    page.locator(DRAWN).wait_for()
    page.wait_for_timeout(1500)


def shot(page: Page) -> Image.Image:
    """Return a screenshot of the window."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def film(page: Page, url: str, path: Path) -> None:
    """Film pages one after the other, while each is scrolled."""
    frames = []
    for address, pixels in FILM:
        visit(page, f"{url}/{address}")
        page.mouse.move(SIZE[0] / 2, SIZE[1] / 2)
        for _ in range(FRAMES):
            page.mouse.wheel(0, pixels / FRAMES)
            page.wait_for_timeout(FRAME_MS)
            frames.append(shot(page).resize(SHOWN, Image.Resampling.LANCZOS))
    times = [*[FRAME_MS] * (FRAMES - 1), HOLD_MS] * len(FILM)
    options = {"duration": times, "loop": 0, "quality": 60, "method": 6}
    frames[0].save(path, save_all=True, append_images=frames[1:], **options)


@contextmanager
def dashboard() -> Iterator[tuple[str, Page]]:
    """Serve the dashboard, and yield its address and a page of a browser."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "lab") as server,
        sync_playwright() as browsers,
        browsers.chromium.launch(executable_path="/usr/bin/chromium") as browser,
    ):
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.set_default_timeout(PATIENCE * 1000)
        yield server.url, page


def views(out: Path, addresses: Mapping[str, str]) -> None:
    """Press each page's button, and save a picture of the result under the page's name."""
    out.mkdir(parents=True, exist_ok=True)
    with dashboard() as (url, page):
        for name, address in addresses.items():
            page.goto(f"{url}/{address}")
            page.get_by_role("heading", level=1).first.wait_for()
            page.locator(DRAWN).wait_for()
            button = page.locator('[data-testid="stMain"] button[kind="primary"]:visible').first
            if name not in NO_BUTTON and button.count():
                button.click()
            page.wait_for_timeout(2000)
            settle(page)
            shot(page).save(out / f"{name}.webp", **QUALITY)


def main(out: Path) -> None:
    """Take every screenshot that is tracked in git."""
    with dashboard() as (url, page):
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for name, address in STILLS.items():
                visit(page, f"{url}/{address}")
                shot(page).save(out / f"{name}-{scheme}.webp", **QUALITY)
        film(page, url, out / "lab.webp")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
