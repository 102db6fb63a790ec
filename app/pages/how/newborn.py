"""How a cone forms: a recording of a small language model that is trained from scratch."""

from functools import partial

import streamlit as st
from bertflow_app import services
from bertflow_app.browser.pictures import newborn_view
from bertflow_app.show import Origin, chart, drawer, show_table

from bertflow_core.analysis.frequency import course_by_rank
from bertflow_core.exhibits.newborn import Recording, stored_recording
from bertflow_core.figures import equation_cloud
from bertflow_core.studies.space.cone import cone_figure
from bertflow_core.wording import percent

GAO = "https://openreview.net/forum?id=SkEYojRqtm"


def draw() -> None:
    """Show the stored recording and what its model has learnt."""
    recording = stored_recording()
    first, *_, last = recording.frames
    st.write(
        "A small language model that learns to guess masked words forms a cone by itself. After "
        f"**{last['step']} steps** the mean cosine of two words is **{last['mean_cosine']:.2f}**; "
        f"with its initial random weights it was {abs(first['mean_cosine']):.2f}."
    )
    newborn_view(recording.picture(), key="newborn-view")
    with st.expander("Why the words drift"):
        _reason(recording)
    st.header("What a context and a word have in common")
    _equation_panel(recording)
    st.header("Calibrate it")
    _calibration_panel(recording)
    st.caption(
        "The command below trains the model in about half a minute and writes a recording. It is "
        "one file to read, from the words to the three equations."
    )
    drawer(Origin(recording.caption, recording.command))


def _reason(recording: Recording) -> None:
    st.write(
        "Each step pushes all words but the right one away from the context's vector, so all of "
        "them move the same way. A word is pulled back only where it is the right one. From "
        f"frequent to rare words, the mean norm in this model {course_by_rank(recording.norms)}; "
        f"for words that never occur it is {recording.frames[-1]['unused_norm']:.2f}."
    )
    n_shown = sum(count > 0 for count in recording.counts)
    n_never = len(recording.counts) - n_shown
    st.caption(
        f"The picture shows {n_shown} of {recording.n_words:,} words, and {n_never} that never "
        "occur. Its axes are the mean direction of the shown words at the end, and the "
        "direction of largest variance orthogonal to it. Point at a word to see its path. "
        f"[Gao et al. (2019)]({GAO}) prove, under assumptions, that words that never occur are "
        "driven far out in one direction."
    )


def _equation_panel(recording: Recording) -> None:
    """Show how well h . w follows PMI + log p(x)."""
    found = recording.equation[-1]
    learnt = "frequency first" if found["r2_log_p"] > found["r2_pmi"] else "co-occurrence first"
    st.write(
        f"The model has learnt **{learnt}**. In "
        r"$h_c \cdot w_x = a\,\mathrm{PMI}(x, c) + b \log p(x) + \lambda_c$ "
        f"(equation 3 of the paper) a is {found['pmi']:.2f} and b is {found['log_p']:.2f}; both "
        "would be 1 if it knew all counts. Of the variance within contexts, log p alone explains "
        f"{100 * found['r2_log_p']:.0f} % and PMI alone {100 * found['r2_pmi']:.0f} %. Longer "
        "training (`python examples/newborn.py --steps 1000 --out newborn.json`) raises a."
    )
    figure = equation_cloud(**recording.points, r2=found["r2"])
    chart(figure, key="newborn-equation")
    with st.expander("Numbers"):
        show_table(
            recording.equation_table, alt="Coefficients and explained shares of equations 2 and 3"
        )


def _calibration_panel(recording: Recording) -> None:
    plain, *others = recording.spaces
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
    for column, row in zip(st.columns(len(recording.spaces)), recording.spaces, strict=True):
        key = f"newborn-{row['calibrator']}"
        column.plotly_chart(
            services.figure_of(key, partial(cone_figure, recording.pairs, [row])),
            key=key,
            alt=f"Sentences as points on a sphere under {row['calibrator']}: the mean of their "
            f"directions has length {row['mean_length']:.2f}",
        )
    with st.expander("Numbers"):
        show_table(
            recording.spaces_table, alt="rho and random cosine by calibrator, untrained and trained"
        )
