"""Is it real?: intervals, differences and letters for the rows of Compare."""

from functools import partial

import streamlit as st
from bertflow_app.pages.compare.significance_panels import chosen_test, summary
from bertflow_app.parts import comparison_jobs
from bertflow_app.parts.components import ask
from bertflow_app.parts.fold import Fold
from bertflow_app.parts.grid_picker import grid_picker, named_rows
from bertflow_app.show import show_end, show_picture, show_table

from bertflow_core.studies.comparison.significance_report import significance_report


def draw() -> None:
    """Draw it."""
    st.write(
        "Another sample of pairs would give other numbers. Here the pairs are resampled thousands "
        "of times, to see which differences are larger than that noise. Every row is scored on "
        "the same resamples, and no calibrator is fitted again."
    )
    fold = Fold()
    with fold.drawing():
        grid = grid_picker()
    assessment = ask(
        "Test the differences",
        partial(comparison_jobs.comparison, grid),
        fold=fold,
        choices=named_rows(grid),
        invitation="Choose what to compare, and press **Test the differences**.",
        help="Fits what Compare has not fitted yet, then resamples the pairs.",
        then=partial(chosen_test, grid),
    )
    report = significance_report(assessment)
    st.subheader("Differences")
    summary(assessment)
    show_picture(report, "differences")
    st.subheader("Each row")
    show_picture(report, "intervals")
    show_table(report.table, alt="Score, interval, letters, difference and p of each row")
    show_end(report)
