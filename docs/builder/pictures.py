"""Take the pictures of the dashboard: stills in light and dark, and a short film for the README.

It serves the dashboard itself and visits it in Chromium, with the data that ships with the package:

    python docs/builder/pictures.py --out docs/images
"""

import argparse
import io
import tempfile
from pathlib import Path

from bertflow_benchmarks.server import PATIENCE, served
from PIL import Image
from playwright.sync_api import Page, sync_playwright

SIZE = {"width": 1280, "height": 900}
STILLS = ("start", "advice", "compare", "space")
FILM = (("compare", 900), ("space", 400), ("how?how_tab=A+flow+on+the+plane", 0))
"""Addresses, and by how many pixels each page is then scrolled."""
FRAMES, FRAME_MS, HOLD_MS = 8, 120, 1600
SHOWN = (800, 562)
PICTURES = ".js-plotly-plot, [data-ready], .cone[data-pair], .flow-view[data-steps]"


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


def film(page: Page, url: str) -> tuple[list[Image.Image], list[int]]:
    """Return frames and for how many milliseconds each is shown."""
    frames, times = [], []
    for address, pixels in FILM:
        visit(page, f"{url}/{address}")
        page.mouse.move(SIZE["width"] / 2, SIZE["height"] / 2)
        for _ in range(FRAMES):
            page.mouse.wheel(0, pixels / FRAMES)
            page.wait_for_timeout(FRAME_MS)
            frames.append(shot(page, SHOWN))
            times.append(FRAME_MS)
        times[-1] = HOLD_MS
    return frames, times


def main() -> None:
    """Take every picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    out = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as browsers:
        with served(Path(folder) / "lab") as server:
            browser = browsers.chromium.launch(executable_path="/usr/bin/chromium")
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport=SIZE, color_scheme=scheme)  # type: ignore[arg-type]
                page.set_default_timeout(PATIENCE * 1000)
                for name in STILLS:
                    visit(page, f"{server.url}/{name}")
                    still = shot(page, (SIZE["width"], SIZE["height"]))
                    still.save(out / f"{name}-{scheme}.webp", quality=70, method=6)
                if scheme == "light":
                    (first, *others), times = film(page, server.url)
                    options = {"duration": times, "loop": 0, "quality": 60, "method": 6}
                    first.save(out / "lab.webp", save_all=True, append_images=others, **options)
                page.close()
            browser.close()


if __name__ == "__main__":
    main()
