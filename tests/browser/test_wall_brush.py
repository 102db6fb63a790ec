"""The wall in a browser: brush, search, click, colour and export, as a visitor does them."""

from canvas_pages import downloaded, held, lasso, wait_until
from lab_pages import press, sees, settle, shoot


def test_one_brush_through_every_pane(visit, faults):
    page = visit("/wall?wall_layers=layer:4&wall_calibrators=whiten")
    page.get_by_role("tab", name="The wall", exact=True).wait_for()
    settle(page)
    press(page, "Build the spaces")
    page.locator("[data-ready]").wait_for()
    settle(page)
    n = int(held(page, "ready"))
    lasso(page, [(0.04, 0.2), (0.25, 0.2), (0.25, 0.9), (0.04, 0.9)])
    wait_until(page, "selected", r"^[1-9]")
    some = int(held(page, "selected"))
    assert 0 < some < n
    rows = downloaded(page, "Save the rows")
    assert len(rows) == some
    assert {"id", "text", "recipe", "norm (L2), layer:4, whiten"} <= set(rows[0])

    page.get_by_placeholder("Words in the text").fill("dog")
    wait_until(page, "selected", f"^(?!{some}$)")
    rows = downloaded(page, "Save the rows")
    assert len(rows) == int(held(page, "selected")) > 0
    assert all("dog" in row["text"].lower() for row in rows)
    page.get_by_role("combobox", name="Colour").select_option("norm")
    wait_until(page, "colour", "^norm")
    assert len(downloaded(page, "Save the rows")) == len(
        rows
    )  # another colour selects nothing else
    assert not faults(page, schemes=["light"])
    shoot(page, "wall.png")

    page.locator(".wall").get_by_role("application").first.focus()
    page.keyboard.press("Enter")  # the row nearest to the cross-hair
    wait_until(page, "picked", r"^\d")
    sees(page, "nearest by cosine in the full space")
    assert page.get_by_test_id("stDataFrame").count() >= 2

    with page.expect_download() as found:
        press(page, "Save picture (PNG)")
    with open(found.value.path(), "rb") as stream:
        assert stream.read(8) == b"\x89PNG\r\n\x1a\n"
