"""The choice of the latent space that the walk and the samples of the Playground share."""

import streamlit as st

from bertflow_core.studies.playground import Playground


def invertible_spec(playground: Playground) -> str | None:
    """Draw the choice of the calibrator to invert; None where it has no inverse."""
    specs = playground.specs[1:] or playground.specs
    spec = st.selectbox(
        "Latent space of",
        specs,
        index=len(specs) - 1,
        key="walk_spec",
        bind="query-params",
        help="Only a calibrator that discards nothing has an inverse; the flow always has.",
        width=260,
    )
    reason = playground.space(spec).why_no_way_back()
    if reason is not None:
        st.text(f"{reason}. Choose flow, or another calibrator that keeps every direction.")
        return None
    return str(spec)
