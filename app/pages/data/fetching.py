"""Data sets fetched by name into the hub's cache of the server."""

import streamlit as st
from bertflow_app import services
from bertflow_app.parts.work import follow
from bertflow_app.shared import Shared

from bertflow_core.datasets.catalog import DOWNLOADS, get_data
from bertflow_core.wording import size_text

KEY = "fetch"


def fetch_panel() -> None:
    """Let the visitor fetch a data set that is missing, and show how far that is."""
    missing = services.missing_data()
    names = [name for name in DOWNLOADS if name in missing or _fetch(name).find(start=False)]
    if not names:
        st.write("Every data set that can be fetched is here.")
        return
    name = st.selectbox(
        "Data set to fetch",
        names,
        key=KEY,
        help="From the Hugging Face hub, at a set commit. What breaks off is resumed.",
    )
    entry = DOWNLOADS[name]
    st.text(
        f"{entry.data.title}: about {entry.source.megabytes} MB from {entry.source.repository}. "
        f"Licence: {entry.data.licence}."
    )
    pressed = st.button(
        "Fetch",
        icon=":material/download:",
        help="Into this server's cache, where every page finds them.",
    )
    fetch = _fetch(name)
    if follow(fetch.find(start=pressed)):
        if any(each.name == name and not each.found for each in services.data_sets()):
            services.data_sets.clear()  # it was just fetched: it is looked for again
        st.success(fetch.result)


def _fetch(name: str) -> Shared:
    return Shared(_fetched, name)  # one for all visitors


def _fetched(name: str) -> str:
    size = size_text(get_data(name))
    return f"{name} is here: {size} at revision {DOWNLOADS[name].source.revision}"
