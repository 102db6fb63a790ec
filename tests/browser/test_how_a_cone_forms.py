"""How a cone forms in a real browser: the recording is there at once, and can be gone through."""

import re

from lab_pages import wait_for


def picture(page):
    return page.locator(".newborn .words").evaluate("canvas => canvas.toDataURL()")


def press(page, name):
    page.locator(".newborn").get_by_role("button", name=name, exact=True).click()


def test_the_stored_training_is_played_stepped_and_scrubbed(visit):
    page = visit("/newborn")
    view = page.locator(".newborn[data-frames='41']")
    view.wait_for()
    said = view.locator("output")
    said.get_by_text(re.compile("^step 200: mean cosine of two words 0.7")).wait_for()
    end = picture(page)
    press(page, "Back")
    said.get_by_text(re.compile("^step 195:")).wait_for()
    assert picture(page) != end
    view.get_by_role("slider").fill("2")
    said.get_by_text(re.compile("^step 10:")).wait_for()
    view.locator(".words").press("ArrowLeft")
    said.get_by_text(re.compile("^step 5:")).wait_for()
    press(page, "Play")
    wait_for(lambda: float(view.get_attribute("data-position")) > 3)
    press(page, "Back")  # which pauses, and the end may be reached too
    still = view.get_attribute("data-position")
    press(page, "Forward")
    wait_for(lambda: float(view.get_attribute("data-position")) > float(still))

    words = view.locator(".words")
    view.get_by_role("slider").fill("40")
    words.scroll_into_view_if_needed()
    box, bare = words.bounding_box(), picture(page)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    wait_for(lambda: picture(page) != bare)
    assert ": " in words.get_attribute("aria-label") or "never" in words.get_attribute("aria-label")
