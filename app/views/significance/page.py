"""Is it real?: intervals, differences and letters for the rows of Compare."""

from functools import partial

import streamlit as st
from bertflow_app.parts import comparison_jobs
from bertflow_app.parts.components import caption, result_of, table_of_text
from bertflow_app.parts.exports import chart, downloads, origin_of
from bertflow_app.parts.grid_picker import grid_picker
from bertflow_app.views.significance.panels import summary, test_picker

from bertflow_core.studies.comparison.figures import differences_figure, intervals_figure
from bertflow_core.studies.comparison.significance_report import significance_report

st.title("Is it real?")
st.write(
    "Another sample of pairs would give other numbers. Here the pairs are resampled thousands of "
    "times, to see which differences are larger than that noise. Every row is scored on the same "
    "resamples, and no calibrator is fitted again."
)
grid = grid_picker()
pressed = st.button(
    "Test the differences",
    type="primary",
    icon=":material/play_arrow:",
    help="Fits what Compare has not fitted yet, then resamples the pairs.",
)
result = result_of(
    comparison_jobs.comparison(grid, start=pressed),
    "Choose what to compare, and press **Test the differences**.",
)
comparison = result.under(grid.protocol.aggregation)
dataset, baseline, n_draws = test_picker(comparison.grid)
assessment = result_of(
    comparison_jobs.assessment(
        grid, comparison, dataset, baseline=baseline, n_draws=n_draws, again=pressed
    )
)
report = significance_report(assessment)
origin = origin_of(report)
st.subheader("Differences")
summary(assessment)
chart(
    differences_figure(assessment),
    key="differences",
    alt="Difference of each row to the baseline with its 95 % interval",
    origin=origin,
)
st.subheader("Each row")
chart(
    intervals_figure(assessment),
    key="intervals",
    alt="Rho of each row with its 95 % interval and its letters",
    origin=origin,
)
for table in report.tables():
    table_of_text(table, alt="Rho, interval, letters, difference and p of each row")
caption(origin.caption)
downloads(partial(significance_report, assessment))
st.code(origin.command, language="shell", wrap_lines=True)
