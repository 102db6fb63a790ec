"""Words or meaning? in a browser: linked panels, and the pairs that are taken from them."""

from canvas_pages import downloaded, held, lasso, wait_until
from lab_pages import press, settle


def test_a_colour_or_a_lasso_gives_its_pairs_in_every_panel(visit, faults):
    page = visit("/lexical?calibrators=whiten")
    page.get_by_role("tab", name="Words or meaning?", exact=True).wait_for()
    settle(page)
    press(page, "Compare with edit distance")
    page.locator("[data-ready]").wait_for()
    settle(page)
    assert page.locator(".wall").get_by_role("application").count() == 3  # gold, identity, whiten
    page.get_by_role("button", name="edit distance <= 4").click()
    wait_until(page, "selected", r"^[1-9]")
    pairs = downloaded(page, "Save the pairs")
    assert len(pairs) == int(held(page, "selected"))
    assert all(int(pair["edit_distance"]) <= 4 for pair in pairs)
    assert pairs[0]["recipe_unit"] == "treebank"
    assert not faults(page, schemes=["dark"])
    close = len(pairs)
    lasso(page, [(0.09, 0.2), (0.3, 0.2), (0.3, 0.5), (0.09, 0.5)])
    wait_until(page, "selected", f"^(?!{close}$)[1-9]")
    pairs = downloaded(page, "Save the pairs")
    assert len(pairs) == int(held(page, "selected"))
    assert max(int(pair["edit_distance"]) for pair in pairs) > 4  # the upper half of the panel
