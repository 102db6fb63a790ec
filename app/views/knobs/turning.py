"""A flow whose parameters are turned by hand: each turn fits it anew."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app import services, state
from bertflow_app.by_itself import find_or_begin, leave
from bertflow_app.parts.components import caption, follow, is_under_way, problem
from bertflow_app.parts.exports import chart, origin_of
from bertflow_app.parts.scores import say_how_scored
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
    key = jobs.turned_key(recipe, spec)
    try:
        _leave_last(key)
        pressed = _button(recipe, key)
        embed = partial(jobs.embedded, recipe)
        embedded = find_or_begin(embed, pressed=pressed, wanted=spec != FLOW)
        if embedded is None:
            st.info("Move a slider, or press **Fit this flow**: a fit takes about a second.")
        elif follow(embedded):
            _fit(recipe, embedded.result, spec, pressed=pressed)
    except BertFlowError as error:
        problem(error)


def _button(recipe: Recipe, key: str) -> bool:
    """Draw the button where there is no fit, and nothing that leads to one; return if pressed."""
    fit = services.registry().get(key)
    if is_under_way(fit) or (fit is None and is_under_way(jobs.embedded(recipe, start=False))):
        return False
    return st.button(
        "Fit this flow",
        icon=":material/play_arrow:",
        help="Embeds the sentences and fits the flow once; from then on every turn fits it anew.",
    )


def _fit(recipe: Recipe, plain: "Result", spec: str, *, pressed: bool) -> None:
    turn = partial(jobs.turned_flow, recipe, plain, spec)
    job = find_or_begin(turn, pressed=pressed, wanted=True)
    if job is None:
        st.info("Other computations of yours are under way: turn it again when one is done.")
        return
    job.watch(state.visitor())
    job.wait(GRACE_SECONDS)
    if follow(job):
        _show(plain, job.result)


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


def _leave_last(key: str) -> None:
    """Take the visitor off the fit of the turn before, which nobody waits for any more."""
    last = state.held(_LAST)
    if last not in (None, key):
        leave(str(last))
    state.choose(**{_LAST: key})


def _show(plain: "Result", turned: "Result") -> None:
    row = score_rows([plain, turned])[-1]
    left, middle, right = st.columns(3)
    left.metric(
        f"{turned.metric.header}, {turned.recipe.split}",
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
    caption(
        f"Cosines of the {turned.prepared.pairs.size} of the data; the random cosine is of random "
        f"ones. {turned.recipe.caption()}."
    )
    if row.change is not None:
        caption(
            f"Change: against {plain.spec}; not tested for significance. A flow that is chosen by "
            "these numbers looks better than it is: below, dev chooses."
        )
    for note in fit_notes([turned]):
        caption(note)
    say_how_scored(turned)
