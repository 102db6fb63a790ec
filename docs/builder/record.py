"""Record the dashboard moving, for the README: Calibrate, a lasso on the wall, a flow that trains.

It serves the dashboard itself and visits it in Chromium, with the data that ships with the package:

    python docs/builder/record.py --out docs/images/lab.webp
"""

import argparse
import io
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Page, sync_playwright

WIDTH, HEIGHT, SHOWN = 1200, 760, 800
PATIENCE_SECONDS = 400
MOST_BYTES = 2_000_000


class Film:
    """Frames of a page, each shown for some milliseconds."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.milliseconds: list[int] = []

    def shoot(self, milliseconds: int) -> None:
        """Take a frame."""
        image = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        size = (SHOWN, round(SHOWN * HEIGHT / WIDTH))
        self.frames.append(image.resize(size, Image.Resampling.LANCZOS))
        self.milliseconds.append(milliseconds)

    def scroll(self, pixels: int, n_frames: int) -> None:
        """Move down the page."""
        self.page.mouse.move(WIDTH / 2, HEIGHT / 2)
        for _ in range(n_frames):
            self.page.mouse.wheel(0, pixels / n_frames)
            self.page.wait_for_timeout(80)
            self.shoot(100)

    def write(self, out: Path) -> None:
        """Write what was taken as an animated WebP that begins again.

        Raises:
            SystemExit: It would be too large for a page.
        """
        first, *others = self.frames
        first.save(
            out, save_all=True, append_images=others, duration=self.milliseconds, loop=0,
            quality=60, method=6,
        )  # fmt: skip
        if out.stat().st_size > MOST_BYTES:
            raise SystemExit(f"{out} has {out.stat().st_size:,} bytes: take fewer frames")


@contextmanager
def served() -> Iterator[str]:
    """Serve the dashboard and give its address."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    tool = Path(sys.executable).with_name("bertflow-lab")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    environment.pop("BERTFLOW_DATA", None)
    server = subprocess.Popen([tool, "app", "--port", str(port)], env=environment)
    try:
        for _ in range(PATIENCE_SECONDS):
            try:
                urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).close()
                break
            except (URLError, OSError):
                time.sleep(1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def quiet(page: Page) -> None:
    """Wait until the page's script is not running."""
    page.wait_for_timeout(1500)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


def calibrate(film: Film, address: str) -> None:
    """Show what calibrators do on captions."""
    film.page.goto(f"{address}/calibrate")
    film.page.locator(".js-plotly-plot").first.wait_for()
    film.shoot(700)
    quiet(film.page)
    film.page.get_by_role("button", name="Stop").wait_for(state="hidden")
    quiet(film.page)
    film.shoot(1800)
    film.scroll(900, 9)
    film.shoot(1800)


def wall(film: Film, address: str) -> None:
    """Draw around some points of one space, and see where they lie in the others."""
    film.page.goto(f"{address}/wall")
    lasso(film.page, film)
    film.shoot(2200)


def lasso(page: Page, film: Film | None = None) -> None:
    """Draw around some points of the first pane of a wall, once it is there."""
    page.locator("[data-ready]").wait_for()
    quiet(page)
    canvas = page.locator(".wall canvas").first
    canvas.scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    shoot = film.shoot if film else page.wait_for_timeout
    shoot(1200)
    box = canvas.bounding_box()
    assert box is not None
    places = [(0.10, 0.30), (0.10, 0.75), (0.24, 0.75), (0.24, 0.30), (0.10, 0.30)]
    corners = [(box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in places]
    page.mouse.move(*corners[0])
    page.mouse.down()
    for corner in corners[1:]:
        page.mouse.move(*corner, steps=4)
        shoot(220)
    page.mouse.up()
    quiet(page)


def inside(film: Film, address: str) -> None:
    """Let a flow on the plane train in the browser."""
    page = film.page
    page.goto(f"{address}/inside")
    view = page.locator(".flow-view[data-steps]")
    view.wait_for()
    view.scroll_into_view_if_needed()
    for _ in range(16):
        page.wait_for_timeout(350)
        film.shoot(150)
    film.shoot(1500)


def main() -> None:
    """Record, and write the film."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("docs/images/lab.webp"))
    out = parser.parse_args().out
    with served() as address, sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light"
        )  # fmt: skip
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        film = Film(page)
        for scene in (calibrate, wall, inside):
            scene(film, address)
        browser.close()
    film.write(out)
    sys.stdout.write(f"{out}: {len(film.frames)} frames, {out.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
