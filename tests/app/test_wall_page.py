"""The wall without a browser: what it lists when rows are selected or clicked, and believes."""

import base64
import re

import numpy as np
import pytest
from app_pages import button, check, endless, go, jobs, open_page, press, table, texts
from bertflow_app.browser.canvas import WallState, decode
from bertflow_app.pages.space import wall
from bertflow_app.work.jobs import State
from tiny_models import save_tiny_model
from waiting import wait_for

from bertflow_core.encoders.catalog import ANY_MODEL, MODELS_VARIABLE
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall import drawing
from bertflow_core.exhibits.wall.drawing import DrawnWall
from bertflow_core.exhibits.wall.nearest import neighbours_of
from bertflow_core.exhibits.wall.payload import header_of
from bertflow_core.exhibits.wall.recipe import WallRecipe
from bertflow_core.lab.recipe import Recipe

NEEDS_MINILM = True
"""Whose 384 features lose one to LayerNorm, which goes unsaid."""

BUTTON = "Build the spaces"
CHOICES = {"wall_layers": "layer:4", "wall_calibrators": "whiten"}


@pytest.fixture
def page():
    """The page with its wall, which the server keeps from one test to the next."""
    return press(open_page("wall", **CHOICES, wall_kept="true"), BUTTON)


def shown_wall():
    """Return the wall that the page drew."""
    return next(job.result.wall for job in jobs() if isinstance(job.result, DrawnWall))


def sent(rows=(), n=20, **changes):
    """Return what the browser sends of selected rows of n, made bit by bit."""
    number = sum(1 << row for row in rows)
    packed = base64.b64encode(number.to_bytes(-(-n // 8), "little")).decode()
    return {"ids": "rows", "selected": packed, "picked": None, **changes}


def report(page, *, selected=(), picked=None):
    """Report selected rows, or one that was clicked, as the browser does, and run the page."""
    header = header_of(page.get("bidi_component")[0].proto.bytes)
    found = sent(selected, header["n"], ids=header["ids"], picked=picked)
    page.session_state["wall"] = {"report": found}
    page.run()
    assert not page.exception


def test_it_says_what_is_shown_and_how_faithful_the_pictures_are(page):
    check(page, controls=15, pictures=1)
    fidelity = table(page, "Neighbours kept")
    assert fidelity["Pane"].tolist() == ["layer:4, identity", "layer:4, whiten"]
    assert fidelity["Distances in"][0] == "layer:4, identity (384 dims), cosine"
    assert fidelity["Neighbours kept"].str.contains("% of 15 \\(by chance").all()
    assert "All 740 different sentences of teaching" in texts(page)
    assert "word frequencies: vocabulary; at most 20,000 rows" in texts(page)
    assert "directions have no variance" not in texts(page)  # LayerNorm takes one of 384
    assert fidelity["Explained by the axes"].str.fullmatch(r"[\d.]+ % \+ [\d.]+ %").all()


def test_the_wall_is_offered_as_one_file(page):
    press(page, "The wall as one file")
    (save,) = [each for each in page.get("download_button") if "wall.html" in each.proto.label]
    assert save.proto.label.startswith("Save wall.html (0.")
    assert "A region is named by the words" in texts(page)
    (job,) = [job for job in jobs() if hasattr(job.result, "html")]
    assert "--calibrator whiten" in job.result.html
    assert shown_wall().texts[0] not in job.result.html  # it stands in the payload alone


def test_a_click_lists_the_nearest_in_the_full_space_of_every_pane(page):
    report(page, picked=7)
    wall = shown_wall()
    listed = [each.value for each in page.dataframe if "cosine" in each.value]
    for shown, pane in zip(listed, neighbours_of(wall, 7), strict=True):
        assert shown["Text"].tolist() == [wall.texts[i] for i in (*pane.rows, *pane.left)]
        assert shown["cosine"][:10].tolist() == [f"{value:.3f}" for value in pane.values]
        came = ["" if stayed else "came" for stayed in pane.stayed]
        assert shown["Change"].tolist() == [*came, *["left"] * len(pane.left)]
    assert wall.texts[7] in texts(page)


def test_a_selection_is_a_table_with_every_column(page):
    report(page, selected=[0, 4, 9])
    listed, wall = table(page, "norm (L2), layer:4, identity"), shown_wall()
    assert listed["id"].tolist() == [0, 4, 9]
    assert listed["text"].tolist() == [wall.texts[i] for i in (0, 4, 9)]
    norms = np.linalg.norm(wall.spaces[0].z[[0, 4, 9]], axis=1)
    np.testing.assert_allclose(listed["norm (L2), layer:4, identity"], norms, rtol=1e-4)


def test_a_second_model_opens_a_pane_of_each_and_the_ten_that_moved_most(tmp_path, monkeypatch):
    monkeypatch.setenv(MODELS_VARIABLE, ANY_MODEL)
    other = str(save_tiny_model(tmp_path / "other", "bert"))
    page = go(open_page("plane", second_model=other, layers="model"), "wall")
    page.multiselect(key="wall_calibrators").set_value([]).run()
    page = press(page, BUTTON)
    badges = table(page, "Distances in")["Distances in"].tolist()
    assert badges == [f"model, identity ({width} dims), cosine" for width in (384, 16)]
    moved = table(page, "Nearest in other")
    assert len(moved) == 10 and moved["Shared"].str.endswith(" of 10").all()
    assert re.search(r"10 nearest neighbours in .*, other keeps [\d.]+ on average", texts(page))


def test_what_no_pane_depends_on_does_not_build_the_wall_again():
    def key(**changes):
        base = Recipe(dataset="teaching").with_(**changes)
        asked = WallRecipe(base=base, layers=("layer:4",), calibrators=("whiten",))
        return wall.spaces(asked).key

    assert key() == key(layers="last", aggregation="mean", calibrator="flow")
    assert key() != key(seed=1)


def test_words_can_be_the_rows_too():
    page = open_page("wall", wall_rows="words", wall_calibrators="whiten", bins="0,60")
    press(page, BUTTON)
    assert table(page, "Pane")["Pane"].tolist() == ["raw, identity", "raw, whiten"]
    report(page, selected=[2])
    assert table(page, "text")["id"].tolist() == [2]


def test_pca_stands_in_for_umap_while_that_lays_out(monkeypatch):
    draw = drawing.draw_wall

    def slow(wall, picture, count_kept=False):
        if picture.method == "umap":
            endless()
        return draw(wall, picture, count_kept)

    monkeypatch.setattr(drawing, "draw_wall", slow)
    before = sum(each.state is State.DONE for each in jobs())
    page = open_page("wall", **CHOICES, wall_method="umap", seed=9)
    button(page, BUTTON).click().run()
    for n_done in (1, 2):  # the spaces, then PCA; UMAP begins by itself and goes on
        wait_for(lambda n=n_done: sum(each.state is State.DONE for each in jobs()) >= before + n)
        page.run()
    assert "PCA, centred; cosine" in texts(page)
    assert table(page, "Neighbours kept")["Explained by the axes"].str.contains("%").all()
    button(page, "Stop").click().run()
    assert not page.exception


def test_a_selection_comes_back_as_rising_row_numbers():
    assert decode(sent([19, 0, 8, 7]), 20, "rows") == WallState((0, 7, 8, 19))
    assert decode(sent(picked=19), 20, "rows") == WallState(None, 19)


@pytest.mark.parametrize("nothing", [None, sent(ids="other rows"), sent()])
def test_silence_and_reports_on_other_rows_select_nothing(nothing):
    assert decode(nothing, 20, "rows") == WallState()


SELECTED = ("", "AAA", "AAAAAAAA", "A*A=", "é" * 4, "AA==", [1, 2], True)
PICKED = (20, -1, 1.0, True, "1")


@pytest.mark.parametrize(
    "hostile",
    [
        *(sent(selected=each) for each in SELECTED),
        sent(selected="AAD/"),  # rows 20 to 23 of 20
        *(sent(picked=each) for each in PICKED),
        *(sent(ids=None), {"ids": 3}, {}, [], "rows", 7),
    ],
    ids=str,
)
def test_a_hostile_report_is_refused_in_a_sentence(hostile):
    with pytest.raises(InputError, match="reload the page"):
        decode(hostile, 20, "rows")
