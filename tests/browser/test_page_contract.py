"""What holds of every page in a real browser: wide and narrow, by light and by dark."""

from bertflow_app.navigation import PAGES
from lab_pages import drawn, go_page, go_tab

FITS = "width => document.documentElement.scrollWidth <= width"


def test_every_view_opens_wide_and_narrow_without_a_fault(visit, faults):
    page = visit("/")
    errors = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    drawn(page)  # a theme that changes while a page loads is not followed
    assert faults(page) == []
    for name, each in PAGES.items():
        go_page(page, name)
        assert faults(page, schemes=["dark"], part="[data-testid=stMain]") == [], name
        for view in each.views or [name]:
            if view in each.views:
                go_tab(page, view)
            assert page.get_by_role("heading", level=1).count() == 1, view
            assert page.get_by_text("Something went wrong").count() == 0, view
            assert page.evaluate(FITS, 1280), view
            page.set_viewport_size({"width": 390, "height": 900})
            page.wait_for_function(FITS, arg=390)
            assert faults(page, schemes=["light"], part="[data-testid=stMain]") == [], view
            page.set_viewport_size({"width": 1280, "height": 900})
            assert errors == [], view
