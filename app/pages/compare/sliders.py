"""A flow with a slider for each parameter; each move fits it again."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link, link_export
from bertflow_app.shared import Shared, leave
from bertflow_app.show import Origin, chart, drawer
from bertflow_app.widgets.components import say_notes
from bertflow_app.widgets.scores import say_how_scored
from bertflow_app.widgets.work import UNNOTICED_SECONDS, follow
from bertflow_app.work.jobs import Job, State
from streamlit.delta_generator import DeltaGenerator

from bertflow_core.calibrators.registry import CALIBRATORS
from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS, Spec
from bertflow_core.evaluation import Comparison
from bertflow_core.figures import cosine_histograms
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import difference_text, percent

FLOW = "flow"
TURNED = {each.name: each for each in CALIBRATORS[FLOW].parameters() if each.tried}
GRACE_SECONDS = 0.5
"""Most fits end within this time, in which a progress bar would only flash."""
_LAST, _SHOWN = "last_turn", "shown_turn"
"""Keys of the last requested fit, and of the flow whose result was shown last."""


def draw() -> None:
    """Let the visitor move the sliders of a flow's parameters, and fit it at every move.

    It is not a fragment, because the progress below is one. Of two nested fragments Streamlit may
    send only the inner one, and the page stops in the browser.
    """
    recipe = state.current_recipe()
    spec = _chosen_spec()
    embedding, fit = Shared(_embedded, recipe), _fit_of(recipe, spec)
    last = state.held(_LAST)
    if last not in (None, fit.key):
        leave(str(last))  # nobody waits for the previous fit any more
    state.choose(**{_LAST: fit.key})
    slot = st.empty()
    job = fit.find(start=False) or embedding.find(start=False)
    is_idle = job is None or not job.gives_result  # nothing is done or running
    pressed = is_idle and slot.button(
        "Fit this flow",
        icon=":material/play_arrow:",
        help="Embeds the sentences and fits the flow. From then on every move of a slider "
        "fits it again.",
    )
    if embedding.find_or_begin(pressed=pressed, wanted=spec != FLOW) is None:
        st.info("Move a slider, or press **Fit this flow**: a fit takes about a second.")
    elif follow(embedding.job):
        fit = _fit_of(recipe, spec, embedding.result)
        job = fit.find_or_begin(pressed=pressed, wanted=True)
        if job is None:
            st.info(
                "Other computations of yours are running. Move the slider again when one is done."
            )
            return
        if job.gives_result:  # not so if this fit was stopped before
            slot.empty()
        _show(recipe, spec, job, embedding.result)


def _chosen_spec() -> Spec:
    """Draw a slider for each parameter; return the flow's spec, with non-default values only."""
    chosen = {}
    columns = st.columns(3)
    for number, each in enumerate(TURNED.values()):
        chosen[each.name] = columns[number % 3].select_slider(
            each.label,
            each.tried,
            value=each.default,
            key=f"turn_{each.name}",
            bind="query-params",
            help=each.help,
        )
    turned = [f"{key}={value:g}" for key, value in chosen.items() if value != TURNED[key].default]
    return Spec(f"{FLOW}:{','.join(turned)}" if turned else FLOW)


def _fit_of(recipe: Recipe, spec: Spec, plain: Evaluation | None = None) -> Shared:
    """Return the job that fits a flow; it cannot start without `plain`, the embedded data."""
    return Shared(_turned, recipe, spec, given=[plain])


def _embedded(recipe: Recipe, lab: Lab) -> Evaluation:
    (evaluation,) = lab.evaluate([recipe.with_(calibrator=BASELINE)])
    return evaluation


def _turned(recipe: Recipe, lab: Lab, spec: Spec, plain: Evaluation) -> Evaluation:
    return plain.embedded.under(spec, device=lab.device)


def _show(recipe: Recipe, spec: Spec, job: Job, plain: Evaluation) -> None:
    """Show a fit. While it runs, or if it was stopped, show the previous fit instead."""
    job.watch(state.visitor())
    line, notes = st.container(), st.container()
    places: Sequence[DeltaGenerator] = st.columns(3)
    job.wait(UNNOTICED_SECONDS)
    if job.is_live:  # the browser still shows the previous fit
        line = line.markdown(
            f":material/hourglass_top: Fitting `{spec}`; the picture still shows the previous "
            "settings."
        )
        places = [
            place.metric(name, "…", "…", delta_color="off", delta_arrow="off")
            for place, name in zip(places, _numbers(plain, plain), strict=True)
        ]
        job.wait(GRACE_SECONDS - UNNOTICED_SECONDS)
    with st.container():
        is_done = follow(job)
    shown = job.result if is_done else None if job.is_live else _shown_before(recipe)
    if shown is None:
        for place in (line, *places):
            place.empty()
        st.empty()  # clears what the previous fit drew below
        return
    if is_done:
        state.choose(**{_SHOWN: spec})
    said = ":material/check: Fitted" if is_done else ":material/history: The last flow fitted"
    line.markdown(f"{said}: `{shown.spec}`")
    for place, (name, options) in zip(places, _numbers(plain, shown).items(), strict=True):
        place.metric(name, **options)
    with notes:
        say_notes([f"{shown.spec}: {note}." for note in shown.notes])
    with st.container():
        _picture(plain, shown)
        _links(shown.spec)


def _shown_before(recipe: Recipe) -> Evaluation | None:
    """Return the flow that was shown last, if it was fitted to the end."""
    spec = state.held(_SHOWN)
    job = _fit_of(recipe, spec).find(start=False) if isinstance(spec, Spec) else None
    return None if job is None or job.state is not State.DONE else job.result


def _numbers(plain: Evaluation, turned: Evaluation) -> dict[str, dict[str, Any]]:
    recipe = turned.recipe
    cosine = difference_text(plain.random_cosine, turned.random_cosine, digits=3)
    return {
        turned.metric.header + (f", {recipe.split}" if recipe.has_splits else ""): {
            "value": percent(turned.score),
            "delta": _change(plain, turned) or None,
            "help": f"{turned.metric.title} x 100",
        },
        "Random cosine": {
            "value": f"{turned.random_cosine:.3f}",
            "delta": cosine,
            "delta_color": "off",
        },
        "Fit": {"value": f"{turned.seconds['fit']:.2f} s"},
    }


def _change(plain: Evaluation, turned: Evaluation) -> str:
    change = Comparison(plain.score, turned.score).shown
    return "" if change is None else f"{100 * change:+z.2f}"


def _picture(plain: Evaluation, turned: Evaluation) -> None:
    chart(
        cosine_histograms({each.spec: each.similarity for each in (plain, turned)}),
        key="turned",
    )
    if _change(plain, turned):
        st.text(
            f"Changes are from {plain.spec} and are not tested. Choosing a flow by its test score "
            "overstates it: see Curves."
        )
    say_how_scored(turned)
    drawer(Origin(f"{turned.recipe.caption()}.", turned.recipe.to_command()))


def _links(spec: str) -> None:
    """Draw links that compare a calibrator with the others, and that export it."""
    compared = list(dict.fromkeys((*(state.chosen("calibrators") or DEFAULT_SPECS), spec)))
    with st.container(horizontal=True):
        link(
            "scores",
            f"Compare {spec}",
            icon="tune",
            asking={**state.recipe_parameters(), "calibrators": compared},
        )
        link_export(spec)
