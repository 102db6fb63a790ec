"""The questions before and after a lesson: what is saved, kept and deleted on the device."""

import csv
import tomllib
from importlib.resources import files

import pytest
from lab_pages import quiet_page

from bertflow_core.exhibits import site
from bertflow_core.exhibits.site.questions import questions_page

ASKED = tomllib.loads((files(site) / "questions.toml").read_text(encoding="utf-8"))["question"]
RIGHT = [each["right"] for each in ASKED]


@pytest.fixture
def page(browser, tmp_path):
    path = tmp_path / "questions.html"
    path.write_text(questions_page(ways="").html, encoding="utf-8")
    with quiet_page(browser) as page:
        page.goto(path.as_uri())
        page.get_by_text("1. ").wait_for()
        yield page


def choose(page, answers):
    for number, answer in enumerate(answers):
        page.locator(f"input[name=q{number}]").nth(answer).check()


def saved(page):
    with page.expect_download() as found:
        page.get_by_role("button", name="Save").click()
    with open(found.value.path(), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rows(when, answers):
    return [
        {"when": when, "question": f"{n}", "answer": "ABCDE"[a], "right": f"{int(a == right)}"}
        for n, (a, right) in enumerate(zip(answers, RIGHT, strict=True), 1)
    ]


def test_there_are_five_questions_with_four_answers_whose_right_one_varies():
    assert [len(each["answers"]) for each in ASKED] == [4] * 5
    assert set(RIGHT) == {0, 1, 2, 3}
    assert all(len(set(each["answers"])) == 4 for each in ASKED)


def test_answers_are_saved_before_and_after_and_deleted(page, faults):
    save, before, after = page.get_by_role("button", name="Save"), [4, 3, 2, 1, 0], [*RIGHT[:4], 4]
    choose(page, before[:4])
    assert save.is_disabled()
    choose(page, before)
    assert saved(page) == rows("before", before)
    assert page.locator(".right").count() == 0  # nobody learns the answers before the lesson
    page.reload()
    page.get_by_label("After the lesson").check()
    assert page.locator("input[name^=q]:checked").count() == 0
    choose(page, after)
    assert saved(page) == rows("before", before) + rows("after", after)
    told = page.locator(".right").all_inner_texts()
    assert told == [each["answers"][each["right"]] for each in ASKED]
    n_before = sum(map(int.__eq__, before, RIGHT))
    page.get_by_text(
        f"Right: before the lesson {n_before} of 5, after the lesson 4 of 5."
    ).wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("0 of 5 answered").wait_for()
    page.reload()
    assert page.locator("input[name^=q]:checked").count() == 0


@pytest.mark.parametrize("kept", ['{"before": 1}', '{"before": {"0": 9, "7": 1, "1": "length"}}'])
def test_kept_answers_that_are_none_are_left_out(page, faults, kept):
    page.evaluate("kept => localStorage.setItem('bertflow-lab questions', kept)", kept)
    page.reload()
    for phase in ("Before", "After"):
        page.get_by_label(f"{phase} the lesson").check()
        page.get_by_text("0 of 5 answered").wait_for()
    choose(page, RIGHT)
    assert saved(page) == rows("after", RIGHT)
    assert faults(page) == []
