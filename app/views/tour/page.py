"""Guided tour: ten questions to a space, each to be answered before the picture is revealed."""

import streamlit as st
from bertflow_app import state
from bertflow_app.jobs import State
from bertflow_app.parts.components import follow, problem
from bertflow_app.views.tour import jobs
from bertflow_app.views.tour.panels import contents, enlarge, navigate, step_picker, take_home, tell

from bertflow_core.errors import BertFlowError

recipe = state.current_recipe()
head = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    number = step_picker()
    large = st.toggle(
        "Presenter view",
        key="presenter",
        bind="query-params",
        help="Large type and no sidebar, for a room; the address holds it.",
    )
if large:
    enlarge()
else:
    head.title("Guided tour")
    head.write(
        "Why cosine fails, the cone, what a calibrator mends and when to leave it alone: each step "
        "asks you first, then shows what the data say. All of it is computed from the data and the "
        "encoder in the sidebar; the built-in ones need no network."
    )
try:
    job = jobs.tour(recipe, start=False)
    if job is None or not (job.is_live or job.state is State.DONE):
        contents()
        if st.button(
            "Start the tour",
            type="primary",
            icon=":material/play_arrow:",
            help="Embeds the data, fits the calibrators and measures: half a minute at first.",
        ):
            jobs.tour(recipe, start=True)
            st.rerun()
except BertFlowError as error:
    problem(error)
    st.stop()
if job is None or not follow(job):
    st.stop()
lesson = job.result
tell(lesson, number, key=job.key, large=large)
navigate(lesson, number)
if number == len(lesson.steps):
    take_home(lesson)
