"""A flow whose parameters are turned by hand: each turn fits it anew."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st
from bertflow_app import services, state
from bertflow_app.by_itself import find_or_begin, leave
from bertflow_app.jobs import Job, State
from bertflow_app.pages.tune.links import use_on_pages
from bertflow_app.parts.components import (
    UNNOTICED_SECONDS,
    caption,
    follow,
    is_under_way,
    say_notes,
)
from bertflow_app.parts.scores import say_how_scored
from bertflow_app.shared_jobs import key_of, run
from bertflow_app.show import chart, origin_of
from streamlit.delta_generator import DeltaGenerator

from bertflow_core.calibrators.registry import BASELINE, CALIBRATORS
from bertflow_core.change import Change
from bertflow_core.figures import cosine_histograms
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.scores import notes_of, scores_report
from bertflow_core.text_table import difference_text, percent

if TYPE_CHECKING:
    from bertflow_core.space import Space

FLOW = "flow"
TURNED = {each.name: each for each in CALIBRATORS[FLOW].parameters() if each.tried}
GRACE_SECONDS = 0.5
"""Time in which most fits are done, so that no bar of progress comes and goes."""
_LAST = "last_turn"
_SHOWN = "shown_turn"
"""Holds the flow whose result was shown last."""


def draw() -> None:
    """Let the visitor turn the flow's parameters, and fit it at every turn.

    It is no fragment: the progress below it is one, and of a fragment in a fragment Streamlit may
    send the inner one alone, which ends the page in the browser.
    """
    st.write("Turn a parameter of the flow: it is fitted anew at every turn, in about a second.")
    recipe = state.current_recipe()
    spec = _chosen_spec()
    key = _key(recipe, spec)
    _leave_last(key)
    slot = st.empty()
    pressed = _button(slot, recipe, key)
    embed = partial(run, _embedded, recipe)
    embedded = find_or_begin(embed, pressed=pressed, wanted=spec != FLOW)
    if embedded is None:
        st.info("Move a slider, or press **Fit this flow**: a fit takes about a second.")
    elif follow(embedded):
        _fit(slot, recipe, embedded, spec, pressed=pressed)


def _button(slot: DeltaGenerator, recipe: Recipe, key: str) -> bool:
    """Draw the button where there is no fit, and nothing that leads to one; return if pressed."""
    fit = services.registry().get(key)
    if is_under_way(fit) or (fit is None and is_under_way(run(_embedded, recipe, start=False))):
        return False
    return slot.button(
        "Fit this flow",
        icon=":material/play_arrow:",
        help="Embeds the sentences and fits the flow once; from then on every turn fits it anew.",
    )


def _embedded(recipe: Recipe, lab: Lab) -> "Space":
    return lab.evaluate(recipe, (BASELINE,))[0]


def _turned(recipe: Recipe, lab: Lab, spec: str, plain: "Space") -> "Space":
    return plain.prepared.under(spec, device=lab.device)


def _key(recipe: Recipe, spec: str) -> str:
    return key_of(_turned, recipe, spec)


def _fit(slot: DeltaGenerator, recipe: Recipe, embedded: Job, spec: str, *, pressed: bool) -> None:
    plain: Space = embedded.result
    turn = partial(run, _turned, recipe, spec, given=[plain])
    job = find_or_begin(turn, pressed=pressed, wanted=True)
    if job is None:
        st.info("Other computations of yours are under way: turn it again when one is done.")
        return
    job.watch(state.visitor())
    if is_under_way(job):  # as it is where a turn leads back to a fit that was stopped
        slot.empty()
    line = st.container()
    places: Sequence[DeltaGenerator] = st.columns(3)
    job.wait(UNNOTICED_SECONDS)
    if job.is_live:  # the browser still shows what the turn before drew
        line = line.markdown(
            f":material/hourglass_top: Fitting `{spec}`; the picture is of the settings before."
        )
        places = _pending(places, plain)
        job.wait(GRACE_SECONDS - UNNOTICED_SECONDS)
    with st.container():
        is_done = follow(job)
    if is_done:
        state.choose(**{_SHOWN: spec})
    shown = job if is_done else _shown_before(recipe, job)
    if shown is None:
        for place in (line, *places):
            place.empty()
        st.empty()  # takes the place of all that the turn before drew below
        return
    said = ":material/check: Fitted" if is_done else ":material/history: The last flow fitted"
    line.markdown(f"{said}: `{shown.result.spec}`")
    _numbers(places, plain, shown.result)
    with st.container():
        use_on_pages(shown.result.spec)
        _picture(plain, shown.result)


def _shown_before(recipe: Recipe, job: Job) -> Job | None:
    """Return the fit that was shown last, where the one that was to follow it has ended."""
    if job.is_live or state.held(_SHOWN) is None:
        return None
    found = services.registry().get(_key(recipe, str(state.held(_SHOWN))))
    return found if found is not None and found.state is State.DONE else None


def _chosen_spec() -> str:
    """Draw a slider for each parameter; return the flow's spec, with what is not the default."""
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
    return f"{FLOW}:{','.join(turned)}" if turned else FLOW


def _leave_last(key: str) -> None:
    """Take the visitor off the fit of the turn before, which nobody waits for any more."""
    last = state.held(_LAST)
    if last not in (None, key):
        leave(str(last))
    state.choose(**{_LAST: key})


def _pending(places: Sequence[DeltaGenerator], plain: "Space") -> list[DeltaGenerator]:
    """Take the numbers of the turn before away; return where the new ones go."""
    options: dict[str, Any] = {"delta_color": "off", "delta_arrow": "off"}
    names = zip(places, _names(plain), strict=True)
    return [place.metric(name, "…", "…", **options) for place, name in names]


def _names(result: "Space") -> tuple[str, str, str]:
    """Return what the numbers are called."""
    return f"{result.metric.header}, {result.recipe.split}", "Random cosine", "Fit"


def _numbers(places: Sequence[DeltaGenerator], plain: "Space", turned: "Space") -> None:
    (score, cosine, seconds), names = places, _names(turned)
    score.metric(
        names[0],
        percent(turned.score),
        _change(plain, turned) or None,
        help=f"{turned.metric.title} x 100",
    )
    cosine.metric(
        names[1],
        f"{turned.random_cosine:.3f}",
        difference_text(plain.random_cosine, turned.random_cosine, digits=3),
        delta_color="off",
    )
    seconds.metric(names[2], f"{turned.seconds['fit']:.2f} s")


def _change(plain: "Space", turned: "Space") -> str:
    change = Change(plain.score, turned.score).shown
    return "" if change is None else f"{100 * change:+z.2f}"


def _picture(plain: "Space", turned: "Space") -> None:
    chart(
        cosine_histograms({each.spec: each.similarity for each in (plain, turned)}),
        key="turned",
        origin=origin_of(scores_report([plain, turned])),
    )
    caption(
        f"Cosines of the {turned.prepared.pairs.size} of the data; the random cosine is of random "
        f"ones. {turned.recipe.caption()}."
    )
    if _change(plain, turned):
        caption(
            f"Change: against {plain.spec}; not tested for significance. A flow that is chosen by "
            "these numbers looks better than it is: under One parameter, dev chooses."
        )
    say_notes(notes_of([turned]))
    say_how_scored(turned)
