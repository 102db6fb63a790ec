"""Pieces that pages share: tables of results, downloads, a job's progress, notices."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st
from bertflow_app import services, state
from bertflow_app.jobs import Job, State
from bertflow_app.parts import take_home
from bertflow_app.parts.exports import downloads

from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.results import FEW_PAIRS, Result, cut_of, few_pairs, why_unscored
from bertflow_core.studies.scores import score_rows, scores_report
from bertflow_core.tables import TextTable, guard_formula, percent

__all__ = [
    "ask",
    "caption",
    "cell",
    "comparison_table",
    "follow",
    "leave",
    "problem",
    "table_of_text",
    "take_home_panel",
]

POLL_SECONDS = 0.5
SHOWN_CHARACTERS = 500
NOT_AVAILABLE = "not available"


def problem(error: BertFlowError | str) -> None:
    """Show one sentence that says what is wrong; it may hold untrusted text, so it is plain."""
    with st.container(border=True):
        st.markdown(":material/error: **This cannot be done**")
        st.text(str(error))


def caption(text: str) -> None:
    """Say what numbers depend on; it may hold untrusted text, such as a file's name.

    It is plain text: in Markdown even an escaped name can become a link.
    """
    st.text(text)


def cell(text: str) -> str:
    """Return untrusted text for a table: cut, and safe in the CSV that every table offers."""
    return guard_formula(text[:SHOWN_CHARACTERS])


def table_of_text(table: TextTable, *, alt: str) -> None:
    """Show a table whose cells are text already; its remarks are left to the page."""
    st.dataframe(
        [dict(zip(table.header, line, strict=True)) for line in table.rows],
        hide_index=True,
        alt=alt,
    )


def comparison_table(results: Sequence[Result]) -> None:
    """Show calibrators side by side, arrows against the first, with the recipe as the caption."""
    prepared = results[0].prepared
    is_scored = prepared.pairs.gold is not None
    rows = [
        {
            "Calibrator": row.calibrator,
            "rho x 100": percent(row.rho) if is_scored else NOT_AVAILABLE,
            "Change": _arrow(row.change),
            "Pearson x 100": percent(row.pearson) if is_scored else NOT_AVAILABLE,
            "Mean random cosine": f"{row.random_cosine:.3f}",
            "Fit (s)": f"{row.fit_seconds:.2f}",
        }
        for row in score_rows(results)
    ]
    st.dataframe(rows, hide_index=True, alt="Each calibrator's numbers, and its change of rho")
    caption(
        f"{prepared.recipe.with_(calibrator=results[-1].spec).caption()}. {prepared.pairs.size}; "
        f"{cut_of(prepared)}."
    )
    if not is_scored:
        st.write(why_unscored(prepared.pairs))
    elif len(prepared.pairs) < FEW_PAIRS:
        st.write(few_pairs(len(prepared.pairs)))


def _arrow(change: float | None) -> str:
    """Say with a sign and a shape, not with a colour alone, which way rho went."""
    if change is None:
        return ""
    if abs(change) < 5e-5:
        return "= 0.00"
    return f"{'▲' if change > 0 else '▼'} {100 * change:+.2f}"


def take_home_panel(results: Sequence[Result], chosen: Result) -> None:
    """Offer the table in every form, and the vectors and calibrator of the one `chosen`."""
    downloads(partial(scores_report, results), label="Table as {}")
    with st.container(horizontal=True):
        st.download_button(
            f"Vectors under {chosen.spec}",
            partial(take_home.calibrated_vectors, chosen),
            "calibrated.npy",
            on_click="ignore",
            help=f"float32, {take_home.vector_rows(chosen)}.",
        )
        st.download_button(
            f"Fitted {chosen.spec}",
            partial(take_home.saved_calibrator, chosen),
            "calibrator.zip",
            on_click="ignore",
            help="A folder for `bertflow-lab calibrate --calibrator`.",
        )


def ask(
    button: str,
    job: Callable[..., Job | None],
    *,
    invitation: str,
    help: str,
    icon: str = ":material/play_arrow:",
) -> Any:  # noqa: ANN401 - what the job computes
    """Draw the button of a page and return its result; end the page where there is none yet.

    Args:
        button: What is written on it.
        job: Called with `start`, whether it was pressed; returns the job of the page's choices,
            or None where nobody started it.
        invitation: What the page says before anybody has pressed.
        help: What pressing does.
        icon: Left of the label.

    Raises:
        BertFlowError: The job cannot be started; the frame of the page shows why.
    """
    found = job(start=st.button(button, type="primary", icon=icon, help=help))
    if found is None:
        st.info(invitation)
        st.stop()
    if not follow(found):
        st.stop()
    return found.result


def follow(job: Job) -> bool:
    """Show a job's progress with a way to stop it; return whether its result is there."""
    snapshot = job.watch(services.present(state.visitor()))
    if snapshot.is_live:
        _live_progress(job)
        return False
    if snapshot.state is State.CANCELLED:
        st.info("Stopped. What was embedded so far is kept; press the button to go on.")
    if snapshot.state is State.FAILED:
        if job.error is not None and not isinstance(job.error, InputError | BertFlowError):
            raise job.error  # the server's handler logs it and shows a reference
        problem(snapshot.error or "unknown failure")
    return snapshot.state is State.DONE


@st.fragment(run_every=POLL_SECONDS)
def _live_progress(job: Job) -> None:
    snapshot = job.watch(services.present(state.visitor()))
    if not snapshot.is_live:
        st.rerun()
    share = min(1.0, snapshot.done / snapshot.total)
    left = "" if snapshot.seconds_left is None else f", about {snapshot.seconds_left:.0f} s left"
    waiting = "Waiting for another computation" if snapshot.state is State.QUEUED else "Starting"
    what = f"{snapshot.done:,} of {snapshot.total:,} {snapshot.unit}" if snapshot.unit else waiting
    st.progress(share, text=f"{what}{left}")
    st.button(
        "Stop",
        icon=":material/stop:",
        on_click=leave,
        args=(job,),
        help="Ends the work, unless somebody else waits for it too.",
    )


def leave(job: Job) -> None:
    """Stop a job, or say that it goes on because somebody else waits for it too."""
    if not job.leave(state.visitor()):
        st.toast("Somebody else waits for the same computation, so it goes on.")
