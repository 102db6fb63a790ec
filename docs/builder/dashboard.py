"""Take the pictures of docs/dashboard.md, in light and dark: a flow that is turned, and the wall.

It serves the dashboard itself and visits it in Chromium, with the data that ships with the package:

    python docs/builder/dashboard.py --out docs/images
"""

import argparse
from itertools import product
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from record import PATIENCE_SECONDS, lasso, quiet, served
from walk import THEMES, Stop, take

SIZE = {"width": 1280, "height": 1000}


def knobs(page: Page, address: str) -> None:
    """Turn the flow's depth, and see the cosines under the flow that was fitted at that turn."""
    page.goto(f"{address}/knobs")
    page.get_by_role("tab", name="The flow").click()
    page.get_by_role("slider", name="depth").press("ArrowRight")
    page.locator(".legendtext").get_by_text("flow:depth=5", exact=True).wait_for()


def wall(page: Page, address: str) -> None:
    """Draw around some points of one space, and see where they lie in the others."""
    page.goto(f"{address}/wall")
    lasso(page)


STOPS: dict[str, Stop] = {"knobs": knobs, "wall": wall}


def main() -> None:
    """Take every picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    out = parser.parse_args().out
    with served() as address, sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path="/usr/bin/chromium")
        for theme, (name, visit) in product(THEMES, STOPS.items()):
            page = browser.new_page(viewport=SIZE, color_scheme=theme)
            page.set_default_timeout(PATIENCE_SECONDS * 1000)
            visit(page, address)
            quiet(page)
            take(page, out / f"{name}-{theme}.webp")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
