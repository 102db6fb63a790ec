"""One parameter: the score at each value, the choice on dev, and what removed directions encode."""

from dataclasses import replace

import streamlit as st
from bertflow_app import state
from bertflow_app.pages.tune.sliders import FLOW, TURNED, use_elsewhere
from bertflow_app.shared import Shared
from bertflow_app.show import chart, origin_of, say, show_end, show_table
from bertflow_app.widgets.components import cell, show_rows
from bertflow_app.widgets.work import follow, start_button

from bertflow_core.analysis.loadings import DirectionLoadings
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report
from bertflow_core.studies.tune import ClosedForms, TuneRecipe
from bertflow_core.wording import percent


def draw() -> None:
    """Draw the curves of the closed-form calibrators; then let the visitor sweep the flow."""
    st.write(
        "The curves show the score for each value of the parameters that matter most. The value is "
        "chosen on dev and scored on test."
    )
    recipe = state.current_recipe()
    slot = st.empty()
    with slot:
        about = "Embeds dev and test, then scores every value of k, components and shrinkage."
        pressed = start_button("Draw the curves", about)
    job = Shared("studies.tune:closed_forms", recipe).find_or_begin(pressed=pressed)
    if job is None:
        st.info("Press **Draw the curves**. All values together take some seconds.")
    else:
        if job.gives_result:
            slot.empty()
        if follow(job):
            _curves(job.result)
    st.header("A parameter of the flow")
    _flow(recipe)


def _curves(forms: ClosedForms) -> None:
    report = forms.report
    say(report, Kind.MISSING)
    st.subheader("How many directions to remove")
    _curve(report, "k", "tune-1")
    st.subheader("What they stand for")
    _direction_card(forms.directions)
    left, right = st.columns(2)
    with left:
        st.subheader("How many directions to keep")
        _curve(report, "n_components", "tune-2")
    with right:
        st.subheader("How much to shrink")
        _curve(report, "shrinkage", "tune-3")
    st.subheader("Tuned and untuned")
    _compared(report)


def _curve(report: Report, parameter: str, picture: str) -> None:
    rows = report.where(parameter=parameter)
    for row in rows:
        if row["chosen"]:
            splits = {"dev": row["dev"], report.facts["split"]: row["test"]}
            told = ", ".join(f"{name} {percent(each)}" for name, each in splits.items() if each)
            st.write(
                f"Dev chooses {parameter} = {row['value']}: {told} ({report.facts['metric']})."
            )
            use_elsewhere(row["calibrator"])
    with st.popover("Numbers", icon=":material/table_rows:"):
        show_table(replace(report.table, rows=rows), alt=f"The score at each value of {parameter}")
        show_end(replace(report, name=parameter, rows=rows))
    key = f"curve-{parameter}"
    chart(report.figure(picture), key=key, origin=origin_of(report))


def _compared(report: Report) -> None:
    (table,) = report.tables
    say(report, Kind.ANSWER)
    show_table(table, alt="Tuned and untuned calibrators and the plain output")
    st.text(report.params.caption())


def _direction_card(directions: tuple[DirectionLoadings, ...]) -> None:
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
        f"Direction {number} has {100 * chosen.share:.1f} % of the variance of the fit corpus. "
        f"Its correlation with sentence length is {length or 'undefined'}."
    )
    ends = (
        ("One end", chosen.high_words, chosen.high_sentences),
        ("The other end", chosen.low_words, chosen.low_sentences),
    )
    for column, (title, words, sentences) in zip(st.columns(2), ends, strict=True):
        with column:
            st.markdown(f"**{title}**")
            st.text("Words: " + (", ".join(word.word for word in words) or "none stand out"))
            show_rows(
                [
                    {"Loading": f"{each.loading:+.2f}", "Sentence": cell(each.sentence)}
                    for each in sentences
                ],
                alt=f"Sentences that load most on direction {number}: {title.lower()}",
            )
    st.caption(
        "Loadings are in standard deviations of the fit corpus. A word is listed if its "
        "sentences lie farther along the direction than chance explains."
    )


def _flow(recipe: Recipe) -> None:
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
        pressed = start_button(
            "Fit the flows",
            "One fit per value and seed: a few seconds each for some thousand sentences.",
        )
    turned = TURNED[parameter]  # the box shows names, as the address does
    st.caption(turned.help)
    n_fits = len(turned.tried) * int(n_seeds)
    params = TuneRecipe(**recipe.to_dict(), parameters=(parameter,), seeds=int(n_seeds))
    job = Shared("studies.tune:tune", params, [FLOW]).find(start=pressed)
    if job is None:
        st.info(f"Press **Fit the flows** to fit {n_fits} flows.")
    elif follow(job):
        say(job.result, Kind.MISSING)
        _curve(job.result, parameter, "tune-1")
        _compared(job.result)
