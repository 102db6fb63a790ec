"""Layers: every layer and token pooling under each calibrator, and a press makes one the recipe."""

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import caption, follow, problem
from bertflow_app.parts.exports import Origin, chart, record_exports
from bertflow_app.parts.grid_picker import calibrator_picker
from bertflow_app.views.layers import jobs

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.errors import BertFlowError
from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.figures import layer_heatmap

MEASURES = {
    "rho": "Spearman's rho x 100",
    "random_cosine": RANDOM_COSINE,
    "iso_score": "IsoScore (0: a line, 1: a ball)",
}
recipe = state.current_recipe()

st.title("Layers")
st.write(
    "The choice of layer can outweigh the choice of calibrator. One pass of the encoder gives "
    "every layer under every token pooling; here is each of them under each calibrator."
)
specs = baseline_first(calibrator_picker())
pressed = st.button(
    "Map the layers",
    type="primary",
    icon=":material/play_arrow:",
    help="Embeds once, then fits each calibrator at each place.",
)
try:
    job = jobs.layers(recipe, specs, start=pressed)
except BertFlowError as error:
    problem(error)
    st.stop()
if job is None:
    st.info("Choose calibrators and press **Map the layers**.")
    st.stop()
if not follow(job):
    st.stop()

found = job.result
origin = Origin(
    f"{found.recipe.caption()} (layer, token pooling and calibrator are those of each cell)",
    found.recipe_of(found.places[0]).to_command(),
)
measure = st.radio(
    "Measure",
    list(MEASURES),
    format_func=lambda name: MEASURES[name],
    horizontal=True,
    key="layer_measure",
    bind="query-params",
    help="Agreement with people, or how evenly the vectors fill their space.",
)
event = chart(
    layer_heatmap(
        {spec: found.grid(spec, measure) for spec in found.calibrators},
        found.layers,
        found.tokens,
        measure=MEASURES[measure],
        factor=100 if measure == "rho" else 1,
        decimals=1 if measure == "rho" else 2,
        diverging=measure == "random_cosine",
    ),
    key=f"layers-{measure}",
    alt=f"{MEASURES[measure]} by layer and token pooling; the table below has the numbers",
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
        help="Sets the sidebar; every page then shows it.",
    )
else:
    st.write(
        "Press a cell to make its layer and token pooling the recipe. A dash: all sentences have "
        "one vector there, as layer 0 gives them under cls."
    )
records = found.to_records()
with st.expander("Numbers", icon=":material/table_rows:"):
    st.dataframe(records, hide_index=True, alt="Every measure of every place")
record_exports(lambda: records, found.recipe, "layers")
caption(origin.caption)
st.code(origin.command, language="shell", wrap_lines=True)
