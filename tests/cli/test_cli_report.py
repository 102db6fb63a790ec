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
