"""Pieces that pages share: tables of results, downloads, a job's progress, notices."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import streamlit as st
from bertflow_app import state
from bertflow_app.by_itself import find_or_begin
from bertflow_app.folders import without_folders
from bertflow_app.jobs import Job, State
from bertflow_app.parts.fold import Fold

from bertflow_core.encoders.given import ROWS
from bertflow_core.errors import BertFlowError
from bertflow_core.text_table import guard_formula
from bertflow_core.wording import with_remedy

UNNOTICED_SECONDS = 0.15
"""Time in which a job that is done needs no word: nothing but its result is seen."""
POLL_SECONDS = 0.5
LOOKS, LOOK_SECONDS = 4, 0.1
"""Looks at a live job between two polls, so that its result is shown as soon as it is there."""
SHOWN_CHARACTERS = 500
_MORE_SENTENCES = (
    "To fit on more sentences, add some to the data, or choose a larger Fit corpus under More in "
    "the sidebar."
)
_MORE_VECTORS = "To fit on more vectors, upload a larger file of them under Your data."
_ALL_WORDS = "Calibrators of words are fitted on every row of the word table: there are no more."


class PageEnd(Exception):
    """A page has no more to show; the frame of the pages catches it."""


def end_page() -> NoReturn:
    """End the page here: unlike `st.stop` it lets the frame say what it has to say."""
    raise PageEnd


def problem(error: BertFlowError | str) -> None:
    """Show one sentence that says what is wrong; it may hold untrusted text, so it is plain."""
    with st.container(border=True):
        st.markdown(":material/error: **This cannot be done**")
        st.text(without_folders(str(error)))


def caption(text: str) -> None:
    """Say what numbers depend on; it may hold untrusted text, such as a file's name.

    It is plain text: in Markdown even an escaped name can become a link.
    """
    st.text(text)


def say_notes(notes: Sequence[str], *, said: Sequence[str] = (), of_words: bool = False) -> None:
    """Say what fits noted, and where this page lets one do what a note asks for."""
    how = _ALL_WORDS if of_words else how_to_fit_on_more()
    left = [note for note in with_remedy(notes, how) if note not in said]
    if left:
        caption(" ".join(left))


def how_to_fit_on_more() -> str:
    """Say where the visitor has a fit of the sidebar's recipe take more rows."""
    return _MORE_VECTORS if state.current_recipe().source is ROWS else _MORE_SENTENCES


def cell(text: str) -> str:
    """Return untrusted text for a table: cut, and safe in the CSV that every table offers."""
    return guard_formula(text[:SHOWN_CHARACTERS])


def ask(
    button: str,
    job: Callable[..., Job | None],
    *,
    fold: Fold,
    choices: Sequence[str],
    invitation: str,
    help: str,
    icon: str = ":material/play_arrow:",
    disabled: bool = False,
    wanted: bool | None = None,
    then: Callable[..., Job | None] | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Any:  # noqa: ANN401 - what the job computes
    """Draw the button of a page and return its result; end the page where there is none yet.

    Where every choice is the default, or the data are few, the work begins by itself.

    Args:
        button: Its label.
        job: Called with `start`, which is true when the work is to begin; returns the job of the
            page's choices, or None where nobody began it.
        fold: What the choices stand in; the button joins them, and it closes over a result.
        choices: Those that the title of the fold names.
        invitation: What the page says before anybody has pressed.
        help: What pressing does.
        icon: Left of the label.
        disabled: Whether the button cannot be pressed.
        wanted: As `find_or_begin` has it.
        then: Called with the finished job and `start`; returns a second job, which starts by
            itself, and whose result is then the page's.
        meanwhile: Draws what there is to see before the result.

    Raises:
        BertFlowError: The job cannot be started; the frame of the page shows why.
    """
    with fold.drawing():
        pressed = st.button(button, type="primary", icon=icon, help=help, disabled=disabled)
        found = find_or_begin(job, pressed=pressed, wanted=wanted)
    fold.settle(choices, is_open=not is_under_way(found))
    result = result_of(found, invitation, meanwhile)
    if then is None or found is None:
        return result
    return result_of(then(found, start=pressed or None))


def is_under_way(job: Job | None) -> bool:
    """Tell whether there is a result, or one to wait for; a job that is to stop gives none."""
    return job is not None and (job.is_wanted or job.state is State.DONE)


def result_of(
    job: Job | None, invitation: str = "", meanwhile: Callable[[], None] | None = None
) -> Any:  # noqa: ANN401 - what it computes
    """Return the result of a job; end the page where there is none yet."""
    if job is None:
        st.info(invitation)
        end_page()
    if not follow(job, meanwhile, is_last=True):
        end_page()
    return job.result


def follow(job: Job, meanwhile: Callable[[], None] | None = None, *, is_last: bool = False) -> bool:
    """Show a job's progress with a way to stop it; return whether its result is there.

    Args:
        job: The job.
        meanwhile: Draws, below the progress, what there is to see before the result.
        is_last: Whether nothing stands below it before the result is there, so that a run of the
            page can wait for it.
    """
    state.seen_jobs().append(job.key)
    progress = st.container()  # always: a late poll must not meet something else in its place
    job.watch(state.visitor())
    if is_last:
        job.wait(UNNOTICED_SECONDS)
    if job.is_live:
        if meanwhile is not None:
            meanwhile()
        with progress:
            line = st.container()
            stop_button(job)  # outside the line's fragment, so that it is heard at once
        with line:
            _live_progress(job, None if is_last else state.drawn_parts())
        return False
    if job.state is State.CANCELLED:
        st.info("Stopped. Press the button to start it again.")
    show_failure(job)
    return job.state is State.DONE


def show_failure(job: Job) -> None:
    """Show why a job failed, if it did and no box has said so.

    What nobody expected goes to the server's handler.
    """
    if isinstance(job.error, BertFlowError):
        if str(job.error) not in state.said():
            problem(job.error)
    elif job.error is not None:
        raise job.error


@st.fragment(run_every=POLL_SECONDS)
def _live_progress(job: Job, passing: tuple[str, ...] | None) -> None:
    """Show progress, and look for the end until shortly before the next poll."""
    line = st.empty()
    for _ in range(LOOKS):
        job.watch(state.visitor())
        if not job.is_live:
            st.rerun()
        with line:  # where Streamlit ends the run of a visitor who went on
            progress_line(job)
        if state.drawn_parts() == passing:
            return
        job.wait(LOOK_SECONDS)


def progress_line(job: Job) -> None:
    """Show how far a live job is, and its time left."""
    is_queued = job.state is State.QUEUED
    waiting = "Waiting for other computations" if is_queued else "Starting"
    what = f"{job.done:,} of {job.total:,} {job.unit}" if job.unit else waiting
    seconds = job.seconds_left
    left = "" if seconds is None else f", about {seconds:.0f} s left"
    st.progress(min(1.0, job.done / job.total), text=f"{what}{left}")


def stop_button(job: Job, *, key: str | None = None) -> None:
    """Draw the button that stops a job for this visitor; a page may show one for each job."""
    st.button(
        "Stop",
        icon=":material/stop:",
        key=f"stop {job.key}" if key is None else key,
        on_click=_leave,
        args=(job,),
        help="Ends the work, unless somebody else waits for it too.",
    )


def _leave(job: Job) -> None:
    """Stop a job, or say that it goes on because somebody else waits for it too."""
    state.stopped_jobs().add(job.key)
    if not job.leave(state.visitor()):
        st.toast("Somebody else waits for the same computation, so it goes on.")
