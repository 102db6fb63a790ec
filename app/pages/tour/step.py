"""A step of the guided tour: a question, and once it is answered the picture."""

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.show import Origin, chart

from bertflow_core.studies.tour.lesson import ACTS, CONTENTS, Chapter, Content, Lesson

_REVEALED = "tour_revealed"


def show_step(lesson: Lesson, number: int, *, key: str) -> None:
    """Ask the question of a step and, once it is answered, show the picture.

    `key` names the tour, whose answers are not those of another.
    """
    chapter, content = CONTENTS[number - 1], lesson.steps[number - 1]
    st.caption(ACTS[chapter.act - 1])
    st.header(f"{number}. {chapter.title}")
    if isinstance(content, str):
        st.info("This step is skipped for these data:", icon=":material/info:")
        st.text(content)
        return
    st.text(content.text)
    for label, text in content.exhibits:
        with st.container(border=True):
            st.markdown(f"**{label}**")
            st.text(text)
    st.subheader(content.question)
    name = f"tour-{key}-{chapter.name}"
    is_open = name not in state.chosen(_REVEALED)
    chosen = st.radio(
        "Your answer",
        range(len(content.choices)),
        index=None,
        format_func=lambda i: content.choices[i],
        key=name,
        persist_state="session",
        disabled=not is_open,
        label_visibility="visible" if is_open else "collapsed",
        help="Choose before you look.",
    )
    if not is_open:
        _reveal(chapter, content, chosen, lesson.command)
        return
    st.button(
        "Reveal",
        type="primary",
        icon=":material/visibility:",
        on_click=lambda: state.choose(**{_REVEALED: [*state.chosen(_REVEALED), name]}),
        disabled=chosen is None,
        help="Shows the answer and the picture; choose an answer first.",
    )


def _reveal(chapter: Chapter, content: Content, chosen: int | None, command: str) -> None:
    answer = content.choices[content.right]
    if chosen == content.right:
        st.success(f"Right: {answer}.", icon=":material/check_circle:")
    else:
        st.warning(f"No. Here the answer is: {answer}.", icon=":material/cancel:")
    origin = Origin(f"{content.origin}.", command)
    chart(content.figure, key=f"tour-{chapter.name}", origin=origin)
    st.markdown("**To remember**")
    st.text(content.takeaway)
    st.text(content.explanation)
    if content.own:
        st.text(content.own)
    with st.expander("Notes for a speaker", icon=":material/record_voice_over:"):
        st.text(chapter.notes)
    st.text(origin.caption)
    link(chapter.page, "More on this", icon="explore")
