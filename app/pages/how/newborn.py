"""How a cone forms: a small language model trained from scratch, recorded and live."""

from functools import partial

import streamlit as st
from bertflow_app import services, state
from bertflow_app.browser.pictures import newborn_view
from bertflow_app.shared import Shared
from bertflow_app.show import show_end, show_picture, show_table
from bertflow_app.widgets.choices import bound
from bertflow_app.widgets.work import start_button, watch
from bertflow_app.work.jobs import Job

from bertflow_core.analysis.frequency import course_by_rank
from bertflow_core.report.report import Report
from bertflow_core.studies.newborn.recording import (
    NORMS,
    LiveRecording,
    NewbornRecipe,
    bins_of,
    payload,
)
from bertflow_core.studies.space.cone import cone_figure
from bertflow_core.wording import percent

GAO = "https://openreview.net/forum?id=SkEYojRqtm"
POLL_SECONDS = 1.0
_KEY = "newborn-view"

PRESSED = "pressed_seed"
"""Key of the seed of this visitor's training. Others see it only if they choose its seed."""


def draw() -> None:
    """Show the stored training run, or the one that the visitor started."""
    lead = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = int(bound(NewbornRecipe, "seed", default=1, key="newborn_seed", width=160))
        pressed = start_button(
            "Train one now",
            "Trains a model on this machine while you watch, in about half a minute. The results "
            "below the picture take some seconds more.",
        )
    if pressed:
        state.choose(**{PRESSED: seed})
    # The address holds the seed only if it is not the default.
    is_asked = state.held(PRESSED) == seed or "newborn_seed" in state.asked()
    job = training(NewbornRecipe(seed=seed)).find(start=pressed) if is_asked else None
    is_done = job is not None and isinstance(job.result, Report)
    shown: Report = job.result if job is not None and is_done else services.shipped("newborn")
    whose = "a run on this machine" if is_done else "the stored run"
    named = f"{whose}, seed {shown.params.to_dict()['seed']}"
    first, *_, last = shown.rows
    lead.write(
        "A small language model that learns to guess masked words forms a cone by itself. After "
        f"**{last['step']} steps** the mean cosine of two words is **{last['mean_cosine']:.2f}**; "
        f"with its initial random weights it was {abs(first['mean_cosine']):.2f}. These numbers "
        f"come from {named}."
    )
    run = job.key if job is not None and is_done else "stored"
    if job is None or is_done:
        newborn_view(payload(shown.rows, shown.facts), run=run, is_live=False, key=_KEY)
    else:
        watch(job, lambda is_live: _draw_recorded(job, is_live), seconds=POLL_SECONDS)
        st.caption(
            f"The picture shows the new training, seed {seed}; everything else shows {named}."
        )
    with st.expander("Why the words drift"):
        _reason(shown, named)
    st.header("What a context and a word have in common")
    _equation_panel(shown)
    st.header("Calibrate it")
    _calibration_panel(shown, run)
    with st.expander("Recipe, numbers and command"):
        st.text(shown.text())
        show_end(shown)


def training(recipe: NewbornRecipe) -> Shared:
    """Return the job that trains a model: a `LiveRecording` while it runs, then a `Report`."""
    return Shared("studies.newborn.study:train_newborn", recipe, live=LiveRecording(recipe))


def _draw_recorded(job: Job, is_live: bool) -> None:
    """Show the recording of a training run that still goes on, or that ended early."""
    rows, facts = job.result.seen() if isinstance(job.result, LiveRecording) else ([], {})
    if rows:
        newborn_view(payload(rows, facts), run=job.key, is_live=is_live, key=_KEY)


def _reason(shown: Report, named: str) -> None:
    last, facts = shown.rows[-1], shown.facts
    norms = {
        ranks: last[name] for ranks, name in zip(bins_of(facts["n_words"]), NORMS, strict=False)
    }
    unused = last["unused_norm"]
    never = "" if unused is None else f"; for words that never occur it is {unused:.2f}"
    st.write(
        "Each step pushes all words but the right one away from the context's vector, so all of "
        "them move the same way. A word is pulled back only where it is the right one. From "
        f"frequent to rare words, the mean norm in this model {course_by_rank(norms)}{never}."
    )
    n_shown = sum(count > 0 for count in facts["counts"])
    n_never = len(facts["counts"]) - n_shown
    st.caption(
        f"The picture shows {named}: {n_shown} of {facts['n_words']:,} words, and {n_never} that "
        "never occur. Its axes are the mean direction of the shown words at the end, and the "
        "direction of largest variance orthogonal to it. Point at a word to see its path. "
        f"[Gao et al. (2019)]({GAO}) prove, under assumptions, that words that never occur are "
        "driven far out in one direction."
    )


def _equation_panel(newborn: Report) -> None:
    """Show how well h . w follows PMI + log p(x)."""
    table = newborn.tables[1]
    found = table.rows[1]
    learnt = "frequency first" if found["r2_log_p"] > found["r2_pmi"] else "co-occurrence first"
    st.write(
        f"The model has learnt **{learnt}**. In "
        r"$h_c \cdot w_x = a\,\mathrm{PMI}(x, c) + b \log p(x) + \lambda_c$ "
        f"(equation 3 of the paper) a is {found['pmi']:.2f} and b is {found['log_p']:.2f}; both "
        "would be 1 if it knew all counts. Of the variance within contexts, log p alone explains "
        f"{100 * found['r2_log_p']:.0f} % and PMI alone {100 * found['r2_pmi']:.0f} %. Longer "
        "training (`bertflow-lab analyse newborn --n-steps 1000`) raises a."
    )
    show_picture(newborn, "newborn-equation")
    with st.expander("Numbers"):
        show_table(table, alt="Coefficients and explained shares of equation 3")


def _calibration_panel(newborn: Report, run: str) -> None:
    table = newborn.tables[0]
    plain, *others = table.rows
    best = max(others, key=lambda row: row["rho"] or -1.0)
    control = best["rho_untrained"]
    in_vain = control is not None and best["rho"] is not None and control >= best["rho"]
    nothing = ", so that training has added nothing here" if in_vain else ""
    st.write(
        "Sentence vectors inherit the cone. Rho x 100 of their cosine with gold scores is "
        f"{percent(plain['rho_untrained'])} before the first step, **{percent(plain['rho'])}** in "
        f"the cone, and **{percent(best['rho'])}** after `{best['calibrator']}`. The untrained "
        f"network reaches {percent(control)} with the same calibrator{nothing}."
    )
    for column, row in zip(st.columns(len(table.rows)), table.rows, strict=True):
        key = f"newborn-{row['calibrator']}"
        column.plotly_chart(
            services.figure_of(f"{key} {run}", partial(cone_figure, newborn, [row])),
            key=key,
            alt=f"Sentences as points on a sphere under {row['calibrator']}: the mean of their "
            f"directions has length {row['mean_length']:.2f}",
        )
    with st.expander("Numbers"):
        show_table(table, alt="rho and random cosine by calibrator, untrained and trained")
