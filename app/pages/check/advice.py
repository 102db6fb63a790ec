"""The check: four questions about one's own data, answered with evidence."""

from copy import copy

import streamlit as st
from bertflow_app import models, services, state
from bertflow_app.navigation import link
from bertflow_app.shared import Shared
from bertflow_app.show import chart, headline, say, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import DEFAULT_SPECS
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Column, Report, Row, Table
from bertflow_core.studies.advice.answers import Asked
from bertflow_core.studies.advice.study import (
    LINEAR,
    PICTURES,
    AdviceRecipe,
    answers_of,
    findings_of,
    gains_of,
)

MARKS = {
    "go": (":material/check_circle:", "in favour of calibrating"),
    "neutral": (":material/remove:", "nothing against calibrating"),
    "caution": (":material/warning:", "a reason to be careful"),
    "stop": (":material/cancel:", "against calibrating"),
}
"""The icon and the words of each verdict."""

GAINS = (
    Column("calibrator"),
    Column("metric", "score"),
    Column("before", "x 100, before", ".2f", times=100),
    Column("after", format=".2f", times=100),
    Column("low", "change, from", "+.2f", "95 % interval by a paired bootstrap", times=100),
    Column("high", "to", "+.2f", times=100),
    Column("significant", help="Holm-adjusted p below 5 %"),
)


LINKS = {
    Asked.GOOD: ("scores", "All scores"),
    Asked.BETTER: ("ledger", "Which pairs differ"),
    Asked.CALIBRATE: ("layers", "Every layer"),
    Asked.THRESHOLD: ("thresholds", "Take the threshold home"),
}
"""The view that shows more on each answer, and the label of the link to it."""

PICTURE_PIXELS = 160
CAPTIONS = Recipe.dataset


def draw() -> Report:
    """Answer four questions, then show the evidence; return the report."""
    recipe, fold = state.current_recipe(), Fold("check")
    second = models.second_of(recipe)
    with fold.drawing():
        specs = calibrator_picker()
        linear_next = st.toggle(
            "The next step is a linear classifier",
            key="linear_next",
            bind="query-params",
            help="Such as logistic regression on the vectors, instead of comparing them by cosine.",
        )
    models.check(recipe, *filter(None, [second]))
    use = LINEAR if linear_next else AdviceRecipe.use
    asked = AdviceRecipe(**recipe.to_dict(), use=use, second_model=second or None)
    choices = ", ".join(specs), recipe.vectors, "linear classifier next" if linear_next else ""
    report = services.shipped("advice")
    if is_stored := specs == DEFAULT_SPECS and asked == report.params:
        fold.settle(choices, has_result=True)
    else:
        report = ask(
            "Check",
            Shared("studies.advice.study:advice", asked, specs),
            fold=fold,
            choices=choices,
            help="Scores the model, every layer and every calibrator: about a minute for some "
            "thousand sentences.",
        )
    answers = answers_of(report)
    for row in range(0, len(answers), 2):
        places = st.columns(2)
        for place, answer in zip(places, answers[row : row + 2], strict=False):
            with place:
                _answer(report, answer)
    if not second and recipe.source.has_words:
        places[-1].caption(Asked.BETTER)
        places[-1].text("Choose a second model in the sidebar.")
    if is_stored:
        st.text(f"Stored results of {recipe.model} on the {recipe.dataset}.")
    say(report, Kind.WARNING, Kind.MISSING)
    data = recipe.dataset, recipe.fit_on
    if report.facts["unfitted"] and recipe.source.has_words and CAPTIONS not in data:
        st.button(
            "Fit on the captions",
            icon=":material/refresh:",
            on_click=state.choose,
            kwargs={"fit_on": CAPTIONS},
        )
    with st.expander("Evidence", icon=":material/fact_check:"):
        _evidence(report)
    return report


def _answer(report: Report, answer: Row) -> None:
    """Show a question, its answer, one small picture and a link to more."""
    question = Asked(answer["question"])
    st.caption(question)
    headline(answer["text"], key=f"answer-{question.name.lower()}")
    name = PICTURES[question]
    if name in report.pictures():
        figure = copy(report.figure(name)).update_layout(height=PICTURE_PIXELS, margin_t=10)
        chart(figure, key=name)
    view, label = LINKS[question]
    link(view, label, icon="arrow_forward")


def _evidence(report: Report) -> None:
    """Show the sentences with intervals and tests, every layer, the gains and the rules."""
    say(report, Kind.ANSWER, Kind.FIT)
    if "places" in report.pictures():
        show_picture(report, "places")
    for table in report.tables:
        show_table(table, alt=f"{table.title} Scores with intervals")
    if gains := gains_of(report):
        show_table(Table(GAINS, gains), alt="The score before and after each calibrator")
    for finding in findings_of(report):
        _finding(finding)


def _finding(finding: Row) -> None:
    """Show a question with its verdict, the finding and where the thresholds come from."""
    icon, verdict = MARKS[finding["verdict"]]
    st.markdown(f"{icon} **{finding['question']}** *{verdict}*")
    st.text("\n".join((finding["finding"], *finding["sources"])))
