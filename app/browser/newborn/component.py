"""The Streamlit component that plays a recording of `studies.newborn`."""

import streamlit as st
from bertflow_app.browser.assets import script, style

from bertflow_core.studies.newborn.recording import Recording

_VIEW = st.components.v2.component(
    "bertflow_newborn",
    html='<div class="newborn"></div>',
    css=style("newborn"),
    js=script("newborn"),
)


def newborn_view(recording: Recording, *, run: str, is_live: bool, key: str) -> None:
    """Play a recording, or follow one that still grows.

    Args:
        recording: What is known of it so far.
        run: Names the training; another name starts the picture anew.
        is_live: Whether more frames will come.
        key: Names the picture on the page.
    """
    _VIEW(data={"run": run, "is_live": is_live, "recording": recording.to_dict()}, key=key)
