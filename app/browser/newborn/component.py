"""The Streamlit component that plays a recording of `studies.newborn`."""

from typing import Any

import streamlit as st
from bertflow_app.browser.assets import script, style

_VIEW = st.components.v2.component(
    "bertflow_newborn",
    html='<div class="newborn"></div>',
    css=style("newborn"),
    js=script("newborn"),
)


def newborn_view(recording: dict[str, Any], *, run: str, is_live: bool, key: str) -> None:
    """Play a recording, or follow one that still grows.

    Args:
        recording: What is known of it so far, as `payload` writes it.
        run: Names the training; another name starts the picture anew.
        is_live: Whether more frames will come.
        key: Names the picture on the page.
    """
    _VIEW(data={"run": run, "is_live": is_live, "recording": recording}, key=key)
