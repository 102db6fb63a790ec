"""A wall as one file in a browser, from disk: neighbours, lists and texts without any server."""

import csv
from pathlib import Path

import numpy as np
import pytest
from lab_pages import drag, inside, quiet_page, wait_for
from scipy.spatial.distance import cdist
from tiny_walls import tiny_wall

from bertflow_core.studies.wall.drawing import draw_wall
from bertflow_core.studies.wall.page import wall_page
from bertflow_core.studies.wall.recipe import Picture

N = 40
RNG = np.random.default_rng(3)
SPACES = [RNG.normal(size=(N, 5)), RNG.normal(size=(N, 4))]
HOSTILE = "<img src=x onerror='window.hacked=1'>"


@pytest.fixture(scope="module")
def wall():
    return tiny_wall(SPACES, texts=[*map(str, range(N - 1)), HOSTILE])


@pytest.fixture
def page(wall, browser, tmp_path):
    """The file, opened."""
    file = tmp_path / "wall.html"
    file.write_text(wall_page(draw_wall(wall, Picture(metric="l2"))).html, encoding="utf-8")
    with quiet_page(browser) as page:
        page.goto(file.as_uri())
        page.locator(".wall[data-ready]").wait_for()
        yield page


def picked(page):
    return int(page.locator(".wall").get_attribute("data-picked"))


def listed(page):
    """Return the texts listed as neighbours, a list per pane."""
    lists = page.locator(".lists ol").all()
    return [each.locator("button").all_text_contents() for each in lists]


def expected(wall, row):
    distances = [cdist(z[[row]], z)[0] for z in SPACES]
    return [[wall.texts[i] for i in np.argsort(each)[1:11]] for each in distances]


def test_a_picked_row_has_its_neighbours_of_the_full_space_and_a_click_goes_on(page, wall, faults):
    page.get_by_role("application").first.focus()
    page.keyboard.press("Enter")
    wait_for(lambda: page.locator(".lists ol").count() == 2)
    first = picked(page)
    assert listed(page) == expected(wall, first)
    near, far = expected(wall, first)
    assert page.locator(".lists strong").count() == len(set(far) - set(near))
    page.locator(".lists ol").nth(1).get_by_role("button").first.click()
    wait_for(lambda: picked(page) != first)
    assert wall.texts[picked(page)] == far[0]
    assert listed(page) == expected(wall, picked(page))
    assert page.locator(".wall").get_attribute("data-lit") == "10 10"
    assert faults(page, schemes=["light"]) == []


def test_a_lasso_lists_its_rows_and_saves_them(page, wall):
    page.get_by_role("searchbox").fill("onerror")
    page.get_by_text("1 found").wait_for()
    assert page.locator(".rows li").all_text_contents() == [HOSTILE]
    pane = page.get_by_role("application").first
    corners = [(0.01, 0.01), (0.9, 0.01), (0.9, 0.99), (0.01, 0.99)]
    drag(page, *(inside(pane, x, y) for x, y in corners))
    wait_for(lambda: page.locator(".rows li").count() > 1)
    texts = page.locator(".rows li").all_text_contents()
    with page.expect_download() as found:
        page.get_by_role("button", name="Save the rows (CSV)").click()
    text = Path(found.value.path()).read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["text"] for row in rows] == texts
    norms = np.linalg.norm(SPACES[1].astype(np.float32), axis=1)
    for row in rows:
        assert float(row["norm (L2), layer:1, identity"]) == pytest.approx(norms[int(row["row"])])
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("Draw a lasso, search").wait_for()
