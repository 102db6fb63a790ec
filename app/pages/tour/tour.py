"""Guided tour: questions about a space, each answered before the picture is revealed."""

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.shared import Shared
from bertflow_app.show import Origin, chart
from bertflow_app.widgets.components import end_page, save_button
from bertflow_app.widgets.terms import meaning
from bertflow_app.widgets.work import follow, start_button
from bertflow_app.work.jobs import State

from bertflow_core.exhibits.tour.lesson import (
    ACTS,
    CONTENTS,
    MAX_CHARACTERS,
    MAX_OWN,
    TEN_MINUTES,
    Chapter,
    Content,
    Lesson,
    stored_for,
)

_STEP, _OWN, _REVEALED = "step", "tour_own", "tour_revealed"
_NO_ANCHOR = st.components.v2.component(
    "bertflow_no_anchor",
    css="[data-testid=stMain] {\n  overflow-anchor: none;\n}",
    isolate_styles=False,
)
"""Turns off scroll anchoring, which would hold the text below in place and move the picture."""
_EXAMPLES = (
    "A dog runs on the beach.",
    "A puppy plays near the sea.",
    "The bank raised its rates.",
)


def draw() -> None:
    """Draw the chosen step, and the start and the end of the tour."""
    recipe, own = state.current_recipe(), tuple(state.chosen(_OWN))
    _NO_ANCHOR(height=1)
    st.title("Guided tour")
    st.markdown(
        "Learn what the cone is, what calibration does to it, and when it helps. Each step "
        "asks a question, then shows the answer, computed from the data and the encoder in the "
        "sidebar.",
        help=meaning("cone", "calibrator", "encoder"),
    )
    number = st.segmented_control(
        "Step",
        range(1, len(CONTENTS) + 1),
        default=1,
        required=True,
        wrap=True,
        key=_STEP,
        bind="query-params",
        help="The address holds the step, so a link can lead to it.",
    )
    stored = stored_for(recipe)
    tour = Shared("exhibits.tour.compute:compute_tour", recipe, sentences=own)
    job = tour.find(start=None if own else False) if own or stored is None else None
    if stored is None and (job is None or not (job.is_live or job.state is State.DONE)):
        _contents()
        about = "Embeds the data, fits the calibrators and measures: about a minute the first time."
        if start_button("Start the tour", about):
            tour.find(start=True)
            st.rerun()
    is_done = job is not None and job.state is State.DONE
    at_form = number == 1 and stored is not None  # the form has the start button
    if not at_form:
        follow(job)
    lesson: Lesson | None = tour.result if is_done else stored
    if lesson is None:
        end_page()
    if job is not None and job.is_live:
        st.caption("Until your sentences are measured, this is the stored tour without them.")
    is_open = _show_step(lesson, number, key=tour.key if is_done else "shipped")
    if number == 1:
        _own_form()
    if at_form:
        follow(job)
    _navigate(lesson, number)
    if number == len(lesson.steps) and is_open:
        _conclude(lesson)
    if number in (1, len(lesson.steps)):
        _lesson_file(lesson)


def _contents() -> None:
    for act, title in enumerate(ACTS, start=1):
        numbered = [(i, each) for i, each in enumerate(CONTENTS, start=1) if each.act == act]
        steps = "\n".join(f"{i}. {each.title}" for i, each in numbered)
        st.markdown(f"**{title}**\n\n{steps}")
    st.caption(f"In ten minutes: steps {TEN_MINUTES}.")


def _show_step(lesson: Lesson, number: int, *, key: str) -> bool:
    """Ask the question of a step and, once it is answered, show the picture in place of the text.

    `key` names the tour, so that each tour has its own answers. Return whether the step is revealed
    or skipped.
    """
    chapter, content = CONTENTS[number - 1], lesson.steps[number - 1]
    st.caption(f"Step {CONTENTS.index(chapter) + 1} of {len(CONTENTS)}. {ACTS[chapter.act - 1]}")
    st.header(f"{number}. {chapter.title}")
    if isinstance(content, str):
        st.info("This step is skipped for these data:", icon=":material/info:")
        st.text(content)
        return True
    name = f"tour-{key}-{chapter.name}"
    is_revealed = name in state.chosen(_REVEALED)
    if not is_revealed:
        st.text(content.text)
        _show_exhibits(content)
        chosen = _ask(content, name)
        st.button(
            "Reveal",
            type="primary",
            icon=":material/visibility:",
            on_click=lambda: state.choose(**{_REVEALED: [*state.chosen(_REVEALED), name]}),
            disabled=chosen is None,
            help="Shows the answer and the picture.",
        )
        if chosen is None:
            st.caption("Choose an answer, then reveal.")
        return False
    _show_exhibits(content)
    top = st.container()  # above the question, so that the picture is in view
    with st.expander("The question and your answer", icon=":material/help:"):
        st.text(content.text)
        chosen = _ask(content, name, disabled=True)
    with top:
        _reveal(chapter, content, chosen, lesson.command)
    return True


def _show_exhibits(content: Content) -> None:
    for label, text in content.exhibits:
        with st.container(border=True):
            st.markdown(f"**{label}**")
            st.text(text)


def _ask(content: Content, name: str, *, disabled: bool = False) -> int | None:
    st.subheader(content.question)
    return st.radio(
        "Your answer",
        range(len(content.choices)),
        index=None,
        format_func=lambda i: content.choices[i],
        key=name,
        persist_state="session",
        disabled=disabled,
        help="Choose before you look.",
    )


def _reveal(chapter: Chapter, content: Content, chosen: int | None, command: str) -> None:
    answer = content.choices[content.right]
    if chosen == content.right:
        st.success(f"Right: {answer}.", icon=":material/check_circle:")
    else:
        st.warning(f"Not here. The answer is: {answer}.", icon=":material/cancel:")
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


def _navigate(lesson: Lesson, number: int) -> None:
    there = [i for i, step in enumerate(lesson.steps, start=1) if isinstance(step, Content)]
    before = max((i for i in there if i < number), default=None)
    after = min((i for i in there if i > number), default=None)
    with st.container(horizontal=True):
        for label, to, icon, key in (
            ("Previous", before, "arrow_back", "PageUp"),
            ("Next", after, "arrow_forward", "PageDown"),
        ):
            st.button(
                label,
                icon=f":material/{icon}:",
                on_click=state.choose,
                kwargs={_STEP: to},
                disabled=to is None,
                shortcut=key,
                help=f"The {label.lower()} step; {key} on the keyboard.",
            )


def _conclude(lesson: Lesson) -> None:
    st.header("What to remember")
    st.markdown(f"**{lesson.conclusion}**")
    for act, sentences in lesson.takeaways.items():
        st.markdown(f"**{ACTS[act - 1]}**")
        for sentence in sentences:
            st.text(f"• {sentence}")
    st.code(lesson.command, language="shell", wrap_lines=True)


def _lesson_file(lesson: Lesson) -> None:
    def page() -> str:
        from bertflow_core.exhibits.tour.page import lesson_page

        return lesson_page(lesson)

    save_button(
        "This tour as a page, to keep or to present",
        page,
        "lesson.html",
        help="One file with every question and figure; it opens without a network. Its button "
        "Present shows one screen per step for a lecture room; a presenter's remote "
        "moves between them.",
    )
