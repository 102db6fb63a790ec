"""Files for people: figures, the wall, a lesson."""

import asyncio
import base64
import json
import re
import shlex
import sys
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from plotly_numbers import numbers
from tiny_models import save_tiny_model
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.exhibits.tour import compute
from bertflow_core.exhibits.tour.lesson import CONTENTS, GENERATOR, stored_lesson
from bertflow_core.exhibits.wall import page as wall_page
from bertflow_core.exhibits.wall.payload import header_of
from bertflow_core.figures import captioned, figure_page, images
from bertflow_core.figures.images import SCALE, WIDTH
from bertflow_core.lab.recipe import Recipe

SPECS = ("--calibrator", "identity", "--calibrator", "standardize")


@pytest.fixture
def spectrum(tiny, here):
    write_pairs(here / "pairs.csv", 60)
    measured = ("--parts", "cloud", "--dataset", "pairs.csv", "--figures", "out")
    return ("analyse", "sentences", *tiny, *SPECS, *measured)


def test_a_page_holds_the_numbers_the_recipe_and_the_command(lab, spectrum, here):
    outcome = lab(*spectrum, "--format", "json")
    rows = json.loads(outcome.out)["rows"]  # nothing but the result
    # LayerNorm leaves 15 directions of 16.
    raw = rows[0]["singular_values"]
    assert (len(raw), raw) == (16, sorted(raw, reverse=True))
    assert raw[-1] == pytest.approx(0, abs=1e-4)
    assert "figures written: 2 as html in out" in outcome.err
    names = {path.name for path in (here / "out").glob("[!.]*")}
    assert names == {"plotly.min.js", "singular_spectra.html", "verdicts.html"}
    page = (here / "out" / "singular_spectra.html").read_text(encoding="utf-8")
    start = re.search(r'Plotly\.newPlot\(\s*"[^"]+",\s*', page).end()
    traces = json.JSONDecoder().raw_decode(page[start:])[0]
    assert [trace["name"] for trace in traces] == ["identity", "standardize"]
    shown = numbers(traces[0]["y"])
    assert list(shown) == pytest.approx([value / raw[0] for value in raw[: len(shown)]])
    assert len(shown) >= 15
    assert "120 sentences; the calibrators were fitted on" in page
    assert "bertflow-lab analyse sentences --model" in page
    assert re.findall('src="(.*?)"', page) == ["plotly.min.js"] and len(page) < 100_000


def test_without_kaleido_one_sentence_says_what_to_install(
    refuses, spectrum, no_embedding, monkeypatch
):
    monkeypatch.setitem(sys.modules, "kaleido", None)
    refuses(*spectrum, "--figure-format", "png", words=('".[figures]" in a clone', "html"))


def test_pictures_are_drawn_and_carry_their_recipe(works, spectrum, here, monkeypatch):
    """Also if the browser ends without an answer, as on a busy machine."""
    kaleido = pytest.importorskip("kaleido", reason="kaleido is not installed")
    chromium = pytest.importorskip("choreographer.browsers.chromium").Chromium
    if chromium.find_browser(skip_local=False) is None:
        pytest.skip("no Chrome or Chromium is installed")
    close = kaleido.Kaleido.close

    async def unanswered(browser):
        await close(browser)
        await asyncio.Event().wait()

    monkeypatch.setattr(kaleido.Kaleido, "close", unanswered)
    monkeypatch.setattr(images, "CLOSING_SECONDS", 1)
    works(*spectrum, "--figure-format", "svg", "--figure-format", "png")
    picture = (here / "out" / "singular_spectra.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    for words in ("principal direction", "standardize", "120 sentences;"):  # a caption is wrapped
        assert words in picture
    png = (here / "out" / "singular_spectra.png").read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20]) == SCALE * WIDTH


def test_a_browser_that_gives_no_answer_ends_in_a_sentence(lab, spectrum, here, monkeypatch):
    pytest.importorskip("kaleido", reason="kaleido is not installed")
    silent = here / "silent"
    silent.write_text("#!/bin/sh\nexec cat <&3 >/dev/null\n")  # reads its input and never answers
    silent.chmod(0o700)
    monkeypatch.setenv("BROWSER_PATH", str(silent))
    monkeypatch.setattr(images, "PICTURE_SECONDS", 0.2)
    monkeypatch.setattr(images, "CLOSING_SECONDS", 0.2)
    outcome = lab(*spectrum, "--figure-format", "png")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == (
        "bertflow-lab: the browser that draws pdf, svg and png failed or took more than 0.2 "
        "seconds: set BROWSER_PATH to another, or choose html\n"
    )


def test_hostile_words_in_a_caption_stay_words():
    figure = go.Figure(go.Scatter(y=[1, 2]), layout={"height": 300})
    before = figure.to_json()
    evil = "<script>alert(1)</script> & <b>bold</b>"
    page = figure_page(figure, title=evil, caption=evil, command=evil)
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt; &amp;") == 5
    (note,) = captioned(figure, evil).layout.annotations
    assert note.text == "&lt;script>alert(1)&lt;/script> &amp; &lt;b>bold&lt;/b>"
    assert figure.to_json() == before


def wall_of(path):
    page = path.read_text(encoding="utf-8")
    (payload,) = re.findall(r'id="payload">([^<]*)<', page)
    return page, header_of(base64.b64decode(payload))


def test_the_wall_holds_rows_panes_neighbours_and_the_command_that_makes_it(
    works, refuses, tiny_elsewhere, here, monkeypatch
):
    (_, *first), *others = pair_rows()
    table = write_pairs(
        here / "pairs.csv", [("</script><script>alert(1)</script>", *first), *others]
    )
    command = ("analyse", "wall", *tiny_elsewhere, "--dataset", table, "--layers", "layer:2")
    options = ("--layers", "layer:1", "--calibrator", "whiten", "--max-rows", 12)
    works(*command, *options, "--out", "mine.html")
    page, found = wall_of(here / "mine.html")
    assert found["n"] == 12
    assert [each["k"] for each in found["neighbours"]] == [10, 10]
    assert [each["name"] for each in found["panes"]] == ["layer:2, whiten", "layer:1, whiten"]
    assert "alert(1)" not in page  # texts are in the payload only
    (again,) = re.findall(r"Made by: ([^<]*)", page)
    works(*shlex.split(again.replace("&#39;", "'"))[1:], "--device", "cpu")
    _, second = wall_of(here / "wall.html")
    assert second["content"] == found["content"]
    monkeypatch.setattr(wall_page, "MAX_PAGE_BYTES", 1000)
    refuses(*command, "--out", "mine.html", words="show fewer rows or panes")


def test_the_wall_of_two_models_of_other_widths_says_what_they_share(
    lab, works, refuses, tiny_bert, here, table
):
    other = save_tiny_model(here / "wide", "bert", hidden_size=32)
    models = ("--model", tiny_bert, "--model", other, "--dataset", table)
    outcome = lab("analyse", "wall", *models, "--device", "cpu", "--out", "two.html")
    assert re.search(r"10 nearest neighbours in .*, wide keeps [\d.]+ on average", outcome.err)
    page, found = wall_of(here / "two.html")
    assert [each["name"] for each in found["panes"]] == [tiny_bert.name, "wide"]
    assert page.count("nearest in wide: “") == 10
    (again,) = re.findall(r"Made by: ([^<]*)", page)
    works(*shlex.split(again.replace("&#39;", "'"))[1:], "--device", "cpu")
    assert wall_of(here / "wall.html")[1]["content"] == found["content"]


def test_a_lesson_is_written_whole_over_another(lab, here, monkeypatch):
    """The tour itself is computed in tests/studies/tour."""
    stored = stored_lesson()
    asked = []

    def compute_tour(recipe, lab, **own):
        asked.append((recipe, own))
        return replace(stored, steps=("no words", *stored.steps[1:]))

    monkeypatch.setattr(compute, "compute_tour", compute_tour)
    (here / "lesson.html").write_text(GENERATOR)
    own = ("--sentence", "a cat", "--sentence", "a dog")
    command = ("report", "--layers", "layer:2", *own, "--out", "lesson.html")
    outcome = lab(*command, "--title", "Cones & <flows>")
    assert (outcome.code, outcome.out) == (0, "")
    assert asked == [(Recipe(layers="layer:2"), {"sentences": ("a cat", "a dog")})]
    assert f"skipped: {CONTENTS[0].title} (no words)\n" in outcome.err
    assert outcome.err.endswith("lesson written: lesson.html\n")
    assert [path.name for path in here.iterdir()] == ["lesson.html"]
    page = (here / "lesson.html").read_text(encoding="utf-8")
    assert "<title>Cones &amp; &lt;flows&gt;</title>" in page
    assert page.count('<details class="answer">') == len(stored.steps) - 1
