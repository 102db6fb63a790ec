"""What a visitor does to a canvas of linked panes, and what it says of itself."""

import csv
import io
import re

from lab_pages import download, settle, wait_for

__all__ = ["downloaded", "held", "lasso", "wait_until"]


def held(page, name):
    return page.locator("[data-ready]").get_attribute(f"data-{name}")


def wait_until(page, name, pattern):
    """Wait until the canvas says so, and the page has followed."""
    wait_for(lambda: re.search(pattern, held(page, name) or ""))
    settle(page)


def lasso(page, corners):
    """Draw around a part of the first pane."""
    canvas = page.locator(".wall canvas").first
    canvas.scroll_into_view_if_needed()
    settle(page)
    box = canvas.bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in (*places[1:], places[0]):
        page.mouse.move(*place, steps=6)
    page.mouse.up()


def downloaded(page, menu):
    """Save a table as CSV from its menu; return the rows."""
    return list(csv.DictReader(io.StringIO(download(page, "CSV", menu))))
