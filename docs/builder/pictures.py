"""Take the pictures of the dashboard: stills in light and dark, and a short film for the README.

It serves the dashboard itself and visits it in Chromium, with the data that ships with the package:

    python docs/builder/pictures.py docs/images
"""

import io
import sys
import tempfile
from pathlib import Path

from bertflow_benchmarks.server import PATIENCE, served
from PIL import Image
from playwright.sync_api import Page, sync_playwright

SIZE, SHOWN = (1280, 900), (800, 562)
STILLS = {"start": "", "advice": "advice", "space": "space"}
"""Addresses by the name of the picture."""
FILM = (("compare", 900), ("space", 400), ("how?how_tab=A+flow+on+the+plane", 0))
"""Addresses, and by how many pixels each page is then scrolled."""
FRAMES, FRAME_MS, HOLD_MS = 8, 120, 1600
PICTURES = ".js-plotly-plot, [data-ready], .cone[data-pair], .flow-plane[data-steps]"


def visit(page: Page, address: str) -> None:
    """Open a page and wait until its pictures are there and nothing runs."""
    page.goto(address)
    page.locator(PICTURES).first.wait_for()
    page.get_by_role("button", name="Stop", exact=True).wait_for(state="hidden")
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(1500)


def shot(page: Page, size: tuple[int, int]) -> Image.Image:
    """Return what the window shows."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.thumbnail(size, Image.Resampling.LANCZOS)
    return image


def film(page: Page, url: str, path: Path) -> None:
    """Show pages one after the other, each scrolled while it is looked at."""
    frames = []
    for address, pixels in FILM:
        visit(page, f"{url}/{address}")
        page.mouse.move(SIZE[0] / 2, SIZE[1] / 2)
        for _ in range(FRAMES):
            page.mouse.wheel(0, pixels / FRAMES)
            page.wait_for_timeout(FRAME_MS)
            frames.append(shot(page, SHOWN))
    times = [*[FRAME_MS] * (FRAMES - 1), HOLD_MS] * len(FILM)
    options = {"duration": times, "loop": 0, "quality": 60, "method": 6}
    frames[0].save(path, save_all=True, append_images=frames[1:], **options)


def main(out: Path) -> None:
    """Take every picture."""
    size = {"width": SIZE[0], "height": SIZE[1]}
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "lab") as server,
        sync_playwright() as browsers,
        browsers.chromium.launch(executable_path="/usr/bin/chromium") as browser,
    ):
        for scheme in ("light", "dark"):
            page = browser.new_page(color_scheme=scheme, viewport=size)  # type: ignore[arg-type]
            page.set_default_timeout(PATIENCE * 1000)
            for name, address in STILLS.items():
                visit(page, f"{server.url}/{address}")
                shot(page, SIZE).save(out / f"{name}-{scheme}.webp", quality=70, method=6)
            if scheme == "light":
                film(page, server.url, out / "lab.webp")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
