"""The flow on your sentences: the paper's flow, watched as it fits."""

import streamlit as st
from bertflow_app import state
from bertflow_app.pages.how import fit_jobs
from bertflow_app.pages.how.fit_panels import real_panel
from bertflow_app.parts.fold import Fold

CONVERGED = "at most 60"
EPOCHS = (CONVERGED, "1", "3", "10")


def draw() -> None:
    """Draw it."""
    st.write(
        "A flow is an invertible map from the space of embeddings to a standard Gaussian (Figure 1 "
        "of Li et al., 2020). Watch it fit the sentences of the sidebar's data."
    )
    fold = Fold()
    with fold.drawing():
        epochs = st.radio(
            "Epochs",
            EPOCHS,
            horizontal=True,
            key="inside_epochs",
            bind="query-params",
            help="The paper uses 1. More epochs raise the likelihood; watch what happens to rho. "
            "at most 60 is a long fit, which ends earlier where it has converged: where 5 epochs "
            "gain less than 0.01 bits per dimension on held-out sentences.",
        )
        pressed = st.button(
            "Fit and watch",
            type="primary",
            icon=":material/play_arrow:",
            help="Embeds the sidebar's data, then fits the paper's flow to it.",
        )
        number = None if epochs == CONVERGED else float(epochs)
        real = fit_jobs.real_fit(state.current_recipe(), number, start=pressed)
    fold.settle((f"epochs {epochs}",), is_open=real is None)
    if real is None:
        st.info("Press **Fit and watch** to fit the sidebar's recipe.")
    else:
        real_panel(real)
