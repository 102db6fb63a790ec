"""Guided tour: the lesson that the file holds too, in a frame of the page."""

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.widgets.components import end_page, save_button
from bertflow_app.widgets.work import follow, start_button
from bertflow_app.work.jobs import State

from bertflow_core.exhibits.tour.lesson import MAX_CHARACTERS, MAX_OWN, Lesson, stored_for
from bertflow_core.exhibits.tour.page import lesson_page

_OWN = "tour_own"
_ALT = "A question per step, and its answer"
_FILL = st.components.v2.component(
    "bertflow_tour_frame",
    css=f"""
      [data-testid=stMainBlockContainer] {{ padding-top: 3.75rem; }}
      [data-testid=stElementContainer]:has(> iframe[title="{_ALT}"]) {{ height: auto; }}
      iframe[title="{_ALT}"] {{ height: max(26rem, calc(100dvh - 9.25rem)); }}
    """,
    isolate_styles=False,
)
"""Lets the frame fill the window below the title."""
_EXAMPLES = (
    "A dog runs on the beach.",
    "A puppy plays near the sea.",
    "The bank raised its rates.",
)


def draw() -> None:
    """Show the tour of the sidebar's recipe: stored, or once it is computed."""
    recipe, own = state.current_recipe(), tuple(state.chosen(_OWN))
    st.title("Guided tour")
    stored = stored_for(recipe)
    tour = Shared("exhibits.tour.compute:compute_tour", recipe, sentences=own)
    job = tour.find(start=None if own else False) if own or stored is None else None
    if stored is None and (job is None or not (job.is_live or job.state is State.DONE)):
        st.markdown(
            "Learn what the cone is, what calibration does to it, and when it helps. Each step "
            "asks a question, then shows the answer, computed from your data."
        )
        about = "Embeds the data, fits the calibrators and measures: about a minute the first time."
        if start_button("Start the tour", about):
            tour.find(start=True)
            st.rerun()
    follow(job)
    is_done = job is not None and job.state is State.DONE
    lesson: Lesson | None = tour.result if is_done else stored
    if lesson is None:
        end_page()
    st.iframe(lesson_page(lesson, is_served=True), height=600, alt=_ALT)
    if job is not None and job.is_live:
        st.caption("Until your sentences are measured, this is the stored tour without them.")
    save_button(
        "This tour as a page, to keep or to present",
        lambda: lesson_page(lesson),
        "lesson.html",
        help="One file with every question and figure; it opens without a network.",
    )
    _own_form()
    _FILL(height=1)


def _own_form() -> None:
    with st.form("tour-own", border=True):
        st.markdown(
            f"**Sentences of your own**, 2 or {MAX_OWN} (optional): the steps show their cosines."
        )
        for i, example in enumerate(_EXAMPLES, start=1):
            st.text_input(
                f"Sentence {i}",
                key=f"{_OWN}_{i}",
                max_chars=MAX_CHARACTERS,
                persist_state="session",
                placeholder=example,
                help="Any English text. Try two with similar meanings and one that differs.",
            )
        st.form_submit_button(
            "Use these sentences",
            icon=":material/star:",
            on_click=_keep_own,
            help="Embeds them and computes the tour again with them, in a minute or two. Leave all "
            "empty to remove them.",
        )


def _keep_own() -> None:
    typed = (str(state.held(f"{_OWN}_{i}") or "").strip() for i in range(1, MAX_OWN + 1))
    state.choose(**{_OWN: [text for text in typed if text]})
