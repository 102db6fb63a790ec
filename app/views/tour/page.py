"""Guided tour: ten questions about a space, each answered before the picture is revealed."""

import streamlit as st
from bertflow_app import state
from bertflow_app.jobs import State
from bertflow_app.parts.components import end_page, follow
from bertflow_app.views.tour import jobs
from bertflow_app.views.tour.panels import (
    contents,
    enlarge,
    navigate,
    show_step,
    step_picker,
    take_home,
)

recipe = state.current_recipe()
head = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    number = step_picker()
    large = st.toggle(
        "Presenter view",
        key="presenter",
        bind="query-params",
        help="Large type and no sidebar, for a lecture room; the address holds it.",
    )
if large:
    enlarge()
else:
    head.title("Guided tour")
    head.write(
        "Why cosine fails, what the cone is, what a calibrator corrects and when not to use one. "
        "Each step asks a question, then shows the answer, computed from the data and the encoder "
        "in the sidebar. The built-in ones need no network."
    )
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
if job is None or not follow(job):
    end_page()
lesson = job.result
show_step(lesson, number, key=job.key, large=large)
navigate(lesson, number)
if number == len(lesson.steps):
    take_home(lesson)
