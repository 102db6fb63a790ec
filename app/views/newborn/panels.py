"""The panels of the page How a cone forms: the picture, equation 3, and calibration."""

from itertools import pairwise

import streamlit as st
from bertflow_app import state
from bertflow_app.browser.newborn.component import newborn_view
from bertflow_app.jobs import Job, State
from bertflow_app.parts.components import (
    progress_line,
    show_failure,
    stop_button,
)
from bertflow_app.parts.exports import Origin, chart
from bertflow_app.show import show_table

from bertflow_core.analysis.frequency import course_by_rank
from bertflow_core.report import Table
from bertflow_core.studies.cone import cone_figure
from bertflow_core.studies.newborn.recording import LiveRecording, Recording
from bertflow_core.studies.newborn.report import (
    decomposition_table,
    equation_figure,
    spaces_table,
)
from bertflow_core.studies.newborn.result import Newborn
from bertflow_core.text_table import percent

POLL_SECONDS = 1.0
_KEY = "newborn-view"


def picture_panel(newborn: Newborn, *, run: str) -> None:
    """Show a finished training, ready to be played."""
    newborn_view(newborn.recording, run=run, is_live=False, key=_KEY)


def live_panel(job: Job) -> None:
    """Show a training while it runs, with a button to stop it, or what was recorded of it."""
    st.fragment(_live, run_every=POLL_SECONDS if job.is_live else None)(job, job.is_live)


def _live(job: Job, was_live: bool) -> None:
    snapshot = job.watch(state.visitor())
    if was_live and not snapshot.is_live:
        st.rerun()
    if snapshot.is_live:
        progress_line(snapshot)
        stop_button(job)
    elif snapshot.state is State.CANCELLED:
        st.info("Stopped. The training so far is below; press the button to start it again.")
    show_failure(job)
    recording = job.result.recording() if isinstance(job.result, LiveRecording) else None
    if recording is not None:
        newborn_view(recording, run=job.key, is_live=snapshot.is_live, key=_KEY)


def finding(recording: Recording) -> str:
    """Return the sentence that leads the page, from a recording's own numbers."""
    first, *_, last = recording.moments
    return (
        "A small language model that learns to guess masked words makes a cone by itself: after "
        f"**{last.step} steps** the mean cosine of two words is **{last.mean_cosine:.2f}**; of the "
        f"random weights that it began with it was {abs(first.mean_cosine):.2f}."
    )


def reason(recording: Recording) -> str:
    """Return why the words drift, from the last frame."""
    last = recording.moments[-1]
    norms = dict(zip(pairwise(recording.edges), last.norms, strict=True))
    unused = last.unused_norm
    never = "" if unused is None else f"; of words that never occur it is {unused:.2f}"
    return (
        "Each step pushes all words but the right one away from the context's vector, and so all "
        "of them the same way. A word is pulled back only where it is the right one. From frequent "
        f"to rare words, the mean norm in this model {course_by_rank(norms)}{never}."
    )


def equation_panel(newborn: Newborn, origin: Origin) -> None:
    """Show h . w against PMI + log p(x)."""
    found = newborn.equation.decomposition
    learnt = "frequency first" if found.r2_log_p > found.r2_pmi else "co-occurrence first"
    st.write(
        f"The model has learnt **{learnt}**: in "
        r"$h_c \cdot w_x = a\,\mathrm{PMI}(x, c) + b \log p(x) + \lambda_c$ "
        f"(equation 3 of the paper) a is {found.pmi:.2f} and b {found.log_p:.2f}, where both would "
        f"be 1 if it knew all counts; log p alone explains {100 * found.r2_log_p:.0f} % of the "
        f"variance within contexts, PMI alone {100 * found.r2_pmi:.0f} %. A longer training "
        "(`bertflow-lab analyse newborn --n-steps 1000`) raises a."
    )
    chart(
        equation_figure(newborn.equation),
        key="newborn-equation",
        origin=origin,
    )
    _folded(decomposition_table(newborn), alt="Coefficients and explained shares of equation 3")


def calibration_panel(newborn: Newborn) -> None:
    """Show the sentences of the newborn space before and after calibration."""
    plain, *others = newborn.cone.rows
    best = max(others, key=lambda row: row["rho"] or -1.0)
    control = next(each for each in newborn.untrained if each.spec == best["calibrator"])
    in_vain = control.rho is not None and best["rho"] is not None and control.rho >= best["rho"]
    nothing = ", so that training has added nothing here" if in_vain else ""
    st.write(
        "Sentence vectors inherit the cone. Their cosine agrees with people at rho x 100 = "
        f"{percent(newborn.untrained[0].rho)} before the first step, at "
        f"**{percent(plain['rho'])}** in the cone, and at **{percent(best['rho'])}** after "
        f"`{best['calibrator']}`. The untrained network reaches {percent(control.rho)} with the "
        f"same calibrator{nothing}."
    )
    rows = newborn.cone.rows
    for column, row in zip(st.columns(len(rows)), rows, strict=True):
        column.plotly_chart(
            cone_figure(newborn.cone, [row]),
            key=f"newborn-{row['calibrator']}",
            alt=f"Sentences as points on a sphere under {row['calibrator']}: the mean of their "
            f"directions has length {row['mean_length']:.2f}",
        )
    _folded(spaces_table(newborn), alt="rho and random cosine by calibrator, untrained and trained")


def _folded(table: Table, *, alt: str) -> None:
    with st.expander("Numbers"):
        show_table(table, alt=alt)
