"""The grid that two pages share: the choice of rows and columns, and the job that fills it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from bertflow_app import models, services, state, uploads
from bertflow_app.shared import Shared
from bertflow_app.widgets.choices import calibrator_picker, choose_encoders, choose_layer_sets
from bertflow_app.work.registry import kept

from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.encoders.given import OWN
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.layer_choices import of_layers
from bertflow_core.studies.grid import CompareRecipe, Grid, GridResult

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


def grid_picker() -> Grid:
    """Let the visitor choose rows, columns and seeds; the rest comes from the sidebar's recipe."""
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
    calibrators = calibrator_picker()
    _paper_layouts()
    models.check(recipe, *encoders)
    rows = of_layers(recipe, layers)
    own = (recipe.dataset,) if recipe.dataset in datasets else ()
    if not own:  # the recipe names columns of a table that is not in the grid
        rows = rows.without("sentence1", "sentence2", "score", "subset", "scale", "metric")
    of_grid = ("model", "revision", "dataset", "calibrator")
    params = CompareRecipe(
        **rows.without(*of_grid).to_dict(),
        models=tuple(encoders),
        datasets=tuple(dict.fromkeys((*own, *datasets))),
        seeds=int(n_seeds),
    )
    return Grid(params, calibrators or (BASELINE,), tuple(layers))


def named_rows(grid: Grid) -> tuple[str, ...]:
    """Return the calibrators, the layer sets and the encoders as text, to name the choices."""
    return (", ".join(grid.calibrators), ", ".join(grid.layers), ", ".join(grid.params.models))


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


def shared_grid(grid: Grid) -> Shared:
    """Return the job that fills a grid; fits that exist are reused."""
    params = grid.params.with_(dataset=grid.datasets[0])  # the upload, if there is one
    any_of_them = params.without("aggregation")  # a fit has all aggregations
    return Shared(_filled, any_of_them, grid.calibrators, grid.layers)


def _filled(
    shown: CompareRecipe, lab: Lab, calibrators: Sequence[Spec], layers: Sequence[str]
) -> GridResult:
    from bertflow_core.studies.grid import fill

    own, *others = shown.datasets
    model = uploads.own_model(own)
    params = shown.with_(
        models=tuple(model if each == OWN else each for each in shown.models),
        datasets=(shown.dataset, *others),
    )
    grid = Grid(params, tuple(calibrators), tuple(layers))
    return fill(grid, replace(lab, cells=kept()))
