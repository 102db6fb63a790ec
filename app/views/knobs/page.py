"""Turn the knobs: rho along each parameter, chosen on dev, and what is thrown away."""

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import caption, follow, problem
from bertflow_app.parts.exports import chart
from bertflow_app.views.knobs import jobs
from bertflow_app.views.knobs.panels import direction_cards, flow_knob, sweep_panel

from bertflow_core.errors import BertFlowError

recipe = state.current_recipe()

st.title("Turn the knobs")
st.write(
    "Every calibrator has a parameter that somebody chose. Here is rho along the values of those "
    "that matter most: the value is chosen on the dev split and then read off on the test split, "
    "as in Table 5 of Li et al. (2020)."
)
closed, trained = st.tabs(["Closed forms", "The flow"])
with closed:
    pressed = st.button(
        "Draw the curves",
        type="primary",
        icon=":material/play_arrow:",
        help="Embeds dev and test, then computes every value of k, components and shrinkage.",
    )
    try:
        job = jobs.closed_forms(recipe, start=pressed)
    except BertFlowError as error:
        problem(error)
        st.stop()
    if job is None:
        st.info("Press **Draw the curves**: all values together cost about as much as one fit.")
    elif follow(job):
        found = job.result
        if found.null_top_k.note:
            caption(found.null_top_k.note)
        st.subheader("How many directions to remove")
        chart(
            **sweep_panel(
                found.null_top_k, "k, directions removed beside the mean (null-top-k)", at="k"
            )
        )
        st.subheader("What they stand for")
        direction_cards(found.directions)
        left, right = st.columns(2)
        with left:
            st.subheader("How many directions to keep")
            chart(**sweep_panel(found.components, "directions kept (whiten)"))
        with right:
            st.subheader("How much to shrink")
            chart(**sweep_panel(found.shrinkage, "shrinkage (whiten)", log_x=True))
        caption(found.null_top_k.recipe.caption())
with trained:
    flow_knob(recipe)
