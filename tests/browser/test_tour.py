"""The guided tour as a class takes it: in the browser, before a room, and from a file on disk."""

import pytest
from lab_pages import drawn, follow, press, quiet_page, settle, wait_for

from bertflow_core.studies.tour.lesson import CONTENTS, stored_lesson
from bertflow_core.studies.tour.page import lesson_page


def answer(page, n=0):
    """Choose an answer and reveal; return what the page says of it."""
    page.get_by_role("radiogroup", name="Your answer").locator("label").nth(n).click()
    settle(page)
    press(page, "Reveal")
    verdict = page.get_by_test_id("stAlert")
    verdict.wait_for()
    drawn(page)
    return verdict.get_by_test_id("stMarkdownContainer").inner_text()


def heading(page, number):
    title = f"{number}. {CONTENTS[number - 1].title}"
    return page.get_by_role("heading", name=title, exact=True)


def test_a_tour_is_asked_revealed_turned_and_taken_home(visit, faults):
    page = visit("/tour?step=7&dataset=captions&presenter=true")  # as an older version wrote it
    for number in (7, 8):
        heading(page, number).wait_for()
        drawn(page)
        wait_for(lambda: page.get_by_role("button", name="Reveal").is_disabled())
        wait_for(lambda: not page.get_by_test_id("stPlotlyChart").count())
        assert answer(page).startswith(("Right: ", "No. Here the answer is: "))
        page.get_by_test_id("stPlotlyChart").locator(".plot-container").wait_for()
        if number == 7:
            assert not faults(page, part="[data-testid=stMain]")
            page.keyboard.press("PageDown")
    assert "step=8" in page.url
    page.get_by_role("button", name="Previous").click()
    heading(page, 7).wait_for()
    page.get_by_test_id("stAlert").wait_for()  # what was revealed stays so
    steps = page.get_by_test_id("stButtonGroup")
    page.set_viewport_size({"width": 400, "height": 800})
    settle(page)
    for number in range(1, len(CONTENTS) + 1):
        box = steps.get_by_text(str(number), exact=True).bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 400
    steps.get_by_text(str(len(CONTENTS)), exact=True).click()
    heading(page, len(CONTENTS)).wait_for()
    wait_for(lambda: page.get_by_role("button", name="Next").is_disabled())
    with page.expect_download() as found:
        press(page, "This tour as a page, to keep or to present")
    assert found.value.suggested_filename == "lesson.html"


@pytest.fixture(scope="module")
def lesson_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("lesson") / "lesson.html"
    path.write_text(lesson_page(stored_lesson()), encoding="utf-8", newline="\n")
    return path


@pytest.fixture(scope="module")
def opened(browser, lesson_file):
    """The lesson, opened from disk once: each test asks sections of its own."""
    with quiet_page(browser) as page:
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        page.goto(lesson_file.as_uri())
        yield page


def test_the_exported_lesson_asks_first_and_draws_offline(opened, faults):
    for name in ("random", "flow"):
        section = opened.locator(f"section#{name}")
        right = int(section.locator("fieldset").get_attribute("data-right"))
        section.get_by_text("Reveal", exact=True).click()
        assert not section.locator(".picture").is_visible()
        chosen = right if name == "random" else (right + 1) % 4
        section.get_by_role("radio").nth(chosen).check()
        section.get_by_text("Reveal", exact=True).press("Enter")
        section.locator(".picture .plot-container").wait_for()
        verdict = section.get_by_role("status").inner_text()
        assert verdict == ("Right." if name == "random" else "Not here.")
        assert section.locator(".picture").bounding_box()["width"] > 500
    assert not faults(opened, schemes=["light"])
    section = opened.locator("section#cone")  # which a search in the page opens
    section.locator("details").first.evaluate("details => { details.open = true }")
    section.locator(".picture .plot-container").wait_for()
    assert section.get_by_role("status").inner_text() == ""


def test_the_lesson_is_presented_from_its_file(opened):
    opened.set_viewport_size({"width": 1920, "height": 1080})
    opened.get_by_role("button", name="Present", exact=True).click()
    first = opened.locator("section.current")
    assert first.get_attribute("id") == "words"
    opened.keyboard.press("2")
    opened.keyboard.press("2")
    assert first.locator(".count").all_inner_texts()[1] == "2"
    opened.keyboard.press("PageDown")
    picture = first.locator(".picture .plot-container")
    picture.wait_for()
    for shown in (picture, first.locator(".takeaway"), first.locator("label.right .tick")):
        box = shown.bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 1080
    opened.keyboard.press("PageDown")
    assert opened.locator("section.current").get_attribute("id") == "random"
    opened.keyboard.press("PageUp")
    assert opened.locator("section.current").get_attribute("id") == "words"
    opened.get_by_role("button", name="Leave the presenter view").click()
    assert opened.locator("section#flow").is_visible()


def test_the_lesson_is_readable_without_script(browser, lesson_file):
    page = follow(browser.new_page())
    forbidden = {"value": True}
    browser.new_cdp_session(page).send("Emulation.setScriptExecutionDisabled", forbidden)
    page.goto(lesson_file.as_uri())
    section = page.locator("section#cone")
    assert section.get_by_role("radio").count() >= 2
    section.get_by_text("Reveal", exact=True).click()
    assert section.get_by_text("Answer: ").is_visible()
    assert section.get_by_text("The picture needs JavaScript").is_visible()
    page.close()
