"""The browser's Back and Forward on the wall, where each selection is an address of its own."""

import re

from canvas_pages import downloaded, held, wait_until
from lab_pages import press, sees, settle

LINKED = "A link to this page now selects these rows."


def test_back_and_forward_select_what_their_address_names(visit):
    page = visit("/wall?wall_layers=layer:4&wall_calibrators=standardize")
    page.get_by_role("tab", name="The wall", exact=True).wait_for()
    settle(page)
    press(page, "Build the spaces")
    page.locator("[data-ready]").wait_for()
    settle(page)
    found = {}
    for word in ("dog", "woman"):
        page.get_by_placeholder("Words in the text").fill(word)
        before = "|".join(map(str, ["0", *map(len, found.values())]))
        wait_until(page, "selected", f"^(?!({before})$)[1-9]")
        found[word] = [row["id"] for row in downloaded(page, "Save the rows")]
    assert len(found["dog"]) != len(found["woman"])
    sees(page, LINKED)

    page.go_back()
    wait_until(page, "selected", f"^{len(found['dog'])}$")
    assert [row["id"] for row in downloaded(page, "Save the rows")] == found["dog"]
    sees(page, LINKED)
    page.go_back()
    wait_until(page, "selected", "^0$")
    assert "wall_selected" not in page.url
    assert page.get_by_text("A link to this page").count() == 0
    for word in found:
        page.go_forward()
        wait_until(page, "selected", f"^{len(found[word])}$")
        assert [row["id"] for row in downloaded(page, "Save the rows")] == found[word]
    sees(page, LINKED)

    page.locator("summary", has_text="Choices").click()
    # The canvas is away while the picture is drawn anew.
    page.locator("label", has_text=re.compile("^svd$")).click()
    page.wait_for_url(lambda url: "wall_method=svd" in url and "wall_selected" in url)
    settle(page)
    page.locator("[data-ready]").wait_for()
    wait_until(page, "selected", f"^{len(found['woman'])}$")
    page.go_back()
    wait_until(page, "selected", f"^{len(found['dog'])}$")
    assert held(page, "ready")
