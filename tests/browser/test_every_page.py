"""Every page in a real browser: wide and narrow, by light and by dark; pictures move and answer."""

import re

import pytest
from bertflow_app import services
from bertflow_app.navigation import PAGES
from lab_pages import drag, drawn, go_page, go_tab, inside, moves, picture, press, wait_for

from bertflow_core.datasets import load_dataset

WIDE, NARROW = 1280, 390
FITS = "width => document.documentElement.scrollWidth <= width"


@pytest.mark.parametrize("by_axe", [False, pytest.param(True, marks=pytest.mark.gate)])
def test_every_view_opens_wide_and_narrow_without_a_fault(visit, faults, by_axe):
    """The gate looks at each view by axe, and this test at the first page alone."""
    page = visit("/")
    drawn(page)  # a theme that changes while a page loads is not followed
    assert faults(page) == []
    for name, each in PAGES.items():
        page.set_viewport_size({"width": WIDE, "height": 900})
        go_page(page, name)
        if by_axe:
            assert faults(page, schemes=["dark"], part="[data-testid=stMain]") == [], name
        widths = [WIDE, NARROW]
        for view in each.views or [name]:
            if view in each.views:
                go_tab(page, view)
            wait_for(lambda: page.get_by_role("heading", level=1).count() == 1, what=view)
            assert page.get_by_text("Something went wrong").count() == 0, view
            for width in widths:  # the next view begins at the width that this one ends with
                page.set_viewport_size({"width": width, "height": 900})
                page.wait_for_function(FITS, arg=width)
                if by_axe and width == NARROW:
                    assert faults(page, schemes=["light"], part="[data-testid=stMain]") == [], view
            widths.reverse()
            assert visit.errors == [], view


def test_the_pair_that_is_pointed_at_is_marked_on_every_sphere(visit):
    page = visit("/")
    view = page.locator(".cone[data-pair]")
    view.wait_for()
    cone = services.shipped("cone")
    low, high = load_dataset("captions").scale
    assert low == 0
    raw = services.shipped("language-model-cone")
    shown = [raw.row(layers="model", calibrator=each) for each in ("identity", "flow")]
    shown.append(cone.row(layers="model", calibrator="identity"))

    def says(pair):
        first, second, grade = cone.facts["pairs"][pair]
        sentences = f"“{first}” and “{second}”: gold score {grade:g} of {high:g}"
        angles = [f"{each['pair_angles'][pair]:.0f}°" for each in shown]
        spoken = view.locator("p.spoken").text_content()
        captions = view.locator("figcaption").all_inner_texts()
        return (
            view.locator("p.pair").inner_text() == sentences
            and [caption.splitlines()[1].split()[0] for caption in captions] == angles
            and (pair == least_alike or all(angle in spoken for angle in (sentences, *angles)))
        )

    grades = [grade for *_, grade in cone.facts["pairs"]]
    least_alike = grades.index(min(grades))
    wait_for(lambda: says(least_alike))
    view.locator(".spheres").press("ArrowRight")
    wait_for(lambda: says((least_alike + 1) % len(grades)))
    view.locator(".spheres").press("ArrowLeft")
    wait_for(lambda: says(least_alike))

    spheres = view.locator("canvas").all()
    before = [picture(sphere) for sphere in spheres]
    page.mouse.move(*inside(spheres[2], 0.5, 0.6), steps=3)
    wait_for(lambda: view.get_attribute("data-pair") != str(least_alike))
    pair = int(view.get_attribute("data-pair"))
    wait_for(lambda: says(pair))
    assert all(picture(sphere) != was for sphere, was in zip(spheres, before, strict=True))


def test_layers_are_stepped_and_a_pressed_bar_leaves_its_coordinate_out(visit):
    page = visit("/space")
    view = page.locator(".depth[data-layer]")
    view.wait_for()

    def has(name):
        return float(view.get_attribute(f"data-{name}"))

    sphere, slider = view.locator(".spheres canvas"), view.get_by_role("slider")
    middle, narrow, seen = has("layer"), has("cosine"), picture(sphere)
    assert narrow > 0.99
    slider.press("ArrowRight")
    wait_for(lambda: has("layer") == middle + 1)
    slider.fill("6")
    wait_for(lambda: has("layer") == 6)
    assert view.locator("figcaption strong").inner_text() == "smollm2, layer 6"
    wait_for(lambda: picture(sphere) != seen)
    rho, kept = has("rho"), has("cosine")
    bars = view.locator(".bar")
    assert bars.count() == 10
    for place in (0, 1):
        bars.nth(place).press("Enter")
        wait_for(lambda place=place: bars.nth(place).get_attribute("aria-pressed") == "true")
    wait_for(lambda: has("cosine") < kept - 0.1)
    assert view.get_by_role("button", pressed=True, name="Leave out the largest 2").is_visible()
    press(page, "Subtract the mean")
    wait_for(lambda: has("rho") > rho + 0.1)
    assert abs(has("cosine")) < 0.05
    changed = view.locator(".changed button")
    assert changed.count() == 2
    marked = view.get_attribute("data-pair")
    changed.first.press("Enter")
    wait_for(lambda: view.get_attribute("data-pair") != marked)
    press(page, "Play")
    wait_for(lambda: has("layer") > 6)
    press(page, "Pause")


def test_the_stored_training_is_played_stepped_and_scrubbed(visit):
    page = visit("/how?how_tab=How+a+cone+forms")
    view = page.locator(".newborn[data-frames='41']")
    view.wait_for()
    said, words = view.locator("output"), view.locator(".words")
    said.get_by_text(re.compile("^step 200: mean cosine of two words 0.7")).wait_for()
    end = picture(words)
    press(page, "Back")
    said.get_by_text(re.compile("^step 195:")).wait_for()
    assert picture(words) != end
    view.get_by_role("slider").fill("2")
    said.get_by_text(re.compile("^step 10:")).wait_for()
    words.press("ArrowLeft")
    said.get_by_text(re.compile("^step 5:")).wait_for()
    press(page, "Play")
    wait_for(lambda: float(view.get_attribute("data-position")) > 3)
    press(page, "Back")  # which pauses, and the end may be reached too
    still = view.get_attribute("data-position")
    press(page, "Forward")
    wait_for(lambda: float(view.get_attribute("data-position")) > float(still))

    view.get_by_role("slider").fill("40")
    words.scroll_into_view_if_needed()
    bare = picture(words)
    page.mouse.move(*inside(words, 0.5, 0.1))
    wait_for(lambda: picture(words) != bare)
    assert ": " in words.get_attribute("aria-label") or "never" in words.get_attribute("aria-label")


def steps(page):
    return int(page.locator(".flow-plane").get_attribute("data-steps"))


def formula(page):
    """Return x2, m(x1) and z2 of the opened coupling."""
    line = page.locator(".formula div").nth(1).inner_text().replace("\N{MINUS SIGN}", "-")
    return [float(text) for text in re.findall(r"-?\d+\.\d+", line)]


def test_the_plane_moves_by_itself_is_taken_apart_and_takes_points_drawn_by_hand(visit):
    page = visit("/how?how_tab=A+flow+on+the+plane&plane=moons-additive-2-8-0.003-1")
    page.locator(".flow-plane[data-steps]").wait_for()
    canvas = page.locator(".flow-plane > canvas")
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
    below = page.locator(".flow-plane output.below")
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
