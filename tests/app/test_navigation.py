"""Eight entries in the menu; old addresses lead on with all that they ask for; one tab computes."""

import pytest
from app_pages import at_address, check, open_page
from bertflow_app.navigation import OLD, PAGES, VIEWS, page_of, tab_of


@pytest.mark.parametrize(
    ("address", "query", "view"),
    [
        *((address, {}, view) for address, view in OLD.items()),
        ("inside", {"inside": "On sentences", "inside_epochs": "3"}, "fit"),
        ("knobs", {"turn_depth": "5"}, "sliders"),
        ("compare", {"models": "minilm"}, "compare"),
        ("compare", {}, "calibrate"),
    ],
)
def test_an_old_address_leads_to_its_view_with_its_parameters(address, query, view):
    page = at_address(address, layers="last", calibrators=["whiten", "flow"], **query)
    assert not page.exception
    for key, title in tab_of(view).items():
        assert page.session_state[key] == title
    assert page.session_state["recipe"].layers == "last"
    assert "is no parameter" not in " ".join(each.value for each in page.text)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_with_its_controls_explained_and_only_its_tab_is_drawn(view):
    page = open_page(view)
    check(page)
    assert len(page.title) == 1
    drawn = [tab for tab in page.tabs if len(tab.children)]
    others = PAGES[page_of(view)].views
    titles = {tab.label for tab in drawn} & {*others.values()}
    assert titles == ({others[view]} if others else set())
