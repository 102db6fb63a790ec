"""Vectors that some other encoder or service computed, as data and model of the pages."""

import streamlit as st
from bertflow_app import state, uploads
from bertflow_app.navigation import link
from bertflow_app.parts.components import problem
from bertflow_app.parts.recipe_picker import VECTOR_BOXES, add_vectors

from bertflow_core.errors import BertFlowError

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
