"""The page of the guided tour: which lesson its frame shows, and when it is computed."""

import pytest
from app_pages import button, check, jobs, open_page, press
from bertflow_app.navigation import VIEWS

from bertflow_core.exhibits.tour import compute as telling
from bertflow_core.exhibits.tour.lesson import CONTENTS, Content, Lesson, stored_lesson
from bertflow_core.exhibits.tour.page import lesson_page
from bertflow_core.figures import score_bars

HOSTILE = "**bold** ![](http://example.com/x) <b>tag</b> [link](http://example.com)"


def content(chapter):
    return Content(
        text=f"About {chapter.name}. {HOSTILE}",
        question=f"What about {chapter.name}?",
        choices=("this", "that", "neither"),
        right=1,
        takeaway=f"Remember {chapter.name}. {HOSTILE}",
        explanation=f"Because {chapter.name} is 42. {HOSTILE}",
        figure=score_bars(["identity", "flow"], [0.1, 0.2]),
        origin=f"what decides {chapter.name}, {HOSTILE}",
        exhibits=(("Pair A", HOSTILE),),
    )


def small_lesson(recipe, lab, *, sentences=(), **options):
    """Return a lesson at once whose third chapter is skipped."""
    first, second, _, *others = map(content, CONTENTS)
    chapters = (first, second, f"no gold in {HOSTILE}", *others)
    return Lesson(recipe, chapters, tuple(sentences))


@pytest.fixture(autouse=True)
def quick(fresh_server, monkeypatch):
    monkeypatch.setattr(telling, "compute_tour", small_lesson)


def frame(page):
    """Return the lesson that the frame of a page shows."""
    (found,) = page.get("iframe")
    return found.proto.srcdoc


def test_the_tour_of_other_data_is_computed_when_asked_and_shown_escaped():
    page = open_page("tour")
    assert not page.get("iframe")
    shown = frame(press(page, "Start the tour"))
    assert "Because words is 42" in shown
    assert "no gold in" in shown  # the third step, which these data lack
    assert "<b>tag</b>" not in shown
    (saved,) = page.get("download_button")
    assert saved.label == "This tour as a page, to keep or to present"


def test_the_default_data_open_on_the_lesson_that_ships():
    page = open_page("tour", dataset="captions")
    check(page, controls=5)
    assert frame(page) == lesson_page(stored_lesson(), is_served=True)
    assert not jobs()
    button(page, "Use these sentences").click().run()  # none were typed: nothing to compute
    assert not jobs()


def test_own_sentences_make_a_tour_of_their_own():
    page = press(open_page("tour"), "Start the tour")
    for i, text in enumerate(("a cat", "a dog"), start=1):
        next(box for box in page.text_input if box.label == f"Sentence {i}").set_value(text)
    press(page, "Use these sentences")
    assert {job.result.sentences for job in jobs()} == {(), ("a cat", "a dog")}


def test_every_chapter_leads_to_a_page_that_is_there():
    assert {each.page for each in CONTENTS} <= {*VIEWS}
