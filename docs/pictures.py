"""Take the pictures of the dashboard: stills in light and dark, and a short film for the README.

The script serves the dashboard with the built-in data and opens it in Chromium:

    python docs/pictures.py docs/images
"""

import io
import sys
import tempfile
from pathlib import Path

from bertflow_benchmarks.server import PATIENCE, served
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

SIZE, SHOWN = (1280, 900), (800, 562)
QUALITY = {"quality": 70, "method": 6}
STILLS = {
    "start": "",
    "advice": "check",
    "cone": "space?model=smollm2",
    "space": "space?space_tab=The+wall",
}
"""Addresses by the name of the picture."""
FILM = (("compare", 900), ("space?space_tab=The+wall", 400), ("how?how_tab=A+flow+on+the+plane", 0))
"""Addresses, and the number of pixels by which each page is scrolled."""
FRAMES, FRAME_MS, HOLD_MS = 8, 120, 1600
DRAWN = '[data-testid="stApp"][data-test-script-state="notRunning"]'
PICTURES = (
    ".js-plotly-plot, [data-ready], .cone[data-pair], .depth[data-layer], .flow-plane[data-steps]"
)


START = '[data-testid="stMain"] [data-testid="stBaseButton-primary"]'
"""The button of a page that shows no picture before it is pressed."""


def visit(page: Page, address: str) -> None:
    """Open a page and wait until its pictures are drawn and no computation runs."""
    page.goto(address)
    page.locator(f"{PICTURES}, {START}").filter(visible=True).first.wait_for()
    page.locator(DRAWN).wait_for()
    if not page.locator(PICTURES).count():
        page.locator(START).first.click()
    page.locator(PICTURES).first.wait_for()
    stops = page.get_by_role("button", name="Stop", exact=True)
    expect(stops).to_have_count(0, timeout=PATIENCE * 1000)
    page.locator(DRAWN).wait_for()
    page.wait_for_timeout(1500)


def leave_out(page: Page) -> None:
    """Leave the two largest coordinates and the mean out of layer 6 of the cone."""
    page.get_by_role("slider", name="Layer").fill("6")
    for name in ("Leave out the largest 2", "Subtract the mean"):
        page.get_by_role("button", name=name).click()
    page.wait_for_timeout(500)


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


def main(out: Path) -> None:
    """Take every screenshot that is tracked in git."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "lab") as server,
        sync_playwright() as browsers,
        browsers.chromium.launch(executable_path="/usr/bin/chromium") as browser,
    ):
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.set_default_timeout(PATIENCE * 1000)
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for name, address in STILLS.items():
                visit(page, f"{server.url}/{address}")
                if name == "cone":
                    leave_out(page)
                shot(page).save(out / f"{name}-{scheme}.webp", **QUALITY)
        film(page, server.url, out / "lab.webp")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
