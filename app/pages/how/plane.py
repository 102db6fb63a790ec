"""The flow on the plane; the address holds its choices."""

import streamlit as st
from bertflow_app.browser.pictures import flow_plane
from bertflow_app.widgets.terms import meaning

PARAMETER = "plane"


def draw() -> None:
    """Show the flow on the plane, which the browser trains."""
    st.markdown(
        "A flow is an invertible map from the space of embeddings to a standard Gaussian (Figure 1 "
        "of Li et al., 2020). Here you can take a two-dimensional flow apart.",
        help=meaning("flow", "ActNorm", "coupling", "latent vector"),
    )
    chosen = flow_plane(st.query_params.get(PARAMETER), key="flow_on_plane")
    if chosen is not None:
        st.query_params[PARAMETER] = chosen
