"""The panels of the guided tour: the steps, a question, its answer, what to remember."""

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.parts.components import caption
from bertflow_app.show import Origin, chart

from bertflow_core.studies.tour.lesson import ACTS, CONTENTS, TEN_MINUTES, Chapter, Content, Lesson

_STEP = "step"
_REVEALED = "tour_revealed"


def contents() -> None:
    """List the steps, before anything is computed."""
    for act, title in enumerate(ACTS, start=1):
        numbered = [(i, each) for i, each in enumerate(CONTENTS, start=1) if each.act == act]
        steps = "\n".join(f"{i}. {each.title}" for i, each in numbered)
        st.markdown(f"**{title}**\n\n{steps}")
    st.caption(f"In ten minutes: steps {TEN_MINUTES}.")


def step_picker() -> int:
    """Let the visitor choose a step, which the address holds; return its number from 1."""
    chosen = st.segmented_control(
        f"Step, of {len(CONTENTS)}",
        range(1, len(CONTENTS) + 1),
        default=1,
        required=True,
        wrap=True,
        key=_STEP,
        bind="query-params",
        help="The address holds the step, so that a link leads to it.",
    )
    return int(chosen or 1)


def _neighbours(lesson: Lesson, number: int) -> tuple[int | None, int | None]:
    """Return the steps before and after one, without those that are skipped; None for none."""
    shown = [i for i, step in enumerate(lesson.steps, start=1) if isinstance(step, Content)]
    before = max((i for i in shown if i < number), default=None)
    after = min((i for i in shown if i > number), default=None)
    return before, after


def _turn_to(number: int | None) -> None:
    """Show a step, where there is one; call it from a callback."""
    if number is not None:
        state.choose(**{_STEP: number})


def navigate(lesson: Lesson, number: int) -> None:
    """Offer the previous and the next step."""
    before, after = _neighbours(lesson, number)
    with st.container(horizontal=True):
        _turn("Previous", before, "arrow_back", "PageUp")
        _turn("Next", after, "arrow_forward", "PageDown")


def _turn(label: str, to: int | None, icon: str, key: str) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        on_click=_turn_to,
        args=(to,),
        disabled=to is None,
        shortcut=key,
        help=f"The {label.lower()} step; {key} on the keyboard.",
    )


def _note_revealed(name: str) -> None:
    """Remember that the visitor has seen the answer; call it from a callback."""
    state.choose(**{_REVEALED: [*state.chosen(_REVEALED), name]})


def show_step(lesson: Lesson, number: int, *, key: str) -> None:
    """Ask the question of a step and, once it is answered, show the picture."""
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
    name = f"tour-{key}-{chapter.name}"  # of the step in the tour of that key
    if name in state.chosen(_REVEALED):
        _reveal(chapter, content, name, lesson.command)
    else:
        _ask(content, name)


def _ask(content: Content, name: str) -> None:
    chosen = _choices(content, name, is_open=True)
    st.button(
        "Reveal",
        type="primary",
        icon=":material/visibility:",
        on_click=_note_revealed,
        args=(name,),
        disabled=chosen is None,
        help="Shows the answer and the picture; choose an answer first.",
    )


def _choices(content: Content, name: str, *, is_open: bool) -> int | None:
    return st.radio(
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


def _reveal(chapter: Chapter, content: Content, name: str, command: str) -> None:
    chosen = _choices(content, name, is_open=False)
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
    caption(origin.caption)
    link(chapter.page, "More on this", icon="explore")


def conclude(lesson: Lesson) -> None:
    """Say what to remember, and the command for the whole tour."""
    st.header("What to remember")
    st.markdown(f"**{lesson.conclusion}**")
    for act, sentences in lesson.takeaways.items():
        st.markdown(f"**{ACTS[act - 1]}**")
        for sentence in sentences:
            st.text(f"• {sentence}")
    st.code(lesson.command, language="shell", wrap_lines=True)


def lesson_file(lesson: Lesson) -> None:
    """Offer the whole tour as one HTML file, which is also what is shown in a lecture room."""

    def page() -> str:
        from bertflow_core.studies.tour.page import lesson_page

        return lesson_page(lesson)

    st.download_button(
        "This tour as a page, to keep or to present",
        page,
        "lesson.html",
        "text/html",
        icon=":material/download:",
        on_click="ignore",
        help="One file with every question and figure that opens without a network. Its button "
        "Present shows one screen a step for a lecture room; a remote turns it.",
    )
