"""Turn the knobs: rho along each parameter, chosen on dev, and what the removed directions hold."""

import streamlit as st
from bertflow_app import state
from bertflow_app.pages.tune.knobs_panels import closed_forms_panel, flow_panel
from bertflow_app.pages.tune.turning import is_turned, turning_panel

CLOSED, FLOW = "Closed forms", "The flow"


def draw() -> None:
    """Draw it."""
    st.title("Turn the knobs")
    st.write(
        "Every calibrator has a parameter that somebody chose. See rho along the values of those "
        "that matter most. The value is chosen on the dev split and reported on the test split, "
        "as in Table 5 of Li et al. (2020)."
    )
    recipe = state.current_recipe()
    is_flow = is_turned() or state.is_asked("flow_parameter", "flow_seeds")
    closed, trained = st.tabs([CLOSED, FLOW], default=FLOW if is_flow else CLOSED)
    with trained:  # first: a turn of a slider is not to wait for the curves
        st.subheader("Turn it yourself")
        turning_panel(recipe)
        st.subheader("Along one parameter")
        flow_panel(recipe)
    with closed:
        closed_forms_panel(recipe)
