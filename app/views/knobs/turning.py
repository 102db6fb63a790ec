"""A flow whose parameters are turned by hand: each turn fits it anew."""

from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import services, state
from bertflow_app.jobs import Job
from bertflow_app.parts.components import caption, follow, is_under_way, problem
from bertflow_app.parts.exports import chart, origin_of
from bertflow_app.views.knobs import jobs

from bertflow_core.calibrators.catalog import calibrator_info
from bertflow_core.errors import BertFlowError
from bertflow_core.figures import cosine_histograms
from bertflow_core.recipe import Recipe
from bertflow_core.studies.scores import fit_notes, score_rows, scores_report
from bertflow_core.text_table import percent

if TYPE_CHECKING:
    from bertflow_core.results import Result

FLOW = "flow"
TURNED = {each.name: each for each in calibrator_info(FLOW).parameters if each.tried}
GRACE_SECONDS = 0.5
"""Time in which most fits are done, so that nothing but the new picture is seen."""
_LAST = "last_turn"


@st.fragment
def turning_panel(recipe: Recipe) -> None:
    """Let the visitor turn the flow's parameters, and fit it at every turn."""
    spec = _chosen_spec()
    slot = st.empty()
    pressed = slot.button(
        "Fit this flow",
        icon=":material/play_arrow:",
        help="Embeds the sentences and fits the flow once; from then on every turn fits it anew.",
    )
    try:
        embedded = jobs.embedded(recipe, start=pressed or spec != FLOW)
        if embedded is None:
            st.info("Turn one of them, or press **Fit this flow**: a fit takes about a second.")
        elif follow(embedded):
            plain = embedded.result
            job = _only(jobs.turned_flow(recipe, plain, spec, again=pressed))
            job.wait(GRACE_SECONDS)
            if is_under_way(job):
                slot.empty()
            if follow(job):
                _show(plain, job.result)
    except BertFlowError as error:
        problem(error)


def _chosen_spec() -> str:
    """Draw a slider for each parameter; return the flow's spec, with what is not the default."""
    chosen = {}
    columns = st.columns(3)
    for number, each in enumerate(TURNED.values()):
        chosen[each.name] = columns[number % 3].select_slider(
            each.name,
            each.tried,
            value=each.default,
            key=f"turn_{each.name}",
            bind="query-params",
            help=each.help,
        )
    turned = [f"{key}={value:g}" for key, value in chosen.items() if value != TURNED[key].default]
    return f"{FLOW}:{','.join(turned)}" if turned else FLOW


def _only(job: Job) -> Job:
    """Take the visitor off the fit of the turn before, which nobody waits for any more."""
    before = services.registry().get(str(state.held(_LAST)))
    if before is not None and before is not job and before.is_live:
        before.leave(state.visitor())
    state.choose(**{_LAST: job.key})
    return job


def _show(plain: "Result", turned: "Result") -> None:
    row = score_rows([plain, turned])[-1]
    left, middle, right = st.columns(3)
    left.metric(
        turned.metric.header,
        percent(row.score),
        None if row.change is None else f"{100 * row.change:+.2f}",
        help=f"{turned.metric.title} x 100",
    )
    middle.metric(
        "Random cosine",
        f"{turned.random_cosine:.3f}",
        f"{turned.random_cosine - plain.random_cosine:+.3f}",
        delta_color="off",
    )
    right.metric("Fit", f"{turned.seconds['fit']:.2f} s")
    chart(
        cosine_histograms({each.spec: each.similarity for each in (plain, turned)}),
        key="turned",
        alt="Distribution of the pairs' cosines without calibration and under this flow",
        origin=origin_of(scores_report([plain, turned])),
    )
    caption(f"{turned.recipe.caption()}. Changes: against {plain.spec}; none is tested here.")
    for note in fit_notes([turned]):
        caption(note)
