"""By task: what calibration changes in similarity, search, classification and clustering."""

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.shared import Shared
from bertflow_app.show import show_end, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.lab.recipe import PLAIN
from bertflow_core.report.remark import Kind, texts_of
from bertflow_core.report.report import Report
from bertflow_core.studies.tasks import TasksRecipe


def draw() -> None:
    """Draw one answer for each task, and all of them in one picture."""
    st.write(
        "The picture shows how each calibrator changes the score of a task, compared with the "
        "model's plain output. Tasks that your data do not cover use built-in data."
    )
    recipe, fold = state.current_recipe(), Fold()
    vectors = recipe.vectors
    with fold.drawing():
        specs = baseline_first(calibrator_picker())
        if recipe.plain is not None and vectors != PLAIN:
            vectors = st.radio(
                "Vectors to calibrate",
                (PLAIN, vectors),
                horizontal=True,
                key="task_vectors",
                bind="query-params",
                help="The model's plain output, or the layers chosen in the sidebar.",
            )
    asked = recipe.plain if recipe.plain is not None and vectors == PLAIN else recipe
    report: Report = ask(
        "Compare tasks",
        Shared("studies.tasks:tasks", TasksRecipe(**asked.to_dict()), specs),
        fold=fold,
        choices=(", ".join(specs[1:]), vectors),
        help="Embeds the data of each task, and scores the plain output and every calibrator.",
    )
    for answer in texts_of(report.remarks, Kind.ANSWER):
        st.text(answer)
    show_picture(report, "tasks")
    if report.facts["missing"]:
        link("data", "Bring data for another task", icon="database")
    with st.expander("Numbers", icon=":material/table_rows:"):
        show_table(report.table, alt=report.title)
    show_end(report)
