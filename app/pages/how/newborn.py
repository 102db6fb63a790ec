"""How a cone forms: a small language model trained from nothing, recorded and live."""

import streamlit as st
from bertflow_app import services, state
from bertflow_app.jobs import Job
from bertflow_app.pages.how.newborn_panels import (
    calibration_panel,
    equation_panel,
    finding,
    live_panel,
    picture_panel,
    reason,
)
from bertflow_app.parts.bound import bound
from bertflow_app.parts.components import caption
from bertflow_app.parts.exports import downloads, origin_of
from bertflow_app.shared_jobs import run

from bertflow_core.report import Report
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.studies.newborn.recording import LiveRecording

GAO = "https://openreview.net/forum?id=SkEYojRqtm"
PRESSED = "pressed_seed"
"""Holds the seed that this visitor trained: nobody sees another's training without asking."""


def draw() -> None:
    """Draw it."""
    stored = services.shipped_newborn()
    lead = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = bound(NewbornRecipe, "seed", default=1, key="newborn_seed", width=160)
        pressed = st.button(
            "Train one now",
            type="primary",
            icon=":material/play_arrow:",
            help="Trains a model on this machine while you watch: about half a minute, then some "
            "seconds for what is below the picture.",
        )
    if pressed:
        state.choose(**{PRESSED: seed})
    # The address has the seed where it is not the box's default.
    is_asked = state.held(PRESSED) == seed or state.is_asked("newborn_seed")
    job = training(NewbornRecipe(seed=int(seed)), start=pressed) if is_asked else None
    trained = job.result if job is not None and isinstance(job.result, Report) else None
    shown = trained or stored
    whose = "the stored run" if trained is None else "a run on this machine"
    named = f"{whose}, seed {shown.params.to_dict()['seed']}"
    lead.write(f"{finding(shown.rows)} These numbers are of {named}.")
    if job is None or trained is not None:
        picture_panel(shown, run=job.key if job is not None else "stored")
    else:
        live_panel(job)
        st.caption(
            f"The picture is of the new training, seed {seed}; everything else is of {named}."
        )
    n_shown = sum(count > 0 for count in shown.facts["counts"])
    n_never = len(shown.facts["counts"]) - n_shown
    st.write(reason(shown))
    st.caption(
        f"Of {named}: {n_shown} of {shown.facts['n_words']:,} words and {n_never} that never "
        "occur, in the plane of the mean direction of the shown words at the end and the "
        "direction in which they then differ most beside it. Point at a word to see its way. [Gao "
        f"et al. (2019)]({GAO}) prove, under assumptions, that words that never occur are driven "
        "far out in one direction."
    )

    origin = origin_of(shown)
    st.header("What a context and a word have in common")
    equation_panel(shown, origin)
    st.header("Calibrate it")
    calibration_panel(shown)
    with st.expander("Recipe, numbers and command"):
        caption(origin.caption)
        st.code(origin.command, language="shell", wrap_lines=True)
        downloads(lambda: shown)


def training(recipe: NewbornRecipe, *, start: bool) -> Job | None:
    """Return the training of a model: a `LiveRecording` until it is done, and a `Report` then."""
    train = "studies.newborn.study:train_newborn"
    return run(train, recipe, start=start, live=LiveRecording(recipe))
