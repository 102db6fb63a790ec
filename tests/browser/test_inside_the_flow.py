"""The flow on the plane in a real browser: it moves while it fits, and nobody else waits."""

from lab_pages import pause, sees
from waiting import wait_for

WATCHED = "/inside?shape=ring&toy_depth=12&toy_width=64&toy_n_steps=5000&toy_seed=5"
QUICK = "/inside?shape=two+blobs&toy_depth=2&toy_width=8&toy_n_steps=250"

THUMBS = [("color-contrast", f"<p>{value}</p>") for value in ("0.0030", "250")]
"""Streamlit writes a slider's value in the theme's colour, which is faint on its dark ground."""


def fit(page):
    page.get_by_role("button", name="Fit", exact=True).click()
    page.locator(".flow-view[data-states]").wait_for()


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


def still_fits(page):
    return page.get_by_role("button", name="Stop").count() == 1


def test_states_stream_while_it_fits_and_other_visitors_are_answered(visit, server):
    page = visit(WATCHED)
    fit(page)
    before, drawn = states(page), set()

    def has_moved():
        drawn.add(picture(page))
        assert still_fits(page)
        return len(drawn) >= 5

    wait_for(has_moved, every=0.3)
    assert server.is_healthy()
    other = visit("/")
    other.get_by_test_id("stMain").get_by_role("heading").first.wait_for()
    assert still_fits(page)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()
    page.get_by_role("button", name="Stop").click()
    sees(page, "Stopped. The fit so far")
    assert states(page) > before


def test_what_was_fitted_can_be_asked_walked_through_and_scrubbed(visit, faults):
    page = visit(QUICK)
    fit(page)
    rest(page)
    canvas = page.locator(".flow-view canvas")
    above, below = page.locator(".flow-view output").first, page.locator(".flow-view output.below")

    first, drawn = terms(page), picture(page)
    canvas.click(position={"x": 120, "y": 90})
    page.get_by_text(first, exact=True).wait_for(state="detached")
    assert terms(page) != first
    assert picture(page) != drawn
    first = terms(page)
    canvas.press("ArrowRight")
    page.get_by_text(first, exact=True).wait_for(state="detached")

    rest(page)
    assert below.inner_text().startswith("after layer 6 of 6")
    latent = picture(page)
    for name in ("Back", "Back", "Forward"):
        page.get_by_role("button", name=name, exact=True).click()
        pause(page, 100)
    assert below.inner_text() == "after layer 5 of 6, flow step 2: reversal"
    assert picture(page) != latent
    page.get_by_role("button", name="Forward", exact=True).click()
    below.get_by_text("latent space").wait_for()
    wait_for(lambda: picture(page) == latent)

    assert [fault for fault in faults(page) if fault not in THUMBS] == []

    assert above.inner_text().startswith("step 250")
    page.get_by_label("State of the fit").press("Home")
    sees(page, "after step 0:")
    assert above.inner_text().startswith("step 0,")
    page.locator(".flow-view button:enabled", has_text="Back").wait_for()


def test_points_can_be_drawn_with_the_mouse_and_with_keys(visit):
    page = visit("/inside?shape=drawn+by+you&toy_depth=1&toy_width=4&toy_n_steps=250")
    pad = page.locator(".pad canvas")
    box = pad.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 120, steps=8)
    page.mouse.up()
    sees(page, "36 of at most 2,000 points")
    pad.press("Space")
    sees(page, "40 of at most 2,000 points")
    sees(page, "press Fit")
    fit(page)
    rest(page)
    assert "after step 250" in terms(page)
