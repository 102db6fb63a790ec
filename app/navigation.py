"""The pages as data."""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

__all__ = ["pages"]


def pages() -> dict[str, list[StreamlitPage]]:
    """Return the pages by group, in the order of the menu."""
    return {
        "": [
            st.Page(
                "views/start.py",
                title="Start",
                icon=":material/flag:",
                url_path="start",
                default=True,
            ),
            st.Page(
                "views/calibrate.py",
                title="Calibrate",
                icon=":material/tune:",
                url_path="calibrate",
            ),
            st.Page(
                "views/data.py",
                title="Data & models",
                icon=":material/database:",
                url_path="data",
            ),
        ],
        "Laboratory": [
            st.Page(
                "views/compare.py",
                title="Compare",
                icon=":material/table_chart:",
                url_path="compare",
            ),
            st.Page(
                "views/significance.py",
                title="Is it real?",
                icon=":material/science:",
                url_path="significance",
            ),
            st.Page(
                "views/ledger.py",
                title="Which pairs?",
                icon=":material/list_alt:",
                url_path="ledger",
            ),
            st.Page(
                "views/knobs.py",
                title="Turn the knobs",
                icon=":material/instant_mix:",
                url_path="knobs",
            ),
            st.Page(
                "views/layers.py",
                title="Layers",
                icon=":material/layers:",
                url_path="layers",
            ),
            st.Page(
                "views/advice.py",
                title="Should I calibrate?",
                icon=":material/help:",
                url_path="advice",
            ),
        ],
        "Geometry": [
            st.Page(
                "views/words.py",
                title="Words",
                icon=":material/abc:",
                url_path="words",
            ),
        ],
    }
