"""What holds of every page in a real browser: wide and narrow, by light and by dark."""

from bertflow_app.navigation import PAGES
from lab_pages import drawn, go_page, go_tab, wait_for

WIDE, NARROW = 1280, 390
FITS = "width => document.documentElement.scrollWidth <= width"


def test_every_view_opens_wide_and_narrow_without_a_fault(visit, faults):
    page = visit("/")
    drawn(page)  # a theme that changes while a page loads is not followed
    assert faults(page) == []
    for name, each in PAGES.items():
        page.set_viewport_size({"width": WIDE, "height": 900})
        go_page(page, name)
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
                if width == NARROW:
                    assert faults(page, schemes=["light"], part="[data-testid=stMain]") == [], view
            widths.reverse()
            assert visit.errors == [], view
