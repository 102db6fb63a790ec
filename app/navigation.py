"""The pages as data."""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

__all__ = ["pages"]


def pages() -> list[StreamlitPage]:
    """Return the pages in the order of the menu."""
    return [
        st.Page(
            "views/calibrate.py",
            title="Calibrate",
            icon=":material/tune:",
            url_path="calibrate",
            default=True,
        ),
    ]
