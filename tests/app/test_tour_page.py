"""The guided tour without a browser: ask, reveal, remember, turn the page, pass over."""

import pytest
from app_pages import button, check, jobs, open_page, press, texts
from bertflow_app.navigation import VIEWS

from bertflow_core.exhibits.tour import compute as telling
from bertflow_core.exhibits.tour.lesson import CONTENTS, Content, Lesson
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


def answer(page):
    return next(radio for radio in page.radio if radio.label == "Your answer")


def tour(**query):
    """Open the tour at an address, and let it be computed."""
    return press(open_page("tour", **query), "Start the tour")


def test_an_answer_comes_before_the_picture_and_strangers_text_is_never_markdown():
    page = tour()
    assert answer(page).value is None
    assert button(page, "Reveal").disabled
    assert not page.get("plotly_chart")
    assert "Because" not in texts(page)
    answer(page).set_value(1).run()
    button(page, "Reveal").click().run()
    check(page, controls=7, pictures=1)
    assert [each.value for each in page.success] == ["Right: that."]
    assert answer(page).disabled
    said = [text.value for text in page.text]
    assert any(each.startswith("Because words is 42") for each in said)
    assert f"what decides words, {HOSTILE}." in said
    assert sum(HOSTILE in each for each in said) == 5
    marked = [each.value for kind in ("markdown", "caption", "info") for each in page.get(kind)]
    assert not any("example.com" in each for each in marked)


def test_answers_are_remembered_and_a_step_without_data_is_skipped_and_says_why():
    page = tour(step="2")
    answer(page).set_value(1).run()
    button(page, "Reveal").click().run()
    button(page, "Next").click().run()
    assert f"4. {CONTENTS[3].title}" in [head.value for head in page.header]
    assert answer(page).value is None
    button(page, "Previous").click().run()
    assert [each.value for each in page.success] == ["Right: that."]
    button(page, "Previous").click().run()
    assert button(page, "Previous").disabled
    skipped = open_page("tour", step="3")
    assert not [radio for radio in skipped.radio if radio.label == "Your answer"]
    assert any(text.value == f"no gold in {HOSTILE}" for text in skipped.text)


def test_the_last_step_offers_the_tour_as_a_page():
    page = tour(step=str(len(CONTENTS)))
    assert button(page, "Next").disabled
    (lesson,) = page.get("download_button")
    assert lesson.label == "This tour as a page, to keep or to present"
    assert "Remember few" not in texts(page)  # nor the last answer, before it is revealed
    answer(page).set_value(1).run()
    button(page, "Reveal").click().run()
    assert page.code[0].value == "bertflow-lab report --out lesson.html --dataset teaching"
    assert f"• Remember few. {HOSTILE}" in [text.value for text in page.text]


def test_the_default_data_open_on_the_lesson_that_ships():
    page = open_page("tour", dataset="captions")
    check(page, controls=7)
    assert f"1. {CONTENTS[0].title}" in [head.value for head in page.header]
    assert not jobs()
    button(page, "Use these sentences").click().run()  # none were typed: nothing to compute
    assert not jobs()


def test_own_sentences_make_a_tour_of_their_own():
    page = tour()
    for i, text in enumerate(("a cat", "a dog"), start=1):
        next(box for box in page.text_input if box.label == f"Sentence {i}").set_value(text)
    press(page, "Use these sentences")
    assert {job.result.sentences for job in jobs()} == {(), ("a cat", "a dog")}
    page = button(page, "Next").click().run()
    assert not page.exception


def test_every_chapter_leads_to_a_page_that_is_there():
    assert {each.page for each in CONTENTS} <= {*VIEWS}
