"""Inside the flow: a flow on the plane to play with, and the real one watched as it fits."""

import streamlit as st
from bertflow_app import state
from bertflow_app.views.inside import jobs
from bertflow_app.views.inside.fit_panels import real_panel
from bertflow_app.views.inside.plane_panels import toy_choice, toy_panel

PLANE, REAL = "On the plane", "On sentences"
EPOCHS = (1, 3, 10, 30)

st.title("Inside the flow")
st.write(
    "A flow is an invertible map from the space of embeddings to a standard Gaussian (Figure 1 of "
    "Li et al., 2020). Watch one bend the plane, layer by layer; then watch the real one fit."
)
where = st.radio(
    "Flow",
    [PLANE, REAL],
    horizontal=True,
    key="inside",
    bind="query-params",
    help="The same code fits both: two features, or all of the sidebar's encoder.",
)
if where == PLANE:
    choice = toy_choice()
    pressed = st.button(
        "Fit",
        type="primary",
        icon=":material/play_arrow:",
        disabled=choice is None,
        help="Seconds; watch it below.",
    )
    toy = None if choice is None else jobs.toy_fit(choice, start=pressed)
    if toy is None:
        st.info("Choose points and a flow and press **Fit**.")
    else:
        toy_panel(toy)
else:
    epochs = st.radio(
        "Epochs",
        EPOCHS,
        horizontal=True,
        key="inside_epochs",
        bind="query-params",
        help="The paper uses 1. More epochs raise the likelihood; watch what happens to rho.",
    )
    pressed = st.button(
        "Fit and watch",
        type="primary",
        icon=":material/play_arrow:",
        help="Embeds the sidebar's data, then fits the paper's flow to it.",
    )
    real = jobs.real_fit(state.current_recipe(), epochs, start=pressed)
    if real is None:
        st.info("Press **Fit and watch** to fit the sidebar's recipe.")
    else:
        real_panel(real)
