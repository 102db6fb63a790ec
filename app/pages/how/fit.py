"""The flow on your sentences: the paper's flow, watched as it fits."""

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import state
from bertflow_app.jobs import Job, Snapshot, State
from bertflow_app.pages.how.fit_panels import show_fit
from bertflow_app.parts.components import progress_line, show_failure, stop_button
from bertflow_app.parts.fold import Fold
from bertflow_app.shared_jobs import run

from bertflow_core import context
from bertflow_core.context import Progress
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.studies.training import LiveFit

CONVERGED = "at most 60"
EPOCHS = (CONVERGED, "1", "3", "10")
POLL_SECONDS = 0.4

LONGEST_PAUSE = 120.0
"""Seconds after which a paused fit continues, since other visitors' work waits behind it."""

BREATH = 0.002
"""Seconds of sleep per report; without it the fit's small steps hold the interpreter's lock."""


@dataclass(frozen=True, eq=False)
class Watched:
    """A fit's record, which grows while it runs, and an event that is set while it waits."""

    seen: "LiveFit"
    paused: threading.Event = field(default_factory=threading.Event)


def draw() -> None:
    """Let the visitor fit the flow, and show it meanwhile and afterwards."""
    st.write(
        "A flow is an invertible map from the space of embeddings to a standard Gaussian. Watch it "
        "fit the sentences of the sidebar's data."
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
        job = real_fit(
            state.current_recipe(), None if epochs == CONVERGED else float(epochs), start=pressed
        )
    fold.settle((f"epochs {epochs}",), is_open=job is None)
    if job is None:
        st.info("Press **Fit and watch** to fit the sidebar's recipe.")
    else:
        st.fragment(_show, run_every=POLL_SECONDS if job.is_live else None)(job, job.is_live)


def real_fit(recipe: Recipe, epochs: float | None, *, start: bool) -> Job | None:
    """Return the job that fits the flow, whose result is a `Watched`; None is until convergence."""
    from bertflow_core.studies.training import MOST_EPOCHS, LiveFit

    fit = LiveFit(MOST_EPOCHS if epochs is None else epochs, until_converged=epochs is None)
    return run(_watched, recipe, epochs, start=start, live=Watched(fit))


def _watched(recipe: Recipe, lab: Lab, _: float | None, watched: Watched) -> Watched:
    from bertflow_core.studies.training import watch_fit

    with context.reporting(_gate(watched.paused)):
        watch_fit(recipe, lab, watched.seen)
    return watched


def _gate(paused: threading.Event) -> Progress:
    """Return a callback that waits while `paused` is set, and keeps reporting meanwhile."""
    outer = context.listener()

    def report(done: int, total: int, unit: str) -> None:
        outer(done, total, unit)
        time.sleep(BREATH)
        end = time.monotonic() + LONGEST_PAUSE
        while paused.is_set() and time.monotonic() < end:
            outer(done, total, unit)
            time.sleep(0.05)
        paused.clear()

    return report


def _show(job: Job, was_live: bool) -> None:
    watched: Watched = job.result
    snapshot = job.watch(state.visitor())
    if was_live and not snapshot.is_live:
        st.rerun()
    if snapshot.is_live:
        _running(job, watched.paused, snapshot)
    elif snapshot.state is State.CANCELLED:
        st.info("Stopped. The fit so far is below; press the button to restart it.")
    show_failure(job)
    show_fit(watched.seen, is_moving=snapshot.is_live and not watched.paused.is_set())


def _running(job: Job, paused: threading.Event, snapshot: Snapshot) -> None:
    progress_line(snapshot)
    with st.container(horizontal=True):
        is_paused = paused.is_set()
        st.button(
            "Resume" if is_paused else "Pause",
            icon=":material/play_arrow:" if is_paused else ":material/pause:",
            key="real_pause",
            on_click=paused.clear if is_paused else paused.set,
            help="For everybody who watches this fit. A pause ends after two minutes, since other "
            "work waits behind it.",
        )
        stop_button(job, key="real_stop")
