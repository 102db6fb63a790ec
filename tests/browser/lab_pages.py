"""What a visitor does on the pages, by what a visitor reads there."""

from pathlib import Path

ODD = (
    b"left;right;points\n"
    b"a cat sleeps;a dog sleeps;1\n"
    b"the sun is out;the sun shines;5\n"
    b"six sheep;seven sheep;nine\n"
    b"red paint;blue paint;2.5\n"
    b"he sings;he is singing;4\n"
)
"""A table with columns of unknown names and a score in row 4 that is none."""


def long_table(n=2_500):
    """Return a CSV table whose embedding takes a minute here."""
    first = "the brown fox number {0} jumps over the lazy dog while it rains on {0} towns at once"
    second = "the cat number {0} sleeps in the house of the baker who sings of bread all day long"
    lines = [f"{first.format(i)},{second.format(i)},{i % 6}" for i in range(n)]
    return "\n".join(["sentence1,sentence2,score", *lines]).encode()


def go(page, name):
    """Follow the menu to a page."""
    page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", name=name, exact=True).wait_for()


def upload(page, name, content):
    """Bring a table on the page Data & models and use it."""
    field = page.get_by_test_id("stFileUploader").locator("input")
    field.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    use = page.get_by_role("button", name="Use this table")
    use.wait_for()
    settle(page)  # a button that still moves down loses the press
    use.click()
    use.wait_for(state="detached")
    page.get_by_role("combobox", name="First sentences").wait_for()


def choose(page, label, option):
    """Pick an option of a select box and wait until the page has followed."""
    box = page.get_by_role("combobox", name=label)
    box.scroll_into_view_if_needed()  # options close when the page is scrolled
    settle(page)
    box.click()
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)
    assert box.input_value() == option


def settle(page):
    """Wait until the page has been drawn after what was just done; not while a job is live."""
    page.wait_for_timeout(300)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def table_with(page, column, n_rows):
    """Return the cells of the table that has a column of this name, row by row."""
    head = page.locator("th", has_text=column)
    table = page.get_by_test_id("stMain").locator("canvas table").filter(has=head)
    table.locator("tbody tr").nth(n_rows - 1).wait_for(state="attached")
    return [row.locator("td").all_text_contents() for row in table.locator("tbody tr").all()]


def download(page, label) -> str:
    """Press a download button and return the file's text."""
    with page.expect_download() as found:
        press(page, label)
    return Path(found.value.path()).read_text(encoding="utf-8")


def shoot(page, path):
    """Save a picture of the whole page, however long it is."""
    height = page.get_by_test_id("stMain").evaluate("page => page.scrollHeight")
    page.set_viewport_size({"width": 1280, "height": min(height + 40, 8_000)})
    page.wait_for_timeout(700)  # charts are drawn anew
    page.screenshot(path=path)
    page.set_viewport_size({"width": 1280, "height": 900})
