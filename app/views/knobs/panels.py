"""The pieces of the page Turn the knobs: curves, cards of directions, and the flow's parameters."""

from typing import Any

import streamlit as st
from bertflow_app.parts.components import caption, cell, follow, problem
from bertflow_app.parts.exports import Origin, chart, record_exports
from bertflow_app.views.knobs import jobs

from bertflow_core.analysis.loadings import DirectionLoadings
from bertflow_core.calibrators.catalog import calibrator_info
from bertflow_core.errors import BertFlowError
from bertflow_core.figures import sweep_curve
from bertflow_core.recipe import Recipe
from bertflow_core.studies.sweeps.result import Sweep
from bertflow_core.tables import percent

FLOW = "flow"
SWEPT = {each.name: each for each in calibrator_info(FLOW).parameters if each.tried}
LOG_AXIS_FROM = 16
"""Largest over smallest value from which an axis is logarithmic."""


def sweep_panel(
    sweep: Sweep, label: str, *, at: str | None = None, log_x: bool = False
) -> dict[str, Any]:
    """Show the numbers of a sweep; return its curve as the arguments of `chart`.

    Args:
        sweep: What was swept.
        label: Title of the horizontal axis.
        at: A key: with it a slider is drawn that reads one value off.
        log_x: Whether the axis is logarithmic.
    """
    scored, command = sweep.recipe.split, sweep.recipe_at(sweep.chosen or 0).to_command()
    curves = {name: rhos for name, rhos in (("dev", sweep.dev), (scored, sweep.test)) if rhos}
    index = sweep.chosen
    if index is not None:
        read = "" if sweep.test is None else f", {scored} {percent(sweep.test[index])}"
        st.write(
            f"Dev chooses {sweep.parameter} = {sweep.values[index]}: dev "
            f"{percent(curves['dev'][index])}{read} (rho x 100)."
        )
    if at is not None:
        value = st.select_slider(
            sweep.parameter,
            sweep.values,
            value=sweep.values[index or 0],
            key=f"knob_{at}",
            help="Reads one value off the curve.",
        )
        place = sweep.values.index(value)
        numbers = ", ".join(f"{name} {percent(rhos[place])}" for name, rhos in curves.items())
        cosine = sweep.random_cosine[place]
        st.text(f"{sweep.parameter} = {value}: {numbers}; random cosine {cosine:.3f}")
    with st.popover("Numbers", icon=":material/table_rows:"):
        records = sweep.to_records()
        st.dataframe(records, hide_index=True, alt=f"Rho at each value of {sweep.parameter}")
        record_exports(lambda: records, sweep.recipe, sweep.parameter)
        st.code(command, language="shell", wrap_lines=True)
    return {
        "figure": sweep_curve(
            sweep.values,
            curves,
            spec=sweep.recipe.calibrator,
            label=label,
            chosen=index,
            log_x=log_x,
        ),
        "key": f"sweep-{sweep.parameter}",
        "alt": f"Rho x 100 against {label}; Numbers has the table",
        "origin": Origin(f"{sweep.recipe.caption()}. {sweep.note or ''}".strip(), command),
    }


def direction_cards(directions: tuple[DirectionLoadings, ...]) -> None:
    """Show one direction at a time: its share of variance, its words and its sentences."""
    number = st.slider(
        "Direction",
        1,
        len(directions),
        key="direction",
        help="1 has the largest variance; null-top-k removes 1 to k.",
    )
    chosen = directions[number - 1]
    length = "" if chosen.length_rho is None else f"{chosen.length_rho:+.2f}"
    st.write(
        f"Direction {number} has {100 * chosen.share:.1f} % of the variance; its correlation with "
        f"the length of a sentence is {length or 'undefined'}."
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
                    {"Loading": round(found.loading, 2), "Sentence": cell(found.sentence)}
                    for found in sentences
                ],
                hide_index=True,
                alt=f"Sentences that load most on direction {number}: {title.lower()}",
            )
    st.caption(
        "Loadings are in standard deviations of the fit corpus. A word stands here if the "
        "sentences that hold it lie farther out than chance would put them."
    )


def flow_knob(recipe: Recipe) -> None:
    """Let the visitor fit the flow along one of its parameters."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parameter = st.selectbox(
            "Parameter",
            list(SWEPT),
            key="flow_parameter",
            bind="query-params",
            help="The others keep the paper's values.",
        )
        n_seeds = st.number_input(
            "Seeds a value",
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
            help="One fit a value and seed: seconds each on a few thousand sentences.",
        )
    values = SWEPT[parameter].tried
    try:
        job = jobs.flow_sweep(recipe, FLOW, parameter, values, int(n_seeds), start=pressed)
    except BertFlowError as error:
        problem(error)
        return
    if job is None:
        st.info(f"Press **Fit the flows** to fit {len(values) * int(n_seeds)} flows.")
    elif follow(job):
        if job.result.note:
            caption(job.result.note)
        log_x = values[-1] >= LOG_AXIS_FROM * values[0]
        chart(**sweep_panel(job.result, f"{parameter} (flow)", log_x=log_x))
        caption(job.result.recipe.caption())
