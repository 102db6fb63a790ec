"""Computation on a page: its choices, its button, progress with a stop button, its result."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.widgets.components import PageEnd, end_page, problem
from bertflow_app.work.jobs import Job, State

from bertflow_core.errors import BertFlowError

TITLE, ICON = "Choices", ":material/tune:"
UNNOTICED_SECONDS = 0.15
"""A job that ends within this time shows only its result and no progress."""
POLL_SECONDS = 0.5
LOOKS, LOOK_SECONDS = 4, 0.1
"""How often, and how many seconds apart, a page's thread checks between two polls whether the job
has ended. A result then appears at once."""


class Fold:
    """An expander for choices; its title names what is chosen.

    The choices are known only after their widgets are drawn, so the expander is drawn twice in the
    same place. First it has the previous title and state, so that nothing moves under the pointer;
    `settle` then draws it with the new ones, and leaves its widgets as they are.
    """

    def __init__(self) -> None:
        self._slot = st.empty()
        title, is_open = state.visit().fold
        self._box = self._slot.expander(title or TITLE, expanded=is_open, icon=ICON)

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Draw widgets in the expander; if a choice is refused, it opens and the page ends."""
        n_said = len(state.visit().said)
        try:
            with self._box:
                yield
            if len(state.visit().said) > n_said:  # next to its box
                end_page()
        except (BertFlowError, PageEnd):
            self.settle((), is_open=True)
            raise

    def settle(self, choices: Sequence[str], *, is_open: bool) -> None:
        """Name the choices in the title. It is Markdown, so no choice may be a visitor's text."""
        named = " · ".join(filter(None, choices))
        title = f"{TITLE}: {named}" if named else TITLE
        state.visit().fold = title, is_open
        self._slot.expander(title, expanded=is_open, icon=ICON)

    def open_over(self, job: Job | None) -> None:
        """Open the expander if a job failed or was stopped: its button restarts the job."""
        title, is_open = state.visit().fold
        if not (is_open or job is None or job.gives_result):
            state.visit().fold = title, True
            self._slot.expander(title, expanded=True, icon=ICON)


def start_button(label: str, help: str) -> bool:
    """Draw the button that starts a page's work; return whether it was pressed."""
    return st.button(label, type="primary", icon=":material/play_arrow:", help=help)


def ask(
    button: str,
    work: Shared,
    *,
    fold: Fold,
    choices: Sequence[str],
    help: str,
    wanted: bool | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Any:  # noqa: ANN401 - what is computed
    """Draw the button that starts a page's work; return the result, or end the page without it.

    The button stands below the choices in `fold`, whose title names the `choices`; the result
    closes the expander. `help` says what the button does. Short work starts without a press: see
    `Shared.find_or_begin` for `wanted`. `meanwhile` draws what can be seen before the result.
    """
    with fold.drawing():
        pressed = start_button(button, help)
        found = work.find_or_begin(pressed=pressed, wanted=wanted)
    fold.settle(choices, is_open=found is None or not found.gives_result)
    if found is None:
        st.info(f"Press **{button}**. {help}")
        end_page()
    return result_of(found, meanwhile)


def then(first: Shared, second: Shared, fold: Fold) -> Any:  # noqa: ANN401 - what is computed
    """Return the result of a page's second job; end the page if there is none yet.

    The job starts by itself. After a failure or a stop, the first job's button restarts it.
    """
    found = second.find(start=first.pressed or None)
    assert found is not None
    fold.open_over(found)
    return result_of(found)


def result_of(job: Job, meanwhile: Callable[[], None] | None = None) -> Any:  # noqa: ANN401
    """Return the result of a job; end the page if there is none yet."""
    if not follow(job, meanwhile, is_last=True):
        end_page()
    return job.result


def follow(
    job: Job | None, meanwhile: Callable[[], None] | None = None, *, is_last: bool = False
) -> bool:
    """Show a job's progress with a stop button; return whether its result is there.

    `meanwhile` draws, below the progress, what can be seen before the result. `is_last` says that
    the page shows nothing else below, so its script may wait for the result.
    """
    if job is None:
        return False
    state.visit().seen_jobs.append(job.key)
    progress = st.container()  # always, since a late poll writes into it
    job.watch(state.visitor())
    if is_last:
        job.wait(UNNOTICED_SECONDS)
    if not job.is_live:
        _say_why_over(job, "Stopped. Press the button to start it again.")
        return job.state is State.DONE
    if meanwhile is not None:
        meanwhile()
    with progress:
        line = st.container()
        _stop_button(job)  # outside the fragment, so it works at once
    with line:
        _live_progress(job, None if is_last else state.drawn_parts())
    return False


def watch(job: Job, draw: Callable[[bool], None], *, seconds: float) -> None:
    """Redraw a job's partial result while it runs; `draw` is told whether the job still runs."""
    st.fragment(_watched, run_every=seconds if job.is_live else None)(job, draw, job.is_live)


def _watched(job: Job, draw: Callable[[bool], None], was_live: bool) -> None:
    job.watch(state.visitor())
    is_live = job.is_live
    if was_live and not is_live:
        st.rerun()
    if is_live:
        _progress_line(job)
        _stop_button(job)
    else:
        _say_why_over(
            job, "Stopped. The results so far are below; press the button to start it again."
        )
    draw(is_live)


def _say_why_over(job: Job, stopped: str) -> None:
    """Say why a job ended without a result, once; raise its error if it is unexpected."""
    if job.state is State.CANCELLED:
        st.info(stopped)
    elif isinstance(job.error, BertFlowError):
        if str(job.error) not in state.visit().said:
            problem(job.error)
    elif job.error is not None:
        raise job.error


@st.fragment(run_every=POLL_SECONDS)
def _live_progress(job: Job, passing: tuple[str, ...] | None) -> None:
    """Show progress, and check until shortly before the next poll whether the job has ended."""
    line = st.empty()
    for _ in range(LOOKS):
        job.watch(state.visitor())
        if not job.is_live:
            st.rerun()
        with line:  # Streamlit ends the run here if the visitor has left
            _progress_line(job)
        if state.drawn_parts() == passing:
            return
        job.wait(LOOK_SECONDS)


def _progress_line(job: Job) -> None:
    is_queued = job.state is State.QUEUED
    waiting = "Waiting for other computations" if is_queued else "Starting"
    what = f"{job.done:,} of {job.total:,} {job.unit}" if job.unit else waiting
    left = _left_text(job.seconds_left)
    if job.done >= job.total:  # this stage is done, the job is not
        left = "; the rest follows"
    st.progress(min(1.0, job.done / job.total), text=f"{what}{left}")


def _left_text(seconds: float | None) -> str:
    """Return the time left, in minutes if it is 90 seconds or more; empty if unknown."""
    if seconds is None:
        return ""
    amount = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
    return f", about {amount} left"


def _stop_button(job: Job) -> None:
    """Draw the button that stops a job for this visitor; each job on a page may have one."""
    st.button(
        "Stop",
        icon=":material/stop:",
        key=f"stop {job.key}",
        on_click=_leave,
        args=(job,),
        help="Ends the work, unless other visitors wait for it too.",
    )


def _leave(job: Job) -> None:
    state.visit().stopped_jobs.add(job.key)
    if not job.leave(state.visitor()):
        st.toast("Somebody else is waiting for the same computation, so it continues.")
