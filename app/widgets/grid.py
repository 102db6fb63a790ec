"""The choice of a grid of recipes: encoders, layers, calibrators, data sets and a baseline."""

import streamlit as st
from bertflow_app import models, services, state
from bertflow_app.widgets.choices import calibrator_picker, choose_encoders, choose_layer_sets

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.evaluation.similarities import SIMILARITIES
from bertflow_core.lab.layer_choices import of_layers
from bertflow_core.lab.recipe import OF_TABLE
from bertflow_core.studies.evaluate.axes import EvaluateRecipe, full_name

MAX_SEEDS = 10

_PLAIN_AND_FLOW: dict[str, list[str]] = {
    "row_layers": ["last", "first-last"],
    "calibrators": ["flow"],
    "columns": ["stsb", "sickr", *(f"sts{year}" for year in range(12, 17))],
}
_SIMPLER = ("standardize", "null-top-k:k=1", "null-top-k:k=10")
_AFTER_STANDARD = ("standardize+null-top-k:k=1", "standardize+null-top-k:k=6")
PAPER_LAYOUTS: dict[str, dict[str, list[str]]] = {
    "Table 2: encoders without supervision": _PLAIN_AND_FLOW,
    "Table 3: encoders trained on NLI": _PLAIN_AND_FLOW,
    "Table 5: simpler calibrators": {
        "row_layers": ["last"],
        "calibrators": [*_SIMPLER, *_AFTER_STANDARD, "flow"],
        "columns": ["stsb"],
    },
}
"""Layers, calibrators and data sets of tables of Li et al. (2020); the visitor chooses encoders.
The paper's `-last2avg` is `first-last` (see `LayerSet`)."""


def grid_picker() -> tuple[EvaluateRecipe, tuple[str, ...], tuple[str, ...]]:
    """Let the visitor choose the axes; the rest comes from the sidebar's recipe.

    Returns:
        The choices, the calibrators and the layer sets.
    """
    recipe = state.current_recipe()
    left, right = st.columns(2)
    with left:
        encoders = choose_encoders(recipe.model, "models", second=models.second_of(recipe))
        layers = choose_layer_sets(
            encoders, [recipe.layers], "row_layers", "first-last is what the paper calls last2avg."
        )
    with right:
        datasets = _datasets(recipe.dataset)
        n_seeds = st.number_input(
            "Seeds",
            1,
            MAX_SEEDS,
            1,
            key="n_seeds",
            bind="query-params",
            help="How many times each random calibrator, such as the flow, is fitted. The table "
            "shows the mean.",
        )
        similarities = st.multiselect(
            "Similarity",
            list(SIMILARITIES),
            default=[recipe.similarity],
            format_func=SIMILARITIES.__getitem__,
            key="similarities",
            bind="query-params",
            help="How the vectors of two sentences are compared. The plain output is always "
            "compared by cosine.",
        )
    specs = baseline_first(calibrator_picker())
    _paper_layouts()
    models.check(recipe, *encoders)
    rows = of_layers(recipe, layers)
    own = (recipe.dataset,) if recipe.dataset in datasets else ()
    if not own:  # the recipe names columns of a table that is not in the grid
        rows = rows.without(*OF_TABLE, "metric")
    params = EvaluateRecipe.of(
        rows.without("model", "revision", "calibrator"),
        models=tuple(encoders),
        datasets=tuple(dict.fromkeys((*own, *datasets))),
        similarities=tuple(similarities),
        seeds=int(n_seeds),
    )
    baseline = st.selectbox(
        "Baseline",
        [full_name(row) for row in params.rows(layers, specs)],
        index=None,
        placeholder="none",
        key="baseline",
        bind="query-params",
        help="Every other row is compared with this row, too.",
    )
    return params.with_(baseline=baseline), specs, tuple(layers)


def _datasets(own: str) -> tuple[str, ...]:
    available = [info.name for info in services.data_sets() if info.found]
    return tuple(
        st.multiselect(
            "Data sets",
            list(dict.fromkeys((*available, own))),
            default=[own],
            key="columns",
            bind="query-params",
            help="The built-in data sets, those in the folder BERTFLOW_DATA, and your table.",
        )
    )


def _paper_layouts() -> None:
    with st.popover("Rows and columns of the paper's tables", icon=":material/table_chart:"):
        for title in PAPER_LAYOUTS:
            st.button(
                title,
                key=f"layout-{title.partition(':')[0]}",
                on_click=_apply,
                args=(title,),
                help="Sets the layer sets, calibrators, aggregation and data sets of a table "
                "in the paper. The encoders stay as they are.",
            )


def _apply(title: str) -> None:
    choices = dict(PAPER_LAYOUTS[title])
    available = {info.name for info in services.data_sets() if info.found}
    at_hand = [name for name in choices.pop("columns") if name in available]
    columns = {"columns": at_hand} if at_hand else {}
    state.choose(aggregation="wmean", **choices, **columns)
