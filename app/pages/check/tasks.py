"""By task: what calibration changes in similarity, search, classification and clustering."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app import state
from bertflow_app.show import say, show_picture, show_table
from bertflow_app.widgets.scores import scored
from bertflow_app.widgets.work import follow, start_button

from bertflow_core.calibrators.spec import Spec, baseline_first
from bertflow_core.datasets.collection import BUILT_IN
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report
from bertflow_core.studies.evaluate.axes import EvaluateRecipe


def draw(specs: Sequence[Spec]) -> None:
    """Score the calibrators on the visitor's data and on the built-in tasks, once asked."""
    st.subheader("By task")
    recipe = state.current_recipe()
    built_in = (Recipe.dataset, BUILT_IN) if recipe.source.has_words else ()
    datasets = tuple(dict.fromkeys((recipe.dataset, *built_in)))
    params = EvaluateRecipe.of(recipe, datasets=datasets)
    work = scored(params, baseline_first(specs), (recipe.layers,))
    pressed = start_button("Compare tasks (about a minute)")
    if not follow(work.find(start=pressed)):
        return
    report: Report = work.result
    for name in report.pictures():
        show_picture(report, name)
    say(report, Kind.WARNING, Kind.ANSWER, Kind.MISSING)
    with st.expander("Numbers", icon=":material/table_rows:"):
        show_table(report.table, alt=report.title)
