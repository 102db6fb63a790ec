"""The pages as data."""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

__all__ = ["pages"]


def pages() -> list[StreamlitPage]:
    """Return the pages in the order of the menu."""
    return [
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
    ]
