"""What a visitor does on the pages, by what a visitor reads there."""

from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import waiting
from bertflow_app.navigation import PAGES, page_of, title_of

PATIENCE = 180
"""Seconds until a wait for something on a page has failed, on a busy machine too."""

LONGEST_PAUSE_MS = 250
"""The longest pause after a gesture before any widget tells the server of it."""

POLL = 0.05
"""Seconds between two questions to a page: each wakes three processes."""

wait_for = partial(waiting.wait_for, every=POLL, within=PATIENCE)

DRAWN = """async () => {
  const isDrawn = () => document.querySelector(
    '[data-testid="stApp"][data-test-script-state="notRunning"]:has(h1)' +
    ':not(:has([data-testid="stSkeleton"]))',
  );
  return isDrawn() && new Promise((done) => setTimeout(() => done(isDrawn() !== null), 50));
}"""
"""Whether a script has run, none runs, now and a moment later, and no part waits for its code.

A job that is live asks for a run every so often, between which the page is drawn; a run that is
stopped for the next one looks as if it had ended. Asked by `evaluate`, which awaits the answer.
"""


def follow(page):
    """Prepare a page that is not yet anywhere to be waited for."""
    page.set_default_timeout(PATIENCE * 1000)
    return page


@contextmanager
def quiet_page(browser):
    """Open a page without a server; it may ask for what it opens alone, and complain of nothing."""
    page = follow(browser.new_page())
    page.set_viewport_size({"width": 1280, "height": 900})
    faults = []

    def note(asked):
        if not (asked.is_navigation_request() or asked.url.startswith(("blob:", "data:"))):
            faults.append(asked.url)

    page.on("request", note)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda m: m.type in ("error", "warning") and faults.append(m.text))
    yield page
    is_hacked = page.evaluate("window.hacked") is not None
    page.close()
    assert (faults, is_hacked) == ([], False)


def sees(page, text, **options):
    """Wait for a text, which may be there twice while Streamlit draws a part anew."""
    page.get_by_text(text, **options).first.wait_for()


def go(page, view):
    """Follow the menu to a page, and open the tab of a view."""
    name = page_of(view)
    go_page(page, name)
    if view in PAGES[name].views:
        go_tab(page, view)


def go_page(page, name):
    """Follow the menu to a page."""
    title = PAGES[name].title
    page.get_by_test_id("stSidebar").get_by_role("link", name=title, exact=True).click()
    heading = "Why cosine fails" if name == "start" else title
    page.get_by_role("heading", level=1).filter(has_text=heading).wait_for()
    drawn(page)


def go_tab(page, view):
    """Open the tab of a view of this page, which is empty until the page has followed."""
    title = title_of(view)
    page.get_by_role("tab", name=title, exact=True).click()
    panel = page.get_by_role("tabpanel", name=title, exact=True)
    panel.get_by_test_id("stElementContainer").first.wait_for(state="attached")
    drawn(page)


def upload(page, name, content):
    """Bring a table on the page Check your model and use it."""
    field = page.get_by_test_id("stFileUploader").first.locator("input")
    field.wait_for(state="attached")
    drawn(page)  # a box that is drawn anew loses the file
    field.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    sees(page, "What was read")


def choose(page, label, option):
    """Pick an option of a select box and wait until the page has followed."""
    from playwright.sync_api import TimeoutError as NoOption  # absent where browsers are

    box = page.get_by_role("combobox", name=label)
    box.scroll_into_view_if_needed()  # options close when the page is scrolled
    drawn(page)
    choice = page.get_by_role("option", name=option, exact=True)

    def is_picked():
        if not choice.is_visible():
            box.click()
        with suppress(NoOption):  # a run that ends late closes the options
            choice.click(timeout=5_000)
            return True

    wait_for(is_picked, what=f"the option {option!r}")
    settle(page)
    wait_for(lambda: box.input_value() == option)


def drawn(page):
    """Wait until the page has been drawn."""
    wait_for(lambda: page.evaluate(DRAWN), what="the end of a run")


def settle(page):
    """Wait until the page has been drawn after what was just done, of which widgets tell late."""
    page.evaluate("ms => new Promise(done => setTimeout(done, ms))", LONGEST_PAUSE_MS)
    drawn(page)


def press(page, name):
    """Press a button once the page has been drawn: one that is drawn anew loses the press."""
    button = page.get_by_role("button", name=name, exact=True)
    button.first.wait_for()
    drawn(page)
    button.click()


def picture(canvas):
    """Return what a canvas shows, to compare."""
    return canvas.evaluate("canvas => canvas.toDataURL()")


def moves(canvas, times=2):
    """Wait until a canvas has shown so many pictures."""
    seen = set()
    wait_for(lambda: seen.add(picture(canvas)) or len(seen) >= times)


def inside(place, x, y):
    """Return a place inside something drawn, in shares of its width and height."""
    box = place.bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def drag(page, *places):
    """Press at the first place, move through the others, and let go."""
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def table_with(page, column, n_rows):
    """Return the cells of the table that has a column of this name, row by row."""
    head = page.locator("th", has_text=column)
    table = page.locator("canvas table").filter(has=head)
    table.locator("tbody tr").nth(n_rows - 1).wait_for(state="attached")
    return table.evaluate(  # at once: a table may be drawn anew
        "table => [...table.tBodies[0].rows].map(row => "
        "[...row.querySelectorAll('td')].map(cell => cell.textContent))"
    )


def advanced(page):
    """Open the sidebar's fold once the page has been drawn."""
    drawn(page)
    page.get_by_test_id("stSidebar").get_by_text("Advanced", exact=True).click()


def download(page, form) -> str:
    """Save a table of a page in a form, such as CSV, and return the file's text."""
    button = page.get_by_role("button", name=form, exact=True).first
    drawn(page)  # a button that is drawn anew is not visible, and a press would close its fold
    if not button.is_visible():
        page.get_by_text("Reproduce and cite").click()
    with page.expect_download() as found:
        button.click()
    return Path(found.value.path()).read_text(encoding="utf-8")
