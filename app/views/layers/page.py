"""Layers: every layer and token pooling under each calibrator; press a cell to use it."""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import ask, caption, say_notes
from bertflow_app.parts.exports import chart, downloads, origin_of
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.shared_jobs import run

from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.figures import layer_heatmap
from bertflow_core.studies.layers import layer_map_report

DEFAULT_CALIBRATORS = ("null-top-k:k=6",)
"""Each is fitted 21 times."""

st.title("Layers")
st.write(
    "The choice of layer can matter more than the choice of calibrator. One pass of the encoder "
    "gives every layer under every token pooling. Compare them here under each calibrator."
)
fold = Fold()
with fold.drawing():
    specs = baseline_first(calibrator_picker("layer_calibrators", DEFAULT_CALIBRATORS))
recipe = state.current_recipe().without("layers", "tokens", "calibrator")
layers = ask(
    "Map the layers",
    partial(run, "layers:layer_map", recipe, specs),
    fold=fold,
    choices=(named_specs(specs), recipe.model),
    invitation="Choose calibrators and press **Map the layers**.",
    help="Embeds once, then fits each calibrator at each layer and token pooling.",
)
report = layer_map_report(layers)
origin = origin_of(report)
st.write(layers.unscored or layers.finding())
labels = {label: name for name, label in layers.measures.items()}
label = st.radio(
    "Measure",
    list(labels),
    horizontal=True,
    key="layer_measure",
    bind="query-params",
    help="Agreement with people, or how evenly the vectors fill their space.",
)
measure = labels[label]
event = chart(
    layer_heatmap(
        {spec: layers.grid(spec, measure) for spec in layers.calibrators},
        layers.layers,
        layers.tokens,
        measure=label,
        factor=100 if measure == "rho" else 1,
        decimals=1 if measure == "rho" else 2,
        diverging=measure == "random_cosine",
    ),
    key=f"layers-{measure}",
    origin=origin,
    on_select="rerun",
    selection_mode="points",
)
points = event["selection"]["points"]
if points:
    layer, tokens, spec = points[0]["customdata"]
    st.button(
        f"Make layer:{layer} with {tokens} tokens the recipe",
        type="primary",
        icon=":material/input:",
        on_click=state.choose,
        kwargs={"layers": f"layer:{layer}", "tokens": tokens},
        help="Sets the sidebar, so every page uses it.",
    )
else:
    st.write(
        "Press a cell to make its layer and token pooling the recipe. A dash means that all "
        "sentences have the same vector, as at layer 0 under cls."
    )
if measure != "rho" and layers.in_sample():
    st.write(layers.in_sample())
say_notes(layers.fit_notes())
with st.expander("Numbers", icon=":material/table_rows:"):
    st.dataframe(layers.to_records(), hide_index=True, alt="Every measure of every place")
downloads(lambda: report)
caption(origin.caption)
st.code(origin.command, language="shell", wrap_lines=True)
