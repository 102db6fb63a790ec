"""The check: four questions about one's own data, answered with evidence."""

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.shared import Shared
from bertflow_app.show import say, show_end, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker
from bertflow_app.widgets.components import show_rows
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.evaluation import ACCURACY, V_MEASURE
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


def draw() -> None:
    """Answer in one sentence and one picture; expanders below hold the evidence."""
    st.write(
        "Calibration helps where vectors lie in a narrow cone, and hurts where they do not. The "
        "check scores the model's plain output first, and then every layer with and without "
        "calibrators."
    )
    recipe, fold = state.current_recipe(), Fold()
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
        help="Embeds and measures the sentences, and scores each calibrator where there are gold "
        "scores.",
    )
    with st.container(border=True):
        st.subheader(report.text(Kind.HEADLINE))
        say(report, Kind.ANSWER, Kind.MISSING)
    say(report, Kind.FIT, Kind.WARNING)
    link("tasks", "See the effect on each task", icon="category")
    if recipe.layers not in ("last", PLAIN_LAYERS):
        link("layers", "Look at all layers", icon="layers")
    gains = gains_of(report)
    is_labelled = any(row["metric"] in (ACCURACY.word, V_MEASURE.word) for row in gains)
    measured = next((name for name in ("places", "gains") if name in report.pictures()), None)
    if measured:
        st.header("Measured on your labels" if is_labelled else "Measured on the gold scores")
        show_picture(report, measured)
        for table in report.tables:
            with st.expander(f"{table.title}: numbers", icon=":material/table_rows:"):
                show_table(table, alt="Every layer under each calibrator, with intervals and tests")
    if gains:
        with st.expander(f"{recipe.vectors}: numbers", icon=":material/table_rows:"):
            show_table(Table(GAINS, gains), alt="The score before and after each calibrator")
    st.header(f"Evidence for {recipe.vectors}" if recipe.source.has_layers else "Evidence")
    for finding in findings_of(report):
        _finding(finding)
    say(report, Kind.METHOD)
    show_end(report)


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
