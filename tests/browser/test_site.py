"""The static pages in a browser, from disk: they ask for no more."""

import pytest
from lab_pages import moves, quiet_page, wait_for
from tiny_models import MAX_TOKENS
from tiny_pairs import write_pairs

from bertflow_core.cli import main
from bertflow_core.studies.site import run as site
from bertflow_core.studies.tour.lesson import stored_lesson
from bertflow_core.studies.tour.page import lesson_page

MANY = 4_000_000
"""Bytes of a page beside Plotly's script, which alone takes more."""


def run(*words):
    with pytest.raises(SystemExit) as left:
        main(["site", *map(str, words)])
    return left.value.code


@pytest.fixture(scope="module")
def made(tmp_path_factory, tiny_bert):
    """The folder of a site, and the command that made it."""
    folder = tmp_path_factory.mktemp("site")
    words = (
        *("--dataset", write_pairs(folder / "pairs.csv"), "--model", tiny_bert, "--device", "cpu"),
        *("--layers", "layer:2", "--max-length", MAX_TOKENS, "--out", folder / "pages"),
    )
    with pytest.MonkeyPatch.context() as patch:  # the tour's numbers have tests of their own
        patch.setattr(site, "compute_tour", lambda *_, **__: stored_lesson())
        patch.setattr(site, "versions", lambda: "wall-maker 9")
        assert run(*words) == 0
    return folder / "pages", words


@pytest.fixture
def page(browser):
    with quiet_page(browser) as page:
        yield page


def test_the_pages_live_without_a_server_and_ask_for_nothing(made, page, faults):
    address = made[0].as_uri()
    page.goto(f"{address}/index.html")
    assert page.get_by_role("listitem").count() == 5

    page.get_by_role("link", name="Inside a flow").click()
    canvas = page.locator(".flow-view > canvas")
    moves(canvas, times=4)
    page.get_by_text("Other points, another flow").click()
    page.get_by_label("Shape").select_option("ring")
    page.wait_for_url("**#ring-additive-4-16-0.003-0")
    page.set_viewport_size({"width": 390, "height": 900})
    wait_for(lambda: canvas.bounding_box()["width"] < 390)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})

    page.get_by_role("link", name="All pages").click()
    page.get_by_role("link", name="The wall of sentences").click()
    page.locator(".wall[data-ready]").wait_for()
    assert page.get_by_role("application").count() == 4
    page.get_by_role("searchbox").fill("dog")
    page.get_by_text("found").wait_for()
    assert int(page.locator(".wall").get_attribute("data-selected")) > 0
    assert faults(page, schemes=["light"]) == []

    page.goto(f"{address}/words.html")
    page.locator(".wall[data-ready]").wait_for()
    assert page.get_by_role("application").count() == 2
    page.goto(f"{address}/newborn.html")
    moves(page.locator(".newborn canvas.words"), times=3)
    page.get_by_role("button", name="Back").click()


def test_pages_are_small_made_again_and_nothing_else_is_replaced(made, capsys):
    folder, words = made
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert len(sizes) == 6
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert f"Walls: wall-maker 9. Tour: {stored_lesson().versions}." in index
    assert all(size < MANY for name, size in sizes.items() if name != "tour.html")
    tour = (folder / "tour.html").read_text(encoding="utf-8")  # test_tour.py opens one from disk
    assert tour == lesson_page(stored_lesson())
    (folder / "wall.html").write_text("<!DOCTYPE html><title>My thesis</title>", encoding="utf-8")
    assert run(*words) == 2
    assert "is no page of this program: choose another folder" in capsys.readouterr().err
    assert run(*words[:-1], words[1]) == 2
    assert "is no folder" in capsys.readouterr().err
