"""The presenter's view: one screen a step, for a lecture room; a remote turns it."""

from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import state
from bertflow_app.browser.presenter.component import KEY, answers, turn_of
from bertflow_app.views.tour.panels import (
    introduce,
    is_revealed,
    neighbours,
    note_revealed,
    turn_to,
)

from bertflow_core.studies.tour.lesson import Content, Lesson, Skipped, Step

if TYPE_CHECKING:
    from bertflow_core.figures import Figure

_HEIGHT, _LETTERS = 600, 20
"""Of a presented figure: pixels high, and pixels of its letters."""


def present_step(lesson: Lesson, number: int, *, key: str) -> None:
    """Show a step so that question, answers and picture stand on one screen.

    Args:
        lesson: The tour.
        number: Of the step, from 1.
        key: Name of the tour and its data; what was revealed is remembered under it.
    """
    step = lesson.steps[number - 1]
    st.header(f"{number}. {step.chapter.title}")
    shown = isinstance(step, Step) and is_revealed(step, key)

    def turned() -> None:
        to = turn_of(state.reported(KEY, "turn"), step.chapter.name)
        if to == "turn" and isinstance(step, Step) and not shown:
            note_revealed(step, key)
        elif to is not None:
            before, after = neighbours(lesson, number)
            turn_to(after if to == "turn" else before)

    left, right = st.columns([1, 2], gap="large")
    if isinstance(step, Skipped):
        with left:
            answers(step.chapter.name, (), right=None, on_turn=turned)
        st.text(f"This step is skipped for these data: {step.reason}")
        return
    content = step.content
    with left:
        st.subheader(content.question)
        answers(
            step.chapter.name,
            content.choices,
            right=content.right if shown else None,
            on_turn=turned,
        )
    with right:
        if shown:
            st.plotly_chart(
                enlarged(content.figure), key=f"tour-{step.chapter.name}", alt=content.alt
            )
        else:
            introduce(step)
    _below(content, shown)


def _below(content: Content, shown: bool) -> None:
    if shown:
        st.subheader("To remember")
        st.text(content.takeaway)
    with st.expander("Notes for the speaker", icon=":material/record_voice_over:"):
        st.text(content.notes)
        if shown:
            st.text(content.explanation)
            st.text(f"{content.own}\n{content.origin}.".strip())


def enlarged(figure: "Figure") -> "Figure":
    """Return a copy of a figure with letters for a room."""
    letters = {"size": _LETTERS}  # each by name: the page's theme has its own for ticks and legends
    own = type(figure)(figure).update_layout(height=_HEIGHT, legend_font=letters)
    own.update_xaxes(tickfont=letters, title_font=letters, automargin=True)
    own.update_yaxes(tickfont=letters, title_font=letters, automargin=True)
    return own.update_annotations(font=letters)
