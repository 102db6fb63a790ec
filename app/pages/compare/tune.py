"""Tune: the score at each value of a parameter, chosen on dev, or a flow with sliders."""

import streamlit as st
from bertflow_app import services, state
from bertflow_app.navigation import link_export
from bertflow_app.pages.compare import sliders
from bertflow_app.pages.compare.sliders import FLOW, TURNED
from bertflow_app.shared import Shared
from bertflow_app.show import drawer, headline, say, show_picture, show_table
from bertflow_app.study_page import study_page
from bertflow_app.widgets.choices import bound
from bertflow_app.widgets.components import cell, show_rows
from bertflow_app.widgets.work import Fold, ask, follow, start_button

from bertflow_core.analysis.loadings import DirectionLoadings
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report
from bertflow_core.studies.tune import TuneRecipe
from bertflow_core.wording import percent

CURVES, SLIDERS, CORPUS = "Curves", "Sliders of the flow", "Size of the fit corpus"
ALL = "baselines and flow"
"""The choice that tunes the flow and its baselines alike, each on its usual parameter."""

TUNED = {
    ALL: (TuneRecipe.parameters, ("null-top-k:k=6", "whiten", FLOW)),
    "k of null-top-k": (("k",), ("null-top-k",)),
    "n_components of whiten": (("n_components",), ("whiten",)),
    "shrinkage of whiten": (("shrinkage",), ("whiten",)),
    **{f"{name} of {FLOW}": ((name,), (FLOW,)) for name in TURNED},
}
"""Parameters and calibrators that can be tuned, by the name of the choice."""


def draw() -> None:
    """Show the curves of a parameter, a flow with sliders, or fits on parts of the corpus."""
    shown = st.segmented_control(
        "Show",
        [CURVES, SLIDERS, CORPUS],
        default=CURVES,
        required=True,
        key="tune_shown",
        bind="query-params",
        label_visibility="collapsed",
    )
    if shown == SLIDERS:
        sliders.draw()
    elif shown == CORPUS:
        study_page("fit-size")
    else:
        _curves()


def _curves() -> None:
    recipe, fold = state.current_recipe(), Fold("tune")
    with fold.drawing():
        name = st.selectbox("Parameter", [*TUNED], key="tune_parameter", bind="query-params")
        seeds = int(bound(TuneRecipe, "seeds", key="tune_seeds"))
    parameters, specs = TUNED[name]
    params = TuneRecipe(**recipe.to_dict(), parameters=parameters, seeds=seeds)
    report: Report = ask(
        "Draw the curve",
        Shared("studies.tune:tune", params, specs),
        fold=fold,
        choices=(name,),
        help="Fits every value and scores it on dev and test: some seconds for a closed form, "
        "about half a minute for the flow.",
        meanwhile=_stored if state.is_untouched() else None,
    )
    _show(report)
    chosen = [row for row in report.rows if row["chosen"]]
    for row in chosen:
        link_export(row["calibrator"])
    if parameters == ("k",):
        _directions(recipe)
    drawer(report)


def _stored() -> None:
    report = services.shipped("tune")
    _show(report)
    st.text("Stored results of layer 4 on the captions.")
    drawer(report)


def _show(report: Report) -> None:
    first, *others = report.pictures()
    show_picture(report, first)
    chosen = [row for row in report.rows if row["chosen"]]
    for row in chosen:
        on_dev, scored = (percent(row[key]) for key in ("dev", "test"))
        value = f"{row['parameter']} = {row['value']}" if len(chosen) == 1 else row["calibrator"]
        answer = f"Dev chooses {value}: dev {on_dev}, "
        answer += f"{report.facts['split']} {scored}."
        headline(answer) if len(chosen) == 1 else st.text(answer)
    say(report, Kind.ANSWER, Kind.WARNING, Kind.MISSING)
    for table in report.tables:
        show_table(table, alt="Tuned and untuned calibrators and the plain output")
    for name in others:
        show_picture(report, name)
    with st.expander("Every value", icon=":material/table_rows:"):
        show_table(report.table, alt="The score at each value of the parameter")


def _directions(recipe: Recipe) -> None:
    """Describe the directions that null-top-k removes, once they are asked for."""
    st.header("What the directions stand for")
    work = Shared("studies.tune:directions", recipe)
    slot = st.empty()
    with slot:
        pressed = start_button("Describe the directions")
    job = work.find_or_begin(pressed=pressed)
    if job is not None and job.gives_result:
        slot.empty()
    if follow(job):
        _direction_card(work.result)


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
