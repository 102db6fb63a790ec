"""The flow on the plane in a real browser: it moves by itself, and a visitor takes it apart."""

import re

from lab_pages import drag, inside, moves, picture, wait_for

CHOICE = "moons-additive-2-8-0.003-1"


def steps(page):
    return int(page.locator(".flow-view").get_attribute("data-steps"))


def press(page, name):
    page.locator(".flow-view").get_by_role("button", name=name, exact=True).click()


def formula(page):
    """Return x2, m(x1) and z2 of the opened coupling."""
    line = page.locator(".formula div").nth(1).inner_text().replace("\N{MINUS SIGN}", "-")
    return [float(text) for text in re.findall(r"-?\d+\.\d+", line)]


def test_the_plane_moves_by_itself_is_taken_apart_and_takes_points_drawn_by_hand(visit):
    page = visit(f"/inside?plane={CHOICE}")
    page.locator(".flow-view[data-steps]").wait_for()
    canvas = page.locator(".flow-view > canvas")
    moves(canvas)
    press(page, "One step")  # which pauses, and the training may have ended too
    page.get_by_label("Speed").select_option("fast")
    press(page, "Train")
    begun = steps(page)
    wait_for(lambda: steps(page) > begun)
    press(page, "Pause")
    page.get_by_role("button", name="Train", exact=True).wait_for()
    before, still = steps(page), picture(canvas)
    press(page, "One step")
    wait_for(lambda: steps(page) == before + 1)
    assert picture(canvas) != still

    page.get_by_role("button", name="Open layer 3: additive coupling").click()
    below = page.locator(".flow-view output.below")
    below.get_by_text("after layer 3 of 6, additive coupling", exact=True).wait_for()
    x2, m, z2 = formula(page)
    assert abs(x2 + m - z2) < 0.002
    assert page.get_by_text("= 1.000, whatever m is").is_visible()

    # A place of the right square, after three layers, goes back to the data and is in the formula.
    canvas.scroll_into_view_if_needed()
    was = picture(canvas)
    drag(page, inside(canvas, 0.8, 0.15), inside(canvas, 0.85, 0.25))
    wait_for(lambda: formula(page) != [x2, m, z2])
    assert picture(canvas) != was
    moved = formula(page)
    canvas.press("ArrowRight")
    wait_for(lambda: formula(page) != moved)

    press(page, "Play back")
    below.get_by_text("data space, before the first layer").wait_for()
    page.get_by_label("Points", exact=True).select_option("draws")
    press(page, "Play")
    below.get_by_text("latent space").wait_for()

    # Points that are drawn by hand are fitted, and the address holds the choice.
    page.get_by_text("Other points, another flow").click()
    page.get_by_label("Shape").select_option("drawn")
    page.get_by_text("Drag over the left square").wait_for()
    page.wait_for_url("**plane=drawn-additive-2-8-0.003-1**")
    canvas.press("ArrowUp")
    canvas.press("Space")  # four points, too few for a fit
    page.get_by_text("4 points drawn by hand").wait_for()
    canvas.scroll_into_view_if_needed()
    drag(page, inside(canvas, 0.1, 0.15), inside(canvas, 0.2, 0.3), inside(canvas, 0.3, 0.4))
    page.get_by_text("40 points drawn by hand").wait_for()
    wait_for(lambda: steps(page) > 5)
