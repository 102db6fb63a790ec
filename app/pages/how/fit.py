"""The flow on your sentences: the paper's flow, watched as it fits."""

import time
from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import state
from bertflow_app.pages.how.fit_panels import show_fit
from bertflow_app.parts.terms import meaning
from bertflow_app.parts.work import Fold, watch
from bertflow_app.shared import Shared

from bertflow_core import context
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.training import LiveFit

CONVERGED = "at most 60"
EPOCHS = (CONVERGED, "1", "3", "10")
POLL_SECONDS = 0.4

BREATH = 0.002
"""Seconds of sleep per report; without it the fit's small steps hold the interpreter's lock."""


def draw() -> None:
    """Let the visitor fit the flow, and show it meanwhile and afterwards."""
    st.markdown(
        "A flow is an invertible map from the space of embeddings to a standard Gaussian. Watch it "
        "fit the sentences of the sidebar's data.",
        help=meaning("flow", "ActNorm", "coupling", "epoch", "bits per dimension"),
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
        fit = real_fit(state.current_recipe(), None if epochs == CONVERGED else float(epochs))
        job = fit.find(start=pressed)
    fold.settle((f"epochs {epochs}",), is_open=job is None)
    if job is None:
        st.info("Press **Fit and watch** to fit the sidebar's recipe.")
    else:
        watch(job, lambda is_live: show_fit(job.result, is_moving=is_live), seconds=POLL_SECONDS)


def real_fit(recipe: Recipe, epochs: float | None) -> Shared:
    """Return the fit of the flow, a `LiveFit`, which goes on until convergence without `epochs`."""
    from bertflow_core.studies.training import MOST_EPOCHS, LiveFit

    fit = LiveFit(MOST_EPOCHS if epochs is None else epochs, until_converged=epochs is None)
    return Shared(_watched, recipe, epochs, live=fit)


def _watched(recipe: Recipe, lab: Lab, _: float | None, fit: "LiveFit") -> "LiveFit":
    from bertflow_core.studies.training import watch_fit

    outer = context.listener()

    def report(done: int, total: int, unit: str) -> None:
        outer(done, total, unit)
        time.sleep(BREATH)

    with context.reporting(report):
        watch_fit(recipe, lab, fit)
    return fit
