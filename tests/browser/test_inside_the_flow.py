"""The flow on the plane in a real browser: it moves while it fits, and nobody else waits."""

import time
import urllib.request

import pytest

WATCHED = "/inside?shape=ring&toy_depth=4&toy_n_steps=4000&toy_seed=5"
QUICK = "/inside?shape=two+blobs&toy_depth=2&toy_width=8&toy_n_steps=250"

FIRST_MS = 120_000
"""The first fit of a server waits until torch and transformers are imported."""

THUMBS = [("color-contrast", f"<p>{value}</p>") for value in ("0.0030", "250")]
"""Streamlit writes a slider's value in the theme's colour, which is faint on its dark ground."""


def fit(page):
    page.get_by_role("button", name="Fit", exact=True).click()
    page.locator(".flow-view[data-states]").wait_for(timeout=FIRST_MS)


def states(page):
    return int(page.locator(".flow-view").get_attribute("data-states"))


def rest(page):
    """Wait until the fit is over and its layers have come."""
    page.get_by_role("button", name="Stop").wait_for(state="detached")
    page.locator(".flow-view button:enabled", has_text="Back").wait_for()


def terms(page):
    return page.get_by_text("and log p(x) =").inner_text()


def picture(page):
    return page.locator(".flow-view canvas").evaluate("canvas => canvas.toDataURL()")


@pytest.fixture
def rested(visit):
    page = visit(QUICK)
    fit(page)
    rest(page)
    return page


def test_states_stream_while_it_fits_and_other_visitors_are_answered(visit, server):
    page = visit(WATCHED)
    fit(page)
    before, began = states(page), time.monotonic()
    drawn = set()
    while len(drawn) < 5:
        drawn.add(picture(page))
        assert page.get_by_role("button", name="Stop").count() == 1  # it still fits
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=5) as answer:
            assert answer.status == 200
        page.wait_for_timeout(400)
    a_second = (states(page) - before) / (time.monotonic() - began)
    assert a_second >= 2
    other = visit("/")
    other.get_by_test_id("stMain").get_by_role("heading").first.wait_for()
    assert page.get_by_role("button", name="Stop").count() == 1  # it still fits
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped. The fit so far is below").wait_for()
    assert states(page) > before


def test_a_click_shows_the_terms_of_its_place(rested):
    first, drawn = terms(rested), picture(rested)
    rested.locator(".flow-view canvas").click(position={"x": 120, "y": 90})
    rested.get_by_text(first, exact=True).wait_for(state="detached")
    assert terms(rested) != first
    assert picture(rested) != drawn


def test_an_arrow_key_moves_the_place(rested):
    first = terms(rested)
    rested.locator(".flow-view canvas").press("ArrowRight")
    rested.get_by_text(first, exact=True).wait_for(state="detached")


def test_layers_go_back_and_forward(rested):
    text = rested.locator(".flow-view output.below")
    assert text.inner_text().startswith("after layer 6 of 6")
    latent = picture(rested)
    for name in ("Back", "Back", "Forward"):
        rested.get_by_role("button", name=name, exact=True).click()
        rested.wait_for_timeout(100)
    assert text.inner_text() == "after layer 5 of 6, flow step 2: reversal"
    assert picture(rested) != latent
    rested.get_by_role("button", name="Forward", exact=True).click()
    text.get_by_text("latent space").wait_for()
    assert picture(rested) == latent


def test_the_fit_is_scrubbed_and_its_layers_follow(rested):
    end = rested.locator(".flow-view output").first.inner_text()
    assert end.startswith("step 250")
    rested.get_by_label("State of the fit").press("Home")
    rested.get_by_text("after step 0:").wait_for()
    assert rested.locator(".flow-view output").first.inner_text().startswith("step 0,")
    rested.locator(".flow-view button:enabled", has_text="Back").wait_for()


def test_points_can_be_drawn_with_the_mouse_and_with_keys(visit):
    page = visit("/inside?shape=drawn+by+you&toy_depth=1&toy_width=4&toy_n_steps=250")
    pad = page.locator(".pad canvas")
    box = pad.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 120, steps=8)
    page.mouse.up()
    page.get_by_text("36 of at most 2,000 points").wait_for()
    pad.press("Space")
    page.get_by_text("40 of at most 2,000 points").wait_for()
    page.get_by_text("press Fit").wait_for()
    fit(page)
    rest(page)
    assert "after step 250" in terms(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_is_accessible(visit, faults, scheme):
    page = visit(QUICK, scheme=scheme)
    fit(page)
    rest(page)
    assert [fault for fault in faults(page) if fault not in THUMBS] == []
