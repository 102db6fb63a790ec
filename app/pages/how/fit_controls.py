"""The progress of a watched fit, with buttons to pause and to stop it."""

import streamlit as st
from bertflow_app import state
from bertflow_app.jobs import Snapshot, State
from bertflow_app.pages.how.fit_jobs import Live
from bertflow_app.parts.components import progress_line, show_failure, stop_button

POLL_SECONDS = 0.4


def fit_buttons(live: Live, was_live: bool, *, key: str) -> Snapshot:
    """Show the progress of a fit, with buttons to pause and to stop it; return its snapshot.

    Args:
        live: The fit.
        was_live: Whether it ran when the page was drawn; the page is drawn again once it ends.
        key: Names the buttons.
    """
    snapshot = live.job.watch(state.visitor())
    if was_live and not snapshot.is_live:
        st.rerun()
    if snapshot.is_live:
        _running(live, snapshot, key)
    elif snapshot.state is State.CANCELLED:
        st.info("Stopped. The fit so far is below; press the button to restart it.")
    show_failure(live.job)
    return snapshot


def _running(live: Live, snapshot: Snapshot, key: str) -> None:
    progress_line(snapshot)
    with st.container(horizontal=True):
        is_paused = live.paused.is_set()
        st.button(
            "Resume" if is_paused else "Pause",
            icon=":material/play_arrow:" if is_paused else ":material/pause:",
            key=f"{key}_pause",
            on_click=live.paused.clear if is_paused else live.paused.set,
            help="For everybody who watches this fit. A pause ends after two minutes, since other "
            "work waits behind it.",
        )
        stop_button(live.job, key=f"{key}_stop")
