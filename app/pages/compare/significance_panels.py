"""The panels of the page Is it real?: what is tested, and how many differences are significant."""

from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app.jobs import Job
from bertflow_app.parts import comparison_jobs

if TYPE_CHECKING:
    from bertflow_core.studies.comparison import Assessment, Comparison, Grid, Row


def chosen_test(grid: "Grid", filled: Job, *, start: bool | None) -> Job | None:
    """Let the visitor choose what is tested, and return the job that tests it."""
    comparison: Comparison = filled.result.under(grid.protocol.aggregation)
    dataset, baseline = _picker(comparison.grid)
    return comparison_jobs.assessment(grid, filled, dataset, baseline, start=start)


def _picker(grid: "Grid") -> "tuple[str, Row]":
    """Let the visitor choose the data set and the baseline."""
    rows = {str(row): row for row in grid.rows}
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
            list(rows),
            key="baseline",
            bind="query-params",
            help="Every difference is taken to this row.",
            width=280,  # a row's whole name
        )
    return dataset, rows[baseline]


def summary(assessment: "Assessment") -> None:
    """Say how many differences are significant."""
    tests = assessment.tests
    n_significant = sum(difference.significant for difference in tests.to_baseline)
    if assessment.doubt:
        st.write(assessment.doubt)
    st.write(
        f"{n_significant} of {len(tests.to_baseline)} rows differ significantly from the baseline "
        "(Holm, 5 %). Hollow grey marks: not significant. The tests are adjusted for the number "
        "of rows, the intervals are not."
    )
