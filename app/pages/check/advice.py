"""The check: four questions about one's own data, answered with evidence."""

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import headline, say, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker
from bertflow_app.widgets.components import show_rows
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import Spec
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Column, Report, Row, Table
from bertflow_core.studies.advice.study import LINEAR, AdviceRecipe, findings_of, gains_of

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


def draw() -> tuple[Report, tuple[Spec, ...]]:
    """Answer in one sentence and one picture, then show the evidence.

    Return the report and its calibrators.
    """
    recipe, fold = state.current_recipe(), Fold("check")
    with fold.drawing():
        specs = calibrator_picker()
        linear_next = st.toggle(
            "The next step is a linear classifier",
            key="linear_next",
            bind="query-params",
            help="Such as logistic regression on the vectors, instead of comparing them by cosine.",
        )
    asked = AdviceRecipe(**recipe.to_dict(), use=LINEAR if linear_next else AdviceRecipe.use)
    report: Report = ask(
        "Check",
        Shared("studies.advice.study:advice", asked, specs),
        fold=fold,
        choices=(
            ", ".join(specs),
            recipe.vectors,
            "linear classifier next" if linear_next else "",
        ),
        help="Scores the model's plain output and every layer under each calibrator: about a "
        "minute for some thousand sentences.",
    )
    headline(report.text(Kind.HEADLINE))
    say(report, Kind.ANSWER, Kind.MISSING, Kind.FIT, Kind.WARNING)
    measured = next((name for name in ("places", "gains") if name in report.pictures()), None)
    if measured:
        show_picture(report, measured)
    for table in report.tables:
        with st.expander(f"{table.title}: numbers", icon=":material/table_rows:"):
            show_table(table, alt="Every layer under each calibrator, with intervals and tests")
    if gains := gains_of(report):
        with st.expander(f"{recipe.vectors}: numbers", icon=":material/table_rows:"):
            show_table(Table(GAINS, gains), alt="The score before and after each calibrator")
    st.subheader(f"Evidence for {recipe.vectors}" if recipe.source.has_layers else "Evidence")
    for finding in findings_of(report):
        _finding(finding)
    return report, specs


def _finding(finding: Row) -> None:
    """Show a question with its verdict, and in an expander the finding, numbers and thresholds."""
    icon, verdict = MARKS[finding["verdict"]]
    with st.expander(f"{finding['question']} *{verdict}*", icon=icon):
        st.text(finding["finding"])
        show_rows(
            [
                {"What": name, "Value": f"{finding[name]:.4g}", "Unit": unit}
                for name, unit in finding["units"].items()
            ],
            alt=f"What was measured for: {finding['question']}",
        )
        for source in finding["sources"]:
            st.text(source)
