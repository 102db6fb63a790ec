"""Computation on a page: its choices, its button, progress with a stop button, its result."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st
from bertflow_app import first_data, state
from bertflow_app.shared import Shared
from bertflow_app.widgets.components import PageEnd, end_page, problem
from bertflow_app.work.jobs import Job, State
from bertflow_app.work.registry import registry

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

    def __init__(self, name: str) -> None:
        self.name, self._slot = name, st.empty()
        title, is_open = self._state
        self._box = self._slot.expander(title or TITLE, expanded=is_open, icon=ICON)

    @property
    def _state(self) -> tuple[str, bool]:
        return state.visit().folds.get(self.name, ("", False))

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

    def settle(
        self, choices: Sequence[str], *, is_open: bool = False, has_result: bool = False
    ) -> None:
        """Name the choices in the title. It is Markdown, so no choice may be a visitor's text.

        A visitor who has changed a choice goes on choosing in the open expander until there is a
        result.
        """
        named = " · ".join(filter(None, choices))
        title = f"{TITLE}: {named}" if named else TITLE
        before, was_open = self._state
        is_open = is_open or (not has_result and (was_open or before not in ("", title)))
        state.visit().folds[self.name] = title, is_open
        self._slot.expander(title, expanded=is_open, icon=ICON)


def start_button(label: str, help: str | None = None) -> bool:
    """Draw the button that starts a page's work; return whether it was pressed."""
    return st.button(label, type="primary", icon=":material/play_arrow:", help=help)


def ask(
    button: str,
    work: Shared,
    *,
    fold: Fold,
    choices: Sequence[str],
    help: str,
    is_quick: bool = False,
    meanwhile: Callable[[], None] | None = None,
    keeps_last: bool = True,
) -> Any:  # noqa: ANN401 - what is computed
    """Draw the button that starts a page's work; return the result, or end the page without it.

    The button stands below `fold`, whose title names the `choices`; once it is not needed, it is
    among them. `help` says what the button does and how long it takes. Work on little data starts
    without a press, and so does work that `is_quick` on the default data once they are embedded.
    Until the result is there, the last one for other choices is returned if it `keeps_last`;
    without one, `meanwhile` draws what can be seen before.
    """
    before = work.find(start=False)
    row = st.container(horizontal=True, vertical_alignment="center")
    with fold.drawing() if before is not None and before.gives_result else row:
        pressed = start_button(button)
    is_ready = is_quick and state.is_untouched() and first_data.is_embedded()
    # None leaves it to the size of the data.
    found = work.find_or_begin(pressed=pressed, wanted=is_ready or None)
    fold.settle(choices, has_result=found is not None and found.gives_result)
    if found is None:
        row.text(help)
    shown = state.visit().shown_jobs
    name = f"{fold.name} {button}"
    last = registry().get(shown.get(name, "")) if keeps_last else None
    if last is not None and last is not found and last.state is State.DONE:
        if found is None or found.is_live:
            follow(found)
            st.info(f"What follows belongs to the previous choices. **{button}** makes it anew.")
            return last.result
    if found is None:
        if meanwhile is not None:
            meanwhile()
        end_page()
    result = result_of(found, meanwhile)
    shown[name] = found.key
    return result


def then(first: Shared, second: Shared) -> Any:  # noqa: ANN401 - what is computed
    """Return the result of a page's second job; end the page if there is none yet.

    The job starts by itself. After a failure or a stop, the first job's button restarts it.
    """
    found = second.find(start=first.pressed or None)
    assert found is not None
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
