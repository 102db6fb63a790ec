"""What holds of every page in a real browser: wide by dark, narrow by light."""

from urllib.parse import urlencode

import pytest
from bertflow_app.navigation import PAGES, VIEWS, page_of, tab_of
from lab_pages import settle

WIDTHS = {1280: "dark", 390: "light"}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_opens_wide_and_narrow_without_a_fault(visit, faults, view):
    address = "" if view == "start" else page_of(view)
    page = visit(f"/{address}?{urlencode(tab_of(view))}")
    errors = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.get_by_role("heading", level=1).wait_for()
    settle(page)
    for width, scheme in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        assert page.get_by_role("heading", level=1).count() == 1
        assert page.get_by_text("Something went wrong").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert faults(page, schemes=[scheme]) == []
    for title in PAGES[page_of(view)].views.values():
        assert page.get_by_role("tab", name=title, exact=True).count() == 1
    assert [each for each in errors if "404" not in each] == []  # Streamlit guesses its base path
