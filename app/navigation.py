"""The eight pages of the menu, and the views that each page shows as tabs."""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st
from bertflow_app import models, state
from bertflow_app.study_page import study_page
from bertflow_app.work import warmup
from streamlit.navigation.page import StreamlitPage

from bertflow_core.encoders.given import NETWORK, ROW_VECTORS, WORDS, Source
from bertflow_core.studies import STUDIES, study_of


class Page(NamedTuple):
    """An entry of the menu: its name, its icon, and the titles of its tabs by view, if it has any.

    A view is a module with `draw` in the page's folder, or a study with a plain page.
    """

    title: str
    icon: str
    views: Mapping[str, str] = MappingProxyType({})


PAGES = {
    "start": Page("Start", "flag"),
    "tour": Page("Guided tour", "school"),
    "data": Page("Your data", "database"),
    "advice": Page(
        "Should I calibrate?",
        "help",
        {
            "advice": "The check",
            "tasks": "By task",
            "layers": "Layers",
            "reading": "Which template and pooling?",
            "retrieval": "Does it help retrieval?",
            "thresholds": "What does 0.83 mean?",
        },
    ),
    "compare": Page(
        "Compare",
        "table_chart",
        {
            "scores": "Scores",
            "compare": "Compare",
            "tune": "Tuned on dev",
            "ledger": "Which pairs?",
            "lexical": "Words or meaning?",
        },
    ),
    "tune": Page(
        "Tune and export",
        "instant_mix",
        {
            "sliders": "Sliders",
            "knobs": "One parameter",
            "size": "How small can vectors be?",
            "export": "Export",
        },
    ),
    "space": Page(
        "See the space",
        "grid_view",
        {
            "wall": "The wall",
            "playground": "Your sentences",
            "sentences": "Measures",
            "words": "Words by frequency",
        },
    ),
    "how": Page(
        "How it works",
        "waves",
        {
            "newborn": "How a cone forms",
            "plane": "A flow on the plane",
            "fit": "The flow on your sentences",
        },
    ),
}
"""Pages by address, in the order of the menu; the first is the home page."""

_PLAIN = {"retrieval", "size", "thresholds", "tune"}
"""Tabs that show the plain page of a study."""

VIEWS = [view for name, page in PAGES.items() for view in page.views or (name,)]
"""Every view, in the order of the menu."""

_OF_NETWORKS = {"tour", "reading", "wall", "playground"}
"""Views without a study of their name and show layers, tokens or word embeddings."""

_MISSING = {
    NETWORK: "This tab is about layers, tokens or word embeddings, which the chosen vectors do "
    "not have. Choose a model in the sidebar.",
    WORDS: "This tab is about words, but the chosen data are vectors.",
}

_NEED_NO_RECIPE = {"start", "plane"}
"""Views that do not depend on the recipe."""


def pages() -> list[StreamlitPage]:
    """Return the pages of the menu, and a plain page for each study that is not a view."""
    return [*map(_page, PAGES), *map(_plain, STUDIES.keys() - {*VIEWS})]


def _plain(name: str) -> StreamlitPage:
    title = name.replace("-", " ").capitalize()
    return st.Page(partial(_draw_study, name), title=title, url_path=name, visibility="hidden")


def _page(name: str) -> StreamlitPage:
    return st.Page(
        partial(_draw, name),
        title=PAGES[name].title,
        icon=f":material/{PAGES[name].icon}:",
        url_path="" if name == "start" else name,
        default=name == "start",
    )


def page_of(view: str) -> str:
    """Return the page that shows a view, or the page of that name."""
    return next((name for name, page in PAGES.items() if view in page.views), view)


def needs_recipe(title: str) -> bool:
    """Tell whether the open tab of a page depends on the sidebar's recipe."""
    name = next((name for name, page in PAGES.items() if page.title == title), title)
    titles = PAGES[name].views if name in PAGES else {}
    opened = state.chosen(_tab_key(name))
    view = next((view for view, each in titles.items() if [each] == opened), name)
    return view not in _NEED_NO_RECIPE


def tab_of(view: str) -> dict[str, str]:
    """Return the address parameter that opens a view; empty if its page has no tabs."""
    page = page_of(view)
    title = PAGES[page].views.get(view)
    return {} if title is None else {_tab_key(page): title}


def title_of(view: str) -> str:
    """Return the title of a view as the menu or its tab shows it."""
    page = PAGES[page_of(view)]
    return page.views.get(view, page.title)


def link(
    view: str,
    label: str = "",
    *,
    icon: str | None = None,
    asking: Mapping[str, str | list[str]] | None = None,
) -> None:
    """Draw a link to a view."""
    st.page_link(
        _page(page_of(view)),
        label=label or title_of(view),
        icon=icon and f":material/{icon}:",
        query_params={**(asking or state.recipe_parameters()), **tab_of(view)},
    )


def link_analyses() -> None:
    """Draw links to the studies that are not in the menu."""
    for name, (_, says) in STUDIES.items():
        if name not in VIEWS:
            st.page_link(_plain(name), help=says)


def link_export(spec: str) -> None:
    """Draw a link to the export of a calibrator fitted on the sidebar's recipe."""
    link(
        "export",
        f"Export {spec}",
        icon="download",
        asking={**state.recipe_parameters(), "take": spec},
    )


def _tab_key(page: str) -> str:
    return page + state.TAB


def _draw(name: str) -> None:
    """Draw a page. Only the open tab computes anything."""
    page = PAGES[name]
    if page.views:
        st.title(page.title)
    if name != "start":  # its first picture needs no model
        warmup.await_pandas()
        models.check(state.current_recipe())
    if not page.views:
        _draw_view(name, name)
        return
    tabs = st.tabs([*page.views.values()], key=_tab_key(name), bind="query-params")
    for tab, view in zip(tabs, page.views, strict=True):
        if tab.open:
            with tab:
                _draw_view(name, view)


def _draw_view(page: str, view: str) -> None:
    source = state.current_recipe().source
    if not source.has_layers and not source.offers(needed := _needed(view)):
        if page == view:  # the view draws its own title, but is skipped
            st.title(title_of(view))
        st.info(_MISSING[needed])
    elif view in _PLAIN:
        _draw_study(view, is_tab=True)
    else:
        import_module(f"bertflow_app.pages.{page}.{view}").draw()


def _needed(view: str) -> Source:
    """Return the least source of vectors that a view can show."""
    if view in STUDIES:
        return study_of(view).needs
    return NETWORK if view in _OF_NETWORKS else ROW_VECTORS


def _draw_study(name: str, *, is_tab: bool = False) -> None:
    """Draw the plain page of a study, with a link to the export of what it chose on dev."""
    if chosen := study_page(name, is_tab=is_tab):
        link_export(chosen)
