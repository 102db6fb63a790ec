"""By task: what calibration changes in similarity, search, classification and clustering."""

import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.show import say, show_end, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker
from bertflow_app.widgets.scores import scored
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.datasets.collection import BUILT_IN
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report
from bertflow_core.studies.evaluate.axes import EvaluateRecipe


def draw() -> None:
    """Score the model and every calibrator on the visitor's data and on the built-in tasks."""
    st.write(
        "Does calibration help a task? Your data stand beside built-in pairs for similarity and "
        "built-in questions for search; a table of texts with labels shows classification."
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
    built_in = (Recipe.dataset, BUILT_IN) if recipe.source.has_words else ()
    datasets = tuple(dict.fromkeys((recipe.dataset, *built_in)))
    layers = (PLAIN_LAYERS if vectors == PLAIN else asked.layers,)
    report: Report = ask(
        "Compare tasks",
        scored(EvaluateRecipe.of(asked, datasets=datasets), specs, layers),
        fold=fold,
        choices=(", ".join(specs[1:]), vectors),
        help="Embeds the data of each task, and scores the plain output and every calibrator.",
    )
    say(report, Kind.WARNING, Kind.ANSWER, Kind.MISSING)
    for name in report.pictures():
        show_picture(report, name)
    link("data", "Bring data for another task", icon="database")
    with st.expander("Numbers", icon=":material/table_rows:"):
        show_table(report.table, alt=report.title)
    show_end(report)
