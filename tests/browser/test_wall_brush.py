"""The wall in a browser: what is brushed, sought and clicked there comes to the page."""

import csv
import io
import re

from lab_pages import download, drag, drawn, inside, press, sees, settle, wait_for


def held(page, name):
    return page.locator("[data-ready]").get_attribute(f"data-{name}")


def wait_until(page, name, pattern):
    """Wait until the canvas says so, and the page has followed."""
    wait_for(lambda: re.search(pattern, held(page, name) or ""))
    settle(page)


def downloaded(page):
    return list(csv.DictReader(io.StringIO(download(page, "CSV", "Save the rows"))))


def test_one_brush_through_every_pane(visit):
    page = visit("/wall?wall_layers=layer:4&wall_calibrators=whiten")
    page.get_by_role("tab", name="The wall", exact=True).wait_for()
    press(page, "Build the spaces")
    page.locator("[data-ready]").wait_for()
    drawn(page)
    canvas = page.locator(".wall canvas").first
    canvas.scroll_into_view_if_needed()
    drawn(page)
    corners = [(0.04, 0.2), (0.25, 0.2), (0.25, 0.9), (0.04, 0.9), (0.04, 0.2)]
    drag(page, *(inside(canvas, x, y) for x, y in corners))
    wait_until(page, "selected", r"^[1-9]")
    some = int(held(page, "selected"))
    assert 0 < some < int(held(page, "ready"))
    rows = downloaded(page)
    assert len(rows) == some
    assert {"id", "text", "recipe", "norm (L2), layer:4, whiten"} <= set(rows[0])

    page.get_by_placeholder("Words in the text").fill("dog")
    wait_until(page, "selected", f"^(?!{some}$)")
    rows = downloaded(page)
    assert len(rows) == int(held(page, "selected")) > 0
    assert all("dog" in row["text"].lower() for row in rows)

    page.locator(".wall").get_by_role("application").first.focus()
    page.keyboard.press("Enter")  # the row nearest to the cross-hair
    wait_until(page, "picked", r"^\d")
    sees(page, "nearest by cosine in the full space")
