"""A lesson as a page: one file that loads nothing and shows untrusted text as text."""

import base64
import hashlib
import json
from html.parser import HTMLParser

import pytest

from bertflow_core.errors import InputError
from bertflow_core.exhibits.tour.lesson import CONTENTS, Content, Lesson, stored_lesson
from bertflow_core.exhibits.tour.page import MARK, check_lesson_file, lesson_page, write_lesson
from bertflow_core.figures import score_bars
from bertflow_core.lab.recipe import Recipe

HOSTILE = '</script></pre><script>alert("&")</script><img src=http://example.com/x>'


class Reader(HTMLParser):
    """Collects tags with their attributes, the text of scripts, and all text."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.texts = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, data):
        if self.cdata_elem == "script":
            attrs, text = self.scripts[-1]
            self.scripts[-1] = (attrs, text + data)
        self.texts.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def hostile_lesson():
    content = Content(
        text=HOSTILE,
        question=HOSTILE,
        choices=("no", HOSTILE),
        right=1,
        takeaway=HOSTILE,
        explanation=HOSTILE,
        figure=score_bars(["identity", HOSTILE], [0.25, -0.5]),
        origin=HOSTILE,
        exhibits=((HOSTILE, HOSTILE),),
    )
    skipped = [HOSTILE] * (len(CONTENTS) - 2)
    return Lesson(Recipe(dataset=f"{HOSTILE}.csv"), (content, *skipped, content))


@pytest.fixture(scope="module")
def read():
    return Reader(lesson_page(hostile_lesson(), title=HOSTILE))


def test_strangers_text_makes_no_element(read):
    assert len(read.all("script")) == 4  # two figures, Plotly once, our own
    assert not read.all("img")
    assert read.texts.count(HOSTILE) >= 10


def rules_of(read):
    (policy,) = (attrs["content"] for attrs in read.all("meta") if "Content-Security" in str(attrs))
    return dict(rule.strip().split(" ", 1) for rule in policy.split(";"))


def digest(script):
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def test_only_its_own_two_scripts_may_run_and_nothing_may_be_fetched(read):
    rules = rules_of(read)
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("style-src") == "'unsafe-inline'"
    assert rules.pop("img-src") == "data: blob:"
    allowed = rules.pop("script-src").split()
    assert set(rules.values()) == {"'none'"}
    run = [text for attrs, text in read.scripts if "type" not in attrs]
    assert allowed == [*map(digest, run)]
    assert "plotly.js v" in run[0][:200]


def test_the_dashboard_shows_the_same_steps_with_its_own_copy_of_plotly(read):
    served = Reader(lesson_page(hostile_lesson(), title=HOSTILE, is_served=True))
    steps = [attrs["id"] for attrs in served.all("section")]
    assert steps == [attrs["id"] for attrs in read.all("section")]
    assert steps == [*(each.name for each in CONTENTS), "remember"]
    assert [attrs["src"] for attrs in served.all("script") if "src" in attrs] == ["plotly.js"]
    assert not served.all("img")
    rules = rules_of(served)
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["connect-src"] == "'self'"
    own = served.scripts[-1][1]
    assert rules["script-src"].split() == [digest(own), "'self'", "'wasm-unsafe-eval'"]


def test_pictures_name_calibrators_and_layers_in_plain_words():
    shown = str(figure_of(stored_lesson(), "language"))
    assert "layer 15: no calibration" in shown
    assert "plain output: BERT-flow" in shown
    assert "identity" not in shown
    assert "null-top-k" not in str(figure_of(stored_lesson(), "calibrators"))


def figure_of(lesson, name):
    """Return the labels of a step's figure on its page."""
    found = Reader(lesson_page(lesson, is_served=True)).scripts
    figure = next(json.loads(text) for attrs, text in found if attrs.get("id") == f"{name}-figure")
    names = [trace.get("name") for trace in figure["data"]]
    return names, [note["text"] for note in figure["layout"].get("annotations", ())]


@pytest.mark.parametrize("name", ["lesson.html", "lesson.json"])
def test_a_lesson_replaces_a_lesson_and_nothing_else(tmp_path, name):
    path = tmp_path / name
    write_lesson(path, hostile_lesson())
    check_lesson_file(path)
    path.write_text(f"{path.read_text(encoding='utf-8')} again", encoding="utf-8")
    write_lesson(path, hostile_lesson())
    assert not path.read_text(encoding="utf-8").endswith("again")
    assert [each.name for each in tmp_path.iterdir()] == [name]
    other = tmp_path / "thesis.html"
    other.write_text(f"<!DOCTYPE html>{' ' * 2_000}{MARK}")
    with pytest.raises(InputError, match="not written by"):
        check_lesson_file(other)
