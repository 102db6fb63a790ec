"""Guided tour: questions about a space, each answered before the picture is revealed."""

import streamlit as st
from bertflow_app import state
from bertflow_app.jobs import State
from bertflow_app.pages.tour.own import own_form, own_sentences
from bertflow_app.pages.tour.panels import (
    conclude,
    contents,
    lesson_file,
    navigate,
    show_step,
    step_picker,
)
from bertflow_app.parts.components import end_page
from bertflow_app.parts.terms import meaning
from bertflow_app.parts.work import follow
from bertflow_app.shared import Shared

from bertflow_core.studies.tour.lesson import stored_for


def draw() -> None:
    """Draw it."""
    recipe = state.current_recipe()
    own = own_sentences()
    st.title("Guided tour")
    st.markdown(
        "What the cone is, what calibration does to it, when that helps and when not. Each step "
        "asks a question, then shows the answer, computed from the data and the encoder in the "
        "sidebar.",
        help=meaning("cone", "calibrator", "encoder"),
    )
    number = step_picker()
    stored = stored_for(recipe)
    tour = Shared("studies.tour.compute:compute_tour", recipe, sentences=own)
    job = tour.find(start=None if own else False) if own or stored is None else None
    if stored is None and (job is None or not (job.is_live or job.state is State.DONE)):
        contents()
        if st.button(
            "Start the tour",
            type="primary",
            icon=":material/play_arrow:",
            help="Embeds the data, fits the calibrators and measures: about a minute at first.",
        ):
            tour.find(start=True)
            st.rerun()
    is_done = follow(job)
    lesson = tour.result if is_done else stored
    if lesson is None:
        end_page()
    if job is not None and job.is_live:
        st.caption("Until your sentences are measured, this is the stored tour without them.")
    show_step(lesson, number, key=tour.key if is_done else "shipped")
    if number == 1:
        own_form()
    navigate(lesson, number)
    if number == 1:
        lesson_file(lesson)
    if number == len(lesson.steps):
        conclude(lesson)
        lesson_file(lesson)
