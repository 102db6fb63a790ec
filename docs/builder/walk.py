"""Take the pictures of a newcomer's walk: Start and the tour, in light and dark, on three widths.

It serves the dashboard itself and visits it in Chromium, with the data that ships with the package:

    python docs/builder/walk.py --out docs/images/walk
"""

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from record import PATIENCE_SECONDS, quiet, served

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HEIGHTS = {390: 844, 1280: 800, 1920: 1080}
"""Of the window, by its width, in pixels."""

Stop = Callable[[Page, str], None]


def start(page: Page, address: str) -> None:
    """Open the first page."""
    page.goto(address)
    page.locator(".cone[data-pair]").wait_for()
    page.locator(".js-plotly-plot").first.wait_for()


def tour(page: Page, address: str) -> None:
    """Open the tour at its first question."""
    page.goto(f"{address}/tour")
    page.get_by_role("button", name="Reveal").first.wait_for()


def answer(page: Page, address: str) -> None:
    """Reveal the answer of the tour's first question."""
    tour(page, address)
    page.get_by_role("radiogroup", name="Your answer").locator("label").first.click()
    page.get_by_role("button", name="Reveal").first.click()
    page.locator(".js-plotly-plot").first.wait_for()


STOPS: dict[str, Stop] = {"start": start, "tour": tour, "answer": answer}


def main() -> None:
    """Take every picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("docs/images/walk"))
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path="/usr/bin/chromium")
        for theme in THEMES:
            for width, height in HEIGHTS.items():
                view = {"width": width, "height": height}
                page = browser.new_page(viewport=view, color_scheme=theme)
                page.set_default_timeout(PATIENCE_SECONDS * 1000)
                for name, visit in STOPS.items():
                    visit(page, address)
                    quiet(page)
                    take(page, out / f"{name}-{theme}-{width}.webp")
                page.close()
        browser.close()


def take(page: Page, path: Path) -> None:
    """Write what the window shows, at most 1,280 pixels across."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.thumbnail((1280, 1280), Image.Resampling.LANCZOS)
    image.save(path, quality=70, method=6)
    sys.stdout.write(f"{path}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
