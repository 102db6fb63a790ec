"""The pages as data."""

from functools import partial

import streamlit as st
from bertflow_app.study_page import study_page
from streamlit.navigation.page import StreamlitPage

from bertflow_core.studies import STUDIES

GROUPS = {
    "": (
        ("start", "Start", "flag"),
        ("tour", "Guided tour", "school"),
        ("calibrate", "Calibrate", "tune"),
        ("data", "Data & models", "database"),
        ("glossary", "Glossary", "menu_book"),
    ),
    "Laboratory": (
        ("compare", "Compare", "table_chart"),
        ("significance", "Is it real?", "science"),
        ("ledger", "Which pairs?", "list_alt"),
        ("knobs", "Turn the knobs", "instant_mix"),
        ("layers", "Layers", "layers"),
        ("advice", "Should I calibrate?", "help"),
    ),
    "Geometry": (
        ("words", "Words", "abc"),
        ("sentences", "Sentences", "notes"),
        ("wall", "The wall", "grid_view"),
    ),
    "Understanding": (
        ("newborn", "How a cone forms", "filter_alt"),
        ("lexical", "Words or meaning?", "spellcheck"),
        ("playground", "Playground", "edit_note"),
        ("inside", "Inside the flow", "waves"),
    ),
}
"""By group of the menu: the name of each view and address, its title and its icon."""


SHOWN = frozenset(
    {
        *("advice", "cone", "layer-map", "layers", "ledger"),
        *("lexical", "newborn", "sentences", "spectrum", "words"),
    }
)
"""The studies that pages of their own show; every other has a plain page."""

NEED_NETWORK = {
    "tour": "its questions are about an encoder's layers",
    "layers": "there are no layers",
    "words": "it shows the word embeddings of an encoder",
    "wall": "it shows layers and word embeddings of an encoder",
    "playground": "it embeds what you type with an encoder and its tokenizer",
}
"""Why a page is passed over while vectors without a network are chosen, by the name of its view."""

NEED_WORDS = {**NEED_NETWORK, "lexical": "it compares the words of sentences"}
"""Why a page is passed over while uploaded vectors are chosen, by the name of its view."""


NEED_NO_RECIPE = {"Start": "For the other pages: the results on this one are stored."}
"""What the sidebar says of the recipe on a page that it does not decide, by the page's title."""


def pages() -> dict[str, list[StreamlitPage]]:
    """Return the pages by group, in the order of the menu; the first is the entry."""
    plain = [
        st.Page(partial(study_page, name), title=name.capitalize(), url_path=name)
        for name in STUDIES
        if name not in SHOWN
    ]
    shown = {
        group: [
            st.Page(
                page_file(name),
                title=title,
                icon=f":material/{icon}:",
                url_path=name,
                default=name == "start",
            )
            for name, title, icon in members
        ]
        for group, members in GROUPS.items()
    }
    return shown | {"More questions": plain} if plain else shown


def title_of(name: str) -> str:
    """Return the title of a page by the name of its view."""
    return next(title for group in GROUPS.values() for view, title, _ in group if view == name)


def page_file(name: str) -> str:
    """Return the file of a page, below the app's folder."""
    return f"views/{name}/page.py"
