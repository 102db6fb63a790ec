"""The choice of a grid of recipes: more models, layers and data sets, calibrators, a baseline."""

from typing import NamedTuple

import streamlit as st
from bertflow_app import models, services, state
from bertflow_app.widgets.choices import calibrator_picker, more_layers, pick_or_type

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.encoders.given import source_of
from bertflow_core.evaluation.similarities import SIMILARITIES
from bertflow_core.lab.layer_choices import of_layers
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.evaluate.axes import EvaluateRecipe, full_name

MAX_SEEDS = 10


class Layout(NamedTuple):
    """The rows and columns of a table."""

    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    datasets: tuple[str, ...]


_STS = ("stsb", "sickr", *(f"sts{year}" for year in range(12, 17)))
_PLAIN_AND_FLOW = Layout(("last", "first-last"), ("flow",), _STS)
_SIMPLER = ("standardize", "null-top-k:k=1", "null-top-k:k=10")
_AFTER_STANDARD = ("standardize+null-top-k:k=1", "standardize+null-top-k:k=6")
PAPER_LAYOUTS = {
    "Table 2: encoders without supervision": _PLAIN_AND_FLOW,
    "Table 3: encoders trained on NLI": _PLAIN_AND_FLOW,
    "Table 5: simpler calibrators": Layout(
        ("last",), (*_SIMPLER, *_AFTER_STANDARD, "flow"), ("stsb",)
    ),
}
"""Layers, calibrators and data sets of tables of Li et al. (2020); the visitor chooses encoders.
The paper's `-last2avg` is `first-last` (see `LayerSet`)."""


def grid_picker() -> tuple[EvaluateRecipe, tuple[str, ...], tuple[str, ...]]:
    """Let the visitor add to the sidebar's models, layers and data on each axis.

    Returns:
        The choices, the calibrators and the layer sets.
    """
    recipe = state.current_recipe()
    specs = baseline_first(calibrator_picker())
    left, right = st.columns(2)
    with left:
        encoders = _models(recipe)
        layers = more_layers(encoders, recipe.layers, "more_layers")
    with right:
        datasets = _datasets(recipe.dataset)
        n_seeds = st.number_input("Seeds", 1, MAX_SEEDS, 1, key="n_seeds", bind="query-params")
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
    _paper_layouts()
    models.check(recipe, *encoders)
    params = EvaluateRecipe.of(
        of_layers(recipe, layers).without("model", "revision", "calibrator"),
        models=encoders,
        datasets=datasets,
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
    return params.with_(baseline=baseline), specs, layers


def _models(recipe: Recipe) -> tuple[str, ...]:
    """Return the sidebar's models and those that the visitor adds.

    With uploaded vectors there is nothing to add: no other encoder could embed their sentences.
    """
    second = models.second_of(recipe)
    has_words = recipe.source.has_words
    own = [recipe.model]
    if second and has_words == source_of(second).has_words:
        own.append(second)
    if not has_words:
        return tuple(own)
    chosen = pick_or_type(
        st.multiselect,
        "More models",
        [name for name in models.offered() if name not in own],
        key="more_models",
        placeholder="choose from the list, or type a hub id or a folder",
    )
    added = [name for name in dict.fromkeys(map(str.strip, chosen)) if name not in own]
    for name in added:
        models.say_found(name, is_one_of_many=True)
    return (*own, *added)


def _datasets(own: str) -> tuple[str, ...]:
    available = [info.name for info in services.data_sets() if info.found and info.name != own]
    added = st.multiselect("More data sets", available, key="more_data", bind="query-params")
    return (own, *added)


def _paper_layouts() -> None:
    with st.popover("Rows and columns of the paper's tables", icon=":material/table_chart:"):
        for title in PAPER_LAYOUTS:
            st.button(
                title,
                key=f"layout-{title.partition(':')[0]}",
                on_click=_apply,
                args=(title,),
                help="Sets the layer sets, calibrators, aggregation and data sets of a table "
                "in the paper. The models stay as they are.",
            )


def _apply(title: str) -> None:
    layers, specs, datasets = PAPER_LAYOUTS[title]
    available = {info.name for info in services.data_sets() if info.found}
    first, *others = [name for name in datasets if name in available] or [""]
    state.choose(
        aggregation="wmean",
        layers=layers[0],
        more_layers=[*layers[1:]],
        calibrators=[*specs],
        **({"dataset": first, "more_data": others} if first else {}),
    )
