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
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.studies import STUDIES, study_of


class Page(NamedTuple):
    """An entry of the menu: its name, its icon, and the titles of its tabs by view, if it has any.

    A view is a module with `draw` in the page's folder, or one of `PLAIN`.
    """

    title: str
    icon: str
    views: Mapping[str, str] = MappingProxyType({})


PAGES = {
    "start": Page("Start", "flag"),
    "tour": Page("Guided tour", "school"),
    "check": Page("Check your model", "fact_check"),
    "compare": Page(
        "Compare",
        "table_chart",
        {"scores": "Scores", "layers": "Layers", "ledger": "Which pairs?", "tune": "Tune"},
    ),
    "space": Page(
        "See the space",
        "grid_view",
        {"cone": "The cone", "wall": "The wall", "playground": "Your sentences"},
    ),
    "take": Page(
        "Take home",
        "download",
        {"thresholds": "Threshold", "size": "Size", "export": "Export"},
    ),
    "how": Page(
        "How it works",
        "waves",
        {
            "plane": "A flow on the plane",
            "fit": "The flow on your sentences",
            "newborn": "How a cone forms",
        },
    ),
    "paper": Page(
        "The paper",
        "menu_book",
        {"words": "Words by frequency", "lexical": "Words or meaning?", "reproduce": "Tables"},
    ),
}
"""Pages by address, in the order of the menu; the first is the home page."""

PLAIN: Mapping[str, Mapping[str, str]] = {
    "cone": {"Layer by layer": "space.depth", "Calibrators": "cone", "Measures": "sentences"},
    "size": {"Size": "size"},
    "reproduce": {"Tables": "reproduce"},
}
"""Tabs that show the plain page of a study, or of the one of several that is chosen by title.

A name with a dot is a module with `draw`, which shows a study in its own way.
"""

VIEWS = [view for name, page in PAGES.items() for view in page.views or (name,)]
"""Every view, in the order of the menu."""

_OF_NETWORKS = {"tour", "wall", "playground"}
"""Views without a study of their name and show layers, tokens or word embeddings."""

OF_THE_PAPER = {"tour", "fit", "lexical", "reproduce"}
"""Views that use the paper's case, a middle layer, where the sidebar has the plain output."""

MIDDLE = 4
"""The layer of the paper's case; of a model with fewer layers, its last."""

_MISSING = {
    NETWORK: "This tab is about layers, tokens or word embeddings, which the chosen vectors do "
    "not have. Choose a model in the sidebar.",
    WORDS: "This tab is about words, but the chosen data are vectors.",
}


def pages() -> list[StreamlitPage]:
    """Return the pages of the menu."""
    return [*map(_page, PAGES)]


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
    if page.views or name == "check":  # the others draw their own titles
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
        st.info(_MISSING[needed])
        return
    if view in OF_THE_PAPER:
        _use_middle_layer(view)
    if view in PLAIN:
        _draw_plain(view)
    else:
        import_module(f"bertflow_app.pages.{page}.{view}").draw()


def _needed(view: str) -> Source:
    """Return the least source of vectors that a view can show."""
    if view in STUDIES:
        return study_of(view).needs
    return NETWORK if view in _OF_NETWORKS else ROW_VECTORS


def _use_middle_layer(view: str) -> None:
    """Take the paper's case for this page, unless the visitor chose layers in the sidebar."""
    recipe = state.current_recipe()
    if recipe.source.has_layers and recipe.layers == PLAIN_LAYERS:
        middle = min(MIDDLE, models.n_layers(recipe.model))
        state.choose(recipe=recipe.with_(layers=f"layer:{middle}"))
        if view != "tour":  # whose first step says so
            st.caption(
                f"The paper's case: layer {middle}, not the model's plain output. To see other "
                "layers, choose them under Advanced."
            )


def _draw_plain(view: str) -> None:
    """Draw a tab's study, or the one of its studies that is chosen."""
    studies = PLAIN[view]
    shown = next(iter(studies))
    if len(studies) > 1:
        shown = st.segmented_control(
            "Show",
            [*studies],
            default=shown,
            required=True,
            key=f"{view}_study{state.TAB}",
            bind="query-params",
            label_visibility="collapsed",
        )
    name = studies[shown]
    if "." in name:
        import_module(f"bertflow_app.pages.{name}").draw()
    else:
        study_page(name)
