"""How a cone forms in a real browser: the recording is there at once, and can be gone through."""

import re

from lab_pages import inside, picture, wait_for


def test_the_stored_training_is_played_stepped_and_scrubbed(visit):
    page = visit("/newborn")
    view = page.locator(".newborn[data-frames='41']")
    view.wait_for()
    said, words = view.locator("output"), view.locator(".words")

    def press(name):
        view.get_by_role("button", name=name, exact=True).click()

    said.get_by_text(re.compile("^step 200: mean cosine of two words 0.7")).wait_for()
    end = picture(words)
    press("Back")
    said.get_by_text(re.compile("^step 195:")).wait_for()
    assert picture(words) != end
    view.get_by_role("slider").fill("2")
    said.get_by_text(re.compile("^step 10:")).wait_for()
    words.press("ArrowLeft")
    said.get_by_text(re.compile("^step 5:")).wait_for()
    press("Play")
    wait_for(lambda: float(view.get_attribute("data-position")) > 3)
    press("Back")  # which pauses, and the end may be reached too
    still = view.get_attribute("data-position")
    press("Forward")
    wait_for(lambda: float(view.get_attribute("data-position")) > float(still))

    view.get_by_role("slider").fill("40")
    words.scroll_into_view_if_needed()
    bare = picture(words)
    page.mouse.move(*inside(words, 0.5, 0.1))
    wait_for(lambda: picture(words) != bare)
    assert ": " in words.get_attribute("aria-label") or "never" in words.get_attribute("aria-label")
