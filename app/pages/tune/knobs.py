"""One parameter: rho along its values, chosen on dev, and what removed directions stand for."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.by_itself import find_or_begin
from bertflow_app.pages.tune.links import use_on_pages
from bertflow_app.pages.tune.sliders import FLOW, TURNED
from bertflow_app.parts.components import caption, cell, follow, is_under_way
from bertflow_app.shared_jobs import run
from bertflow_app.show import chart, origin_of, show_end, show_table

from bertflow_core.analysis.loadings import DirectionLoadings
from bertflow_core.figures import sweep_curve
from bertflow_core.recipe import Recipe
from bertflow_core.studies.sweeps import ClosedForms, Sweep, sweep_report
from bertflow_core.text_table import percent

LOG_AXIS_FROM = 16
"""Largest over smallest value from which an axis is logarithmic."""


def draw() -> None:
    """Sweep the closed forms and show every curve; then let the visitor sweep the flow."""
    st.write(
        "Rho along the values of the parameters that matter most. The value is chosen on the dev "
        "split and reported on the test split."
    )
    recipe = state.current_recipe()
    slot = st.empty()
    pressed = slot.button(
        "Draw the curves",
        type="primary",
        icon=":material/play_arrow:",
        help="Embeds dev and test, then computes every value of k, components and shrinkage.",
    )
    sweep = partial(run, "studies.sweeps:sweep_closed_forms", recipe)
    job = find_or_begin(sweep, pressed=pressed)
    if is_under_way(job):
        slot.empty()
    if job is None:
        st.info("Press **Draw the curves**. All values together cost about as much as one fit.")
    elif follow(job):
        _curves(job.result)
    st.header("A parameter of the flow")
    _flow(recipe)


def _curves(forms: ClosedForms) -> None:
    if forms.null_top_k.note:
        caption(forms.null_top_k.note)
    st.subheader("How many directions to remove")
    _sweep(forms.null_top_k, "k, directions removed beside the mean (null-top-k)", slider=True)
    st.subheader("What they stand for")
    _direction_card(forms.directions)
    left, right = st.columns(2)
    with left:
        st.subheader("How many directions to keep")
        _sweep(forms.components, "directions kept (whiten)")
    with right:
        st.subheader("How much to shrink")
        _sweep(forms.shrinkage, "shrinkage (whiten)", log_x=True)
    caption(forms.null_top_k.recipe.caption())


def _sweep(sweep: Sweep, label: str, *, slider: bool = False, log_x: bool = False) -> None:
    """Show the chosen value, the numbers and the curve; a slider reads one value off it."""
    report = sweep_report(sweep)
    curves = {
        name: rhos for name, rhos in (("dev", sweep.dev), (sweep.recipe.split, sweep.test)) if rhos
    }
    _choice(sweep)
    index = _reading(sweep, curves, label) if slider else sweep.chosen
    if index is not None:
        use_on_pages(sweep.recipe_at(index).calibrator)
    with st.popover("Numbers", icon=":material/table_rows:"):
        show_table(report.table, alt=f"Rho at each value of {sweep.parameter}")
        show_end(report)
    chart(
        sweep_curve(
            [v if isinstance(v, int | float) else str(v).lower() for v in sweep.values],
            curves,
            spec=sweep.recipe.calibrator,
            label=label,
            chosen=sweep.chosen,
            log_x=log_x,
        ),
        key=f"sweep-{sweep.parameter}",
        origin=origin_of(report),
    )


def _choice(sweep: Sweep) -> None:
    """Say which value dev chooses, and its rho."""
    index = sweep.chosen
    if index is None or sweep.dev is None:
        return
    test = "" if sweep.test is None else f", {sweep.recipe.split} {percent(sweep.test[index])}"
    st.write(
        f"Dev chooses {sweep.parameter} = {sweep.values[index]}: dev {percent(sweep.dev[index])}"
        f"{test} (rho x 100)."
    )


def _reading(sweep: Sweep, curves: Mapping[str, Sequence[float | None]], label: str) -> int:
    """Let the visitor read one value off the curves; return its index."""
    value = st.select_slider(
        label,
        sweep.values,
        value=sweep.values[sweep.chosen or 0],
        key=f"knob_{sweep.parameter}",
        bind="query-params",
        help="Reads one value off the curve.",
    )
    place = sweep.values.index(value)
    numbers = ", ".join(f"{name} {percent(rhos[place])}" for name, rhos in curves.items())
    cosine = sweep.random_cosine[place]
    st.text(f"{sweep.parameter} = {value}: {numbers}; random cosine {cosine:.3f}")
    return place


def _direction_card(directions: tuple[DirectionLoadings, ...]) -> None:
    """Show one direction at a time: its share of variance, its words and its sentences."""
    number = st.slider(
        "Direction",
        1,
        len(directions),
        key="direction",
        bind="query-params",
        help="1 has the largest variance; null-top-k removes 1 to k.",
    )
    chosen = directions[number - 1]
    length = "" if chosen.length_rho is None else f"{chosen.length_rho:+.2f}"
    st.write(
        f"Direction {number} has {100 * chosen.share:.1f} % of the variance of the fit corpus; its "
        f"correlation with the length of a sentence is {length or 'undefined'}."
    )
    ends = (
        ("One end", chosen.high_words, chosen.high_sentences),
        ("The other end", chosen.low_words, chosen.low_sentences),
    )
    for column, (title, words, sentences) in zip(st.columns(2), ends, strict=True):
        with column:
            st.markdown(f"**{title}**")
            st.text("Words: " + (", ".join(word.word for word in words) or "none stand out"))
            st.dataframe(
                [
                    {"Loading": f"{each.loading:+.2f}", "Sentence": cell(each.sentence)}
                    for each in sentences
                ],
                hide_index=True,
                alt=f"Sentences that load most on direction {number}: {title.lower()}",
            )
    st.caption(
        "Loadings are in standard deviations of the fit corpus. A word is listed if the sentences "
        "that contain it lie farther out than chance explains."
    )


def _flow(recipe: Recipe) -> None:
    """Let the visitor fit the flow along one of its parameters."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parameter = st.selectbox(
            "Parameter",
            list(TURNED),
            key="flow_parameter",
            bind="query-params",
            help="The others keep the paper's values.",
        )
        n_seeds = st.number_input(
            "Seeds per value",
            1,
            5,
            1,
            key="flow_seeds",
            bind="query-params",
            help="The curve is their mean.",
        )
        pressed = st.button(
            "Fit the flows",
            type="primary",
            icon=":material/play_arrow:",
            help="One fit per value and seed: some seconds each on a few thousand sentences.",
        )
    turned = TURNED[parameter]  # its name is in the address, so that the box shows no words
    st.caption(turned.help)
    values = turned.tried
    seeds = [recipe.seed + i for i in range(int(n_seeds))]
    sweep = partial(
        run, "studies.sweeps:sweep_parameter", recipe, FLOW, parameter, values, seeds=seeds
    )
    job = sweep(start=pressed)
    if job is None:
        st.info(f"Press **Fit the flows** to fit {len(values) * int(n_seeds)} flows.")
    elif follow(job):
        if job.result.note:
            caption(job.result.note)
        log_x = values[-1] >= LOG_AXIS_FROM * values[0]
        _sweep(job.result, turned.label, log_x=log_x)
        caption(job.result.recipe.caption())
