"""The panels of the guided tour: the steps, a question, its answer, the presenter view."""

from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import page_file
from bertflow_app.parts.components import caption
from bertflow_app.parts.exports import Origin, chart

from bertflow_core.studies.tour.chapters import ACTS, CONTENTS
from bertflow_core.studies.tour.lesson import Lesson, Skipped, Step

if TYPE_CHECKING:
    from bertflow_core.figures import Figure


_STEP = "step"
_REVEALED = "tour_revealed"
_HEIGHT, _LETTERS = 520, 20
"""Of a presented figure: pixels high, and pixels of its letters."""

# Streamlit has no type size but the theme's, which is one for all pages. Styles of a component that
# are not isolated hold for the page while it stands there; the text is ours and constant.
_ROOM = st.components.v2.component(
    "bertflow_room",
    html="<span></span>",
    css="""
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { max-width: 84rem; padding-top: 4rem; }
[data-testid="stMain"] :is(p, li, label, [data-testid="stText"]) {
  font-size: 1.6rem;
  line-height: 1.4;
}
[data-testid="stMain"] h2 { font-size: 2.8rem; }
[data-testid="stMain"] h3 { font-size: 2rem; }
""",
    isolate_styles=False,
)


def enlarge() -> None:
    """Draw this page for a lecture room: large type, no sidebar."""
    _ROOM(key="tour-room")


def contents() -> None:
    """List the steps, before anything is computed."""
    for act, title in enumerate(ACTS, start=1):
        numbered = [(i, each) for i, each in enumerate(CONTENTS, start=1) if each.act == act]
        steps = "\n".join(f"{i}. {each.title}" for i, each in numbered)
        st.markdown(f"**{title}**\n\n{steps}")


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


def navigate(lesson: Lesson, number: int) -> None:
    """Offer the previous and the next step, without those that are skipped."""
    shown = [i for i, step in enumerate(lesson.steps, start=1) if isinstance(step, Step)]
    before = max((i for i in shown if i < number), default=None)
    after = min((i for i in shown if i > number), default=None)
    with st.container(horizontal=True):
        _turn("Previous", before, "arrow_back", "PageUp")
        _turn("Next", after, "arrow_forward", "PageDown")


def _turn(label: str, to: int | None, icon: str, key: str) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        on_click=state.choose,
        kwargs={_STEP: to},
        disabled=to is None,
        shortcut=key,
        help=f"The {label.lower()} step; {key} on the keyboard or on a presenter's remote.",
    )


def show_step(lesson: Lesson, number: int, *, key: str, large: bool) -> None:
    """Ask the question of a step and, once it is answered, show the picture.

    Args:
        lesson: The tour.
        number: Of the step, from 1.
        key: Name of the tour and its data; answers are remembered under it.
        large: Whether this is the presenter view.
    """
    step = lesson.steps[number - 1]
    st.caption(ACTS[step.chapter.act - 1])
    st.header(f"{number}. {step.chapter.title}")
    if isinstance(step, Skipped):
        st.info("This step is skipped for these data:", icon=":material/info:")
        st.text(step.reason)
        return
    name = f"tour-{key}-{step.chapter.name}"
    is_revealed = name in state.chosen(_REVEALED)
    if not (large and is_revealed):  # it has been read, and the picture needs the height
        _introduce(step)
    st.subheader(step.content.question)
    if is_revealed:
        _reveal(step, name, lesson.command, large=large)
    else:
        _ask(step, name)


def _introduce(step: Step) -> None:
    st.text(step.content.text)
    for label, text in step.content.exhibits:
        with st.container(border=True):
            st.markdown(f"**{label}**")
            st.text(text)


def _ask(step: Step, name: str) -> None:
    chosen = _choices(step, name, is_open=True)
    st.button(
        "Reveal",
        type="primary",
        icon=":material/visibility:",
        on_click=_note_revealed,
        args=(name,),
        disabled=chosen is None,
        help="Shows the answer and the picture; choose an answer first.",
    )


def _choices(step: Step, name: str, *, is_open: bool, horizontal: bool = False) -> int | None:
    content = step.content
    return st.radio(
        "Your answer",
        range(len(content.choices)),
        index=None,
        format_func=lambda i: content.choices[i],
        key=name,
        persist_state="session",
        disabled=not is_open,
        label_visibility="visible" if is_open else "collapsed",
        horizontal=horizontal,
        help="Choose before you look.",
    )


def _note_revealed(name: str) -> None:
    state.choose(**{_REVEALED: [*state.chosen(_REVEALED), name]})


def _reveal(step: Step, name: str, command: str, *, large: bool) -> None:
    content = step.content
    chosen = _choices(step, name, is_open=False, horizontal=large)
    answer = content.choices[content.right]
    if chosen == content.right:
        st.success(f"Right: {answer}.", icon=":material/check_circle:")
    else:
        st.warning(f"Not here: {answer[0].lower()}{answer[1:]}.", icon=":material/cancel:")
    figure = _enlarged(content.figure) if large else content.figure
    origin = Origin(f"{content.origin}.", command)
    chart(figure, key=f"tour-{step.chapter.name}", alt=content.alt, origin=origin)
    st.markdown("**To remember**")
    st.text(content.takeaway)
    st.text(content.explanation)
    if content.own:
        st.text(content.own)
    with st.expander("For a speaker", icon=":material/record_voice_over:"):
        st.text(content.notes)
    caption(origin.caption)
    st.page_link(page_file(step.chapter.page), label="More on this", icon=":material/explore:")


def _enlarged(figure: "Figure") -> "Figure":
    letters = {"size": _LETTERS}  # each by name: the page's theme has its own for ticks and legends
    own = type(figure)(figure).update_layout(height=_HEIGHT, legend_font=letters)
    own.update_xaxes(tickfont=letters, title_font=letters, automargin=True)
    own.update_yaxes(tickfont=letters, title_font=letters, automargin=True)
    return own.update_annotations(font=letters)


def take_home(lesson: Lesson) -> None:
    """Say what to remember, offer the whole tour as an HTML file, and the command for it."""
    st.header("What to remember")
    for act, sentences in lesson.takeaways.items():
        st.markdown(f"**{ACTS[act - 1]}**")
        for sentence in sentences:
            st.text(f"• {sentence}")

    def page() -> str:
        from bertflow_core.studies.tour.page import lesson_page

        return lesson_page(lesson)

    st.download_button(
        "This tour as a page",
        page,
        "lesson.html",
        "text/html",
        icon=":material/download:",
        on_click="ignore",
        help="One file with every question and figure that opens without a network.",
    )
    st.code(lesson.command, language="shell", wrap_lines=True)
