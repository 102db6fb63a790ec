"""What else can be brought: vectors that some other encoder computed, and data sets by name."""

import streamlit as st
from bertflow_app import services, state, uploads
from bertflow_app.navigation import link
from bertflow_app.parts.components import problem
from bertflow_app.parts.recipe_picker import VECTOR_BOXES, add_vectors
from bertflow_app.parts.work import follow
from bertflow_app.shared import Shared

from bertflow_core.datasets.catalog import DOWNLOADS, get_data
from bertflow_core.errors import BertFlowError
from bertflow_core.wording import size_text

_VECTORS = ["npy", "parquet"]
_BOXES = {
    "vectors_first": ("Vectors, or first sides", _VECTORS),
    "vectors_second": ("Second sides", _VECTORS),
    "vector_scores": ("Scores", ["csv", "tsv", "parquet"]),
}


def own_vectors(max_mb: int) -> None:
    """Let the visitor bring vectors, used at once, and show what was read of those that are."""
    st.write(
        "`.npy` of shape (N, D) or parquet with a column of lists, used by every page that needs "
        "no words. For rho: two files whose rows are the two sides of pairs, and a table of scores "
        "in the same order."
    )
    for column, (key, (label, kinds)) in zip(st.columns(3), _BOXES.items(), strict=True):
        column.file_uploader(
            label,
            type=kinds,
            max_upload_size=max_mb,
            key=key,
            help=f"At most {max_mb} MB; never unpickled.",
        )
    n_files = len(state.dropped(VECTOR_BOXES))
    if n_files == 2:
        st.caption("Pairs need three files: first sides, second sides and scores.")
    elif n_files:
        try:
            add_vectors()
        except BertFlowError as error:
            problem(error)
    _chosen()


def _chosen() -> None:
    """Show what was read of the vectors that are chosen now."""
    recipe = state.current_recipe()
    if not uploads.vectors_of(recipe.dataset):
        return
    try:
        pairs, n_features = uploads.own_rows(recipe)
    except BertFlowError as error:
        problem(error)
        return
    with st.container(horizontal=True):
        st.metric("Pairs" if pairs.is_paired else "Vectors", f"{len(pairs):,}", border=True)
        st.metric("Features", f"{n_features:,}", border=True)
    if pairs.gold is None:
        st.info("No gold scores are there, so rho cannot be measured; everything else works.")
    link("calibrate", "Compare calibrators on them", icon="table_chart")


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
        key="fetch",
        help="From the Hugging Face hub, at a set commit. What breaks off is resumed.",
    )
    entry = DOWNLOADS[name]
    st.text(
        f"{entry.title}: about {entry.source.megabytes} MB from {entry.source.repository}. "
        f"Licence: {entry.licence}."
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
