"""The choices of the wall: its rows, its spaces and how they are drawn, all in the address."""

import streamlit as st
from bertflow_app import services, state
from bertflow_app.parts.choices import (
    bound,
    calibrator_picker,
    choose_encoders,
    choose_layer_sets,
    recipe_of_words,
)

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Picture, RowChoices, WallRecipe

DEFAULT_CALIBRATORS = ("flow",)
MOST_ROWS = 20_000
TABLES = ("raw", "layer-norm")
NO_COUNTS = "none"


def choose_wall() -> WallRecipe:
    """Draw the choice of rows and spaces around the sidebar's recipe."""
    own = state.current_recipe()
    of = st.segmented_control(
        "Rows",
        ["words", "sentences"],
        default="words" if own.dataset == Recipe.dataset else "sentences",
        required=True,
        key="wall_rows",
        bind="query-params",
        help="The distinct sentences of the sidebar's data and split, or the words of the "
        "encoder's input table.",
    )
    words = recipe_of_words() if of == "words" else None
    counts = None
    left, right = st.columns(2)
    with left:
        models = choose_encoders(own.model, "wall_models")
        if words is None:
            note = "One pane per layer set, encoder and calibrator."
            layers = choose_layer_sets(models, (own.layers, "last"), "wall_layers", note)
        else:
            layers = st.multiselect(
                "Tables",
                TABLES,
                default=["raw"],
                key="wall_tables",
                bind="query-params",
                help="The word table as stored, or after the encoder's first LayerNorm.",
            )
    with right:
        max_rows = bound(RowChoices, "max_rows", default=MOST_ROWS, key="wall_size", step=1_000)
        if words is None:
            sources = services.count_sources()
            name = st.selectbox(
                "Word frequencies",
                [*sources, NO_COUNTS],
                key="wall_counts",
                bind="query-params",
                help="Colours sentences by the mean frequency of their words: a list in the data "
                "folder, or the order of the encoder's vocabulary.",
            )
            counts = sources.get(name)
    specs = baseline_first(calibrator_picker("wall_calibrators", DEFAULT_CALIBRATORS))
    return WallRecipe(
        base=own if words is None else words,
        models=tuple(models),
        layers=tuple(layers),
        calibrators=specs,
        max_rows=max_rows or MOST_ROWS,
        counts=counts,
    )


def choose_picture(*, of_words: bool) -> tuple[Picture, bool]:
    """Draw the choice of projection and metric.

    Args:
        of_words: Whether the rows are words, whose lengths say most; sentences are compared by
            cosine.

    Returns:
        How the spaces are drawn, and whether kept neighbours are counted for every point.
    """
    metric = "l2" if of_words else Picture.metric
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = {
            "method": bound(Picture, "method", key="wall_method"),
            "metric": bound(Picture, "metric", default=metric, key="wall_metric"),
        }
        if chosen["method"] == "umap":
            chosen |= {
                "n_neighbors": bound(Picture, "n_neighbors", key="umap_neighbors", width=130),
                "min_dist": bound(Picture, "min_dist", key="umap_min_dist", width=130, step=0.05),
                "seed": state.current_recipe().seed,
            }
        judged = chosen["method"] == "umap" or st.toggle(
            "Count kept neighbours",
            key="wall_judged",
            bind="query-params",
            help="For every point, how many of its 15 nearest neighbours in the full space are "
            "still its nearest in the picture: seconds for 20,000 rows, minutes for 100,000.",
        )
    if chosen["method"] == "umap":
        st.caption("It runs in its own process, the first time for half a minute more.")
    return Picture(**chosen), judged
