"""`analyse ... --figures`: what is written, what it carries, and what is refused before work."""

import json
import re
import sys

import plotly.graph_objects as go
import pytest
from plotly_numbers import numbers
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.cli.figure_files import SCALE, WIDTH
from bertflow_core.figures import captioned, figure_page

SPECS = ("--calibrator", "identity", "--calibrator", "standardize")


@pytest.fixture
def options(tiny, here):
    write_pairs(here / "pairs.csv", pair_rows(60))
    return (*tiny, "--dataset", "pairs.csv")


@pytest.fixture
def chromium():
    module = "choreographer.browsers.chromium"
    return pytest.importorskip(module, reason="kaleido is not installed").Chromium


@pytest.fixture
def kaleido(chromium):
    return pytest.importorskip("kaleido")


def drawn(page):
    """Return the traces of a page, as its script gives them to plotly."""
    start = re.search(r'Plotly\.newPlot\(\s*"[^"]+",\s*', page).end()
    return json.JSONDecoder().raw_decode(page[start:])[0]


def test_a_page_holds_the_numbers_the_recipe_and_the_command(lab, options, here):
    outcome = lab("analyse", "spectrum", *options, *SPECS, "--format", "json", "--figures", "out")
    found = json.loads(outcome.out)  # nothing but the result
    assert "figures written: 2 as html in out" in outcome.err
    names = {path.name for path in (here / "out").glob("[!.]*")}
    assert names == {"singular_spectra.html", "singular_spectra_absolute.html"}
    page = (here / "out" / "singular_spectra_absolute.html").read_text(encoding="utf-8")
    traces = drawn(page)
    assert [trace["name"] for trace in traces] == ["identity", "standardize"]
    raw = found["rows"][0]["singular_values"]
    shown = numbers(traces[0]["y"])
    assert list(shown) == pytest.approx(raw[: len(shown)])
    assert len(shown) >= 15
    assert "120 sentences, of which" in page
    assert "bertflow-lab analyse spectrum --model" in page
    assert "<script src=" not in page


def test_a_spectrum_has_a_value_for_each_direction_and_layers_a_row_for_each(works, options):
    specs = ("--calibrator", "identity", "--calibrator", "whiten", "--format", "json")
    rows = json.loads(works("analyse", "spectrum", *options, *specs))["rows"]
    # LayerNorm leaves 15 directions of 16, which whitening keeps.
    assert [len(row["singular_values"]) for row in rows] == [16, 15]
    assert rows[0]["singular_values"] == sorted(rows[0]["singular_values"], reverse=True)
    assert rows[0]["singular_values"][-1] == pytest.approx(0, abs=1e-4)
    every = [word for word in options if word not in ("--layers", "layer:2")]
    rows = json.loads(works("analyse", "layers", *every, *specs))["rows"]
    found = [(row["layers"], row["calibrator"]) for row in rows]
    assert found == [(f"layer:{k}", spec) for k in range(4) for spec in ("identity", "whiten")]
    assert rows[1]["iso_score"] > rows[0]["iso_score"]


def test_each_command_names_its_figures(works, options, here):
    tiny = [word for word in options if word not in ("--layers", "layer:2")]
    works("analyse", "layers", *tiny, *SPECS, "--figures", "out")
    works("analyse", "sentences", *options, *SPECS, "--figures", "out")
    (here / "counts.txt").write_text("the 9\ncat 8\na 7\ndog 6\nmat 5\nred 4\n", encoding="utf-8")
    model = ("--model", options[1], "--counts", "counts.txt", "--bins", "0,2,6", "--k", "1,3")
    args = (*model, "--calibrator", "whiten", "--format", "json", "--figures", "out")
    found = json.loads(works("analyse", "words", *args))
    names = {path.stem for path in (here / "out").glob("[!.]*")}
    assert names == {
        *("measures_by_layer", "singular_spectra", "norms", "neighbour_distances"),
        *("judged", "likelihoods_standardize", "norm_against_rank"),
        *("mean_norm_by_bin", "knn_l2_1_by_bin", "knn_l2_3_by_bin", "knn_dot_1_by_bin"),
        *("knn_dot_3_by_bin", "coordinates"),
    }
    for name, measure in (("mean_norm_by_bin", "mean_norm"), ("knn_dot_3_by_bin", "knn_dot_3")):
        lines = drawn((here / "out" / f"{name}.html").read_text(encoding="utf-8"))
        sizes = [
            [row[measure] for row in found["rows"] if row["calibrator"] == spec]
            for spec in ("identity", "whiten")
        ]
        assert [line.get("customdata", line["y"]) for line in lines] == sizes
        if "customdata" in lines[0]:  # lines of different sizes are drawn from a common start
            courses = [[each / size[0] for each in size] for size in sizes]
            assert [line["y"] for line in lines] == courses
    assert "customdata" in drawn((here / "out" / "mean_norm_by_bin.html").read_text("utf-8"))[0]


def test_without_kaleido_one_sentence_says_what_to_install(
    refuses, options, no_embedding, monkeypatch
):
    monkeypatch.setitem(sys.modules, "kaleido", None)
    words = ("bertflow-lab[figures]", "html")
    args = ("--figures", "out", "--figure-format", "html", "--figure-format", "png")
    refuses("analyse", "sentences", *options, *args, words=words)


def test_pictures_are_drawn_and_carry_their_recipe(works, options, here, chromium):
    if chromium.find_browser(skip_local=False) is None:
        pytest.skip("no Chrome or Chromium is installed")
    forms = ("--figure-format", "svg", "--figure-format", "png")
    works("analyse", "spectrum", *options, *SPECS, "--figures", "out", *forms)
    picture = (here / "out" / "singular_spectra.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    for words in ("principal direction", "standardize", "120 sentences, of which"):
        assert words in picture
    png = (here / "out" / "singular_spectra.png").read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20]) == SCALE * WIDTH


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
