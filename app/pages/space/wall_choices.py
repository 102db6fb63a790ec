"""The choices of the wall: its rows, its spaces and how they are drawn, all in the address."""

from dataclasses import dataclass
from itertools import product

import streamlit as st
from bertflow_app import services, state
from bertflow_app.parts.bound import bound
from bertflow_app.parts.encoder_picker import choose_encoders, choose_layer_sets
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.parts.word_choices import recipe_of_words

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall import MAX_PANES, Pane, Picture, WallRecipe
from bertflow_core.studies.words.recipe import WordRecipe

DEFAULT_CALIBRATORS = ("flow",)
ROWS = (2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
TABLES = ("raw", "layer-norm")
NO_COUNTS = "none"


def choose_wall() -> WallRecipe:
    """Draw the choice of rows and spaces around the sidebar's recipe.

    Raises:
        InputError: No panes, more than six, or a choice that does not exist.
    """
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
    left, right = st.columns(2)
    with left:
        models = choose_encoders(own.model, "wall_models")
        layers = _layers(models, own.layers) if words is None else _tables()
    with right:
        max_rows = st.select_slider(
            "Most rows",
            ROWS,
            20_000,
            key="wall_size",
            bind="query-params",
            help="If there are more rows, a random sample is shown.",
        )
        counts = _counts() if words is None else None
    specs = baseline_first(calibrator_picker("wall_calibrators", DEFAULT_CALIBRATORS))
    panes = _panes(models, layers, specs)
    base: WordRecipe | Recipe = own if words is None else words
    return WallRecipe(base=base, panes=panes, max_rows=max_rows, counts=counts)


def _panes(models: list[str], layers: list[str], specs: tuple[str, ...]) -> tuple[Pane, ...]:
    panes = tuple(Pane(*each) for each in product(models, layers, specs))
    if len(panes) > MAX_PANES:
        raise InputError(
            f"{len(models)} encoders, {len(layers)} layer sets and {len(specs)} calibrators, "
            f"identity included, make {len(panes)} panes: choose at most {MAX_PANES}"
        )
    if not panes:
        raise InputError("there is nothing to show: choose an encoder and a layer set")
    return panes


@dataclass(frozen=True)
class PictureChoice:
    """How the spaces are drawn.

    Attributes:
        picture: The choices.
        judged: Whether kept neighbours are counted for every point.
    """

    picture: Picture
    judged: bool


def choose_picture(*, of_words: bool) -> PictureChoice:
    """Draw the choice of projection, dimensions and metric.

    Args:
        of_words: Whether the rows are words, whose lengths say most; sentences are compared by
            cosine.

    Raises:
        InputError: A setting that UMAP cannot take.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = st.segmented_control(
            "Projection",
            ["pca", "svd", "umap"],
            default="pca",
            required=True,
            key="wall_method",
            bind="query-params",
            help="PCA subtracts the mean; SVD does not, so its first axis shows the cone; UMAP "
            "keeps neighbours together, but its distances mean little.",
        )
        dims = st.segmented_control(
            "Dimensions",
            [2, 3],
            default=2,
            required=True,
            key="wall_dims",
            bind="query-params",
            help="To turn three dimensions, choose Rotate above the panes.",
        )
        metric = st.segmented_control(
            "Metric",
            ["cosine", "l2"],
            default="l2" if of_words else "cosine",
            required=True,
            key="wall_metric",
            bind="query-params",
            help="How neighbours are ranked. For cosine all rows are scaled to length 1, in the "
            "picture too; l2 leaves them as they are.",
        )
        if method == "umap":
            return _umap(dims, metric)
        judged = st.toggle(
            "Count kept neighbours",
            key="wall_judged",
            bind="query-params",
            help="For every point, how many of its 15 nearest neighbours in the full space are "
            "still its nearest in the picture: seconds for 20,000 rows, minutes for 100,000.",
        )
    return PictureChoice(Picture(method=method, dims=dims, metric=metric), judged)


def _umap(dims: int, metric: str) -> PictureChoice:
    own = state.current_recipe()
    settings = {
        "n_neighbors": bound(Picture, "n_neighbors", key="umap_neighbors", width=130),
        "min_dist": bound(Picture, "min_dist", key="umap_min_dist", width=130, step=0.05),
    }
    st.caption("It runs in its own process, the first time for half a minute more.")
    picture = Picture(
        method="umap",
        dims=dims,
        metric=metric,
        **settings,
        seed=own.seed,
    )
    return PictureChoice(picture, judged=True)


def _layers(models: list[str], own: str) -> list[str]:
    note = "One pane per layer set, encoder and calibrator."
    return choose_layer_sets(models, (own, "last"), "wall_layers", note)


def _tables() -> list[str]:
    return st.multiselect(
        "Tables",
        TABLES,
        default=["raw"],
        key="wall_tables",
        bind="query-params",
        help="The word table as stored, or after the encoder's first LayerNorm.",
    )


def _counts() -> str | None:
    """Draw the choice of word counts, for the colour by word frequency."""
    sources = services.count_sources()
    name = st.selectbox(
        "Word frequencies",
        [*sources, NO_COUNTS],
        key="wall_counts",
        bind="query-params",
        help="Colours sentences by the mean frequency of their words: a list in the data folder, "
        "or the order of the encoder's vocabulary.",
    )
    return sources.get(name)
