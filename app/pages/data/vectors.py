"""The part of the page Your data for vectors that some other encoder or service computed."""

import streamlit as st
from bertflow_app import services, state
from bertflow_app.navigation import link
from bertflow_app.parts.components import problem
from bertflow_app.parts.recipe_picker import use_vectors

from bertflow_core.errors import BertFlowError

_VECTORS = ["npy", "parquet"]
_TABLES = ["csv", "tsv", "parquet"]


def own_vectors(max_mb: int) -> None:
    """Let the visitor upload vectors, and show what was read of those that are chosen.

    Args:
        max_mb: Most megabytes of a file.
    """
    st.header("Your own vectors")
    st.write(
        "From any encoder or service, as `.npy` of shape (N, D) or parquet with a column of lists, "
        f"at most {max_mb} MB a file. For rho: two files whose rows are the two sides of pairs, "
        "with a table of scores in the same order."
    )
    files = _uploaded(max_mb)
    if len(files) == 2:
        st.caption("Pairs need three files: first sides, second sides and scores.")
    elif files:
        try:
            dataset = services.uploads().add_vectors(files)
        except BertFlowError as error:
            problem(error)
        else:
            _offer(dataset)
    _chosen()


def _uploaded(max_mb: int) -> list[tuple[str, bytes]]:
    """Return name and content of each file: one, or the scores before the two sides."""
    boxes = (
        ("Scores", _TABLES, "vector_scores"),
        ("Vectors, or first sides", _VECTORS, "vectors_first"),
        ("Second sides", _VECTORS, "vectors_second"),
    )
    columns = st.columns(3)
    files = [
        column.file_uploader(
            label, type=kinds, max_upload_size=max_mb, key=key, help="Never unpickled."
        )
        for (label, kinds, key), column in zip(boxes, (columns[2], *columns[:2]), strict=True)
    ]
    return [(file.name, file.getvalue()) for file in files if file is not None]


def _offer(dataset: str) -> None:
    if dataset != state.current_recipe().dataset:
        st.button(
            "Use these vectors",
            type="primary",
            icon=":material/check:",
            on_click=use_vectors,
            args=(dataset,),
            help="Choose them as data and encoder of every page that needs no words.",
        )


def _chosen() -> None:
    """Show what was read of the vectors that are chosen now."""
    recipe = state.current_recipe()
    if not services.vectors_of(recipe.dataset):
        return
    try:
        pairs, n_features = services.own_rows(recipe)
    except BertFlowError as error:
        problem(error)
        return
    with st.container(horizontal=True):
        st.metric("Pairs" if pairs.is_paired else "Vectors", f"{len(pairs):,}", border=True)
        st.metric("Features", f"{n_features:,}", border=True)
    if pairs.gold is None:
        st.info("No gold scores are there, so rho cannot be measured; everything else works.")
    link("calibrate", "Calibrate these vectors", icon="tune")
