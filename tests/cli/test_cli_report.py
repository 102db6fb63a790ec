"""`report --tour`: a lesson of the user's own data, and what it will not overwrite."""

import re

import pytest


@pytest.fixture
def command(tiny, table):
    return ("report", "--tour", *tiny, "--dataset", table, "--out")


def test_a_lesson_is_written_whole_and_again(lab, command, here):
    for _ in range(2):
        outcome = lab(*command, "lesson.html", "--title", "Cones & <flows>")
        assert (outcome.code, outcome.out) == (0, "")
    assert "skipped: Does a vector tell how frequent a word is?" in outcome.err
    assert outcome.err.count("Only 24 pairs: a rho of so few is mostly chance.") == 5
    assert outcome.err.endswith("lesson written: lesson.html\n")
    assert sorted(path.name for path in here.iterdir()) == ["lesson.html", "pairs.csv"]
    page = (here / "lesson.html").read_text(encoding="utf-8")
    assert "<title>Cones &amp; &lt;flows&gt;</title>" in page
    n_told = len(re.findall(r'<section id="[\w-]+" data-step', page))
    assert n_told == page.count('<details class="answer">') > 4
    assert page.count("plotly.js v") == 1
    assert "--layers layer:2" in page


def test_a_page_of_another_kind_is_left_alone(refuses, command, here, no_embedding):
    (here / "lesson.html").write_text("<!DOCTYPE html><title>My thesis</title>")
    refuses(*command, "lesson.html", words="not written by this program")


def test_a_file_of_another_ending_is_refused(refuses, command, no_embedding):
    refuses(*command, "lesson.md", words="must end in .html")


def test_without_tour_there_is_no_report(refuses, command, no_embedding):
    rest = [word for word in command if word != "--tour"]
    refuses(*rest, "lesson.html", words=("--tour", "is the only one"))


def test_help_says_what_is_overwritten(works):
    text = " ".join(works("report", "--help").split())
    assert "--tour" in text
    assert "left alone" in text.replace("│ │ ", "")
