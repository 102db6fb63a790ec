"""Layers: every layer and token pooling under each calibrator; press a cell to use it."""

from dataclasses import replace

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import depends_on, say, show_end, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.encoders.template import SLOT
from bertflow_core.report.remark import BASIS, Kind
from bertflow_core.studies.layers.study import LayersRecipe

DEFAULT_CALIBRATORS = ("null-top-k:k=6",)
"""The default calibrators; each is fitted 21 times."""


def draw() -> None:
    """Let the visitor map all layers, and show the maps."""
    st.write("The choice of layer can matter more than the choice of calibrator.")
    fold = Fold()
    with fold.drawing():
        specs = baseline_first(calibrator_picker("layer_calibrators", DEFAULT_CALIBRATORS))
    recipe = state.current_recipe()
    base = recipe.without("layers", "tokens", "template", "calibrator").to_dict()
    asked = LayersRecipe(**base, templates=(recipe.template or SLOT,))
    report = ask(
        "Map the layers",
        Shared("studies.layers.study:layers", asked, specs),
        fold=fold,
        choices=(", ".join(specs), recipe.model),
        help="Embeds once, then fits each calibrator at each layer and token pooling.",
    )
    say(report, Kind.ANSWER)
    labels = {
        each.header: each.key
        for each in report.columns
        if f"layers-{each.key}" in report.pictures()
    }
    label = st.radio(
        "Measure",
        list(labels),
        horizontal=True,
        key="layer_measure",
        bind="query-params",
        help="Agreement with people, or how evenly the vectors fill their space.",
    )
    event = show_picture(
        report, f"layers-{labels[label]}", on_select="rerun", selection_mode="points"
    )
    points = event["selection"]["points"]
    if points:
        layer, tokens, _ = points[0]["customdata"]
        st.button(
            f"Use layer:{layer} with {tokens} pooling as the recipe",
            type="primary",
            icon=":material/input:",
            on_click=state.choose,
            kwargs={"layers": f"layer:{layer}", "tokens": tokens},
            help="Sets them in the sidebar, so every page uses them.",
        )
    else:
        st.write(
            "Press a cell to use its layer and token pooling as the recipe. A dash means that all "
            "sentences have the same vector, as at layer 0 with cls pooling, or that calibration "
            "would leave nothing but rounding errors."
        )
    depends_on(report.text(*BASIS))
    with st.expander("Numbers", icon=":material/table_rows:"):
        show_table(
            replace(report.table, remarks=()),
            alt="Every measure by layer, token pooling and calibrator",
        )
    show_end(report)
