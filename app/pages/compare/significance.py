"""Is it real?: intervals, differences and letters for the rows of Compare."""

from dataclasses import replace

import streamlit as st
from bertflow_app.shared import Shared
from bertflow_app.show import show_end, show_picture, show_table
from bertflow_app.widgets.grid import grid_picker, named_rows, shared_grid
from bertflow_app.widgets.work import Fold, ask, then

from bertflow_core.evaluation import N_DRAWS
from bertflow_core.report.report import Report
from bertflow_core.studies.grid import Grid, GridResult, row_name


def draw() -> None:
    """Let the visitor choose rows, and show which differences are larger than noise."""
    st.write(
        "Another sample of the data would give other numbers. Resampling thousands of times shows "
        "which differences are larger than this noise."
    )
    fold = Fold()
    with fold.drawing():
        grid = grid_picker()
    filled = shared_grid(grid)
    result: GridResult = ask(
        "Test the differences",
        filled,
        fold=fold,
        choices=named_rows(grid),
        help="Fits what Compare has not fitted yet, then resamples the pairs.",
    )
    dataset, baseline = _picker(result.under(grid.params.aggregation).grid)
    tested = Shared(_assessed, filled, grid.params.aggregation, dataset, baseline)
    report: Report = then(filled, tested, fold)
    found = report.facts
    if found["answer"]:
        st.write(f"**{found['answer']}**")
    if found["doubt"]:
        st.write(found["doubt"])
    st.write(
        f"{found['n_significant']} of {found['n_differences']} rows differ significantly from the "
        "baseline (Holm, 5 %). Hollow grey marks are not significant. The tests are adjusted for "
        "the number of rows; the intervals are not."
    )
    show_picture(report, "differences")
    st.subheader("Each row")
    if found["answer"]:
        st.caption(
            "Rows that share a letter do not differ significantly (Holm over all pairs of rows)."
        )
    show_picture(report, "intervals")
    show_table(report.table, alt="Score, interval, letters, difference and p of each row")
    show_end(report)


def _assessed(filled: GridResult, aggregation: str, dataset: str, baseline: str) -> Report:
    from bertflow_core.studies.compare import significance

    params = filled.grid.params.with_(baseline=baseline, bootstrap=N_DRAWS)
    named = replace(filled, grid=replace(filled.grid, params=params))
    return significance(named.under(aggregation), dataset)


def _picker(grid: Grid) -> tuple[str, str]:
    with st.container(horizontal=True):
        dataset = st.selectbox(
            "Data set",
            grid.datasets,
            key="tested",
            bind="query-params",
            help="Rows are compared within one data set.",
        )
        baseline = st.selectbox(
            "Baseline",
            [*map(row_name, grid.rows)],
            key="baseline",
            bind="query-params",
            help="Every row is compared with this one.",
            width=280,  # a row's whole name
        )
    return dataset, baseline
