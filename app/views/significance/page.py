"""Is it real?: intervals, differences and letters for the rows of Compare."""

import streamlit as st
from bertflow_app.parts import comparison_jobs
from bertflow_app.parts.components import caption, follow, problem
from bertflow_app.parts.exports import Origin, chart, exports
from bertflow_app.parts.grid_picker import grid_picker

from bertflow_core.errors import BertFlowError
from bertflow_core.figures import interval_forest

DRAWS = (500, 2_000, 10_000)

st.title("Is it real?")
st.write(
    "Another sample of pairs would give other numbers. Here the pairs are drawn again thousands "
    "of times, the same for every row and with every calibrator left as it was fitted, to see "
    "which differences would stay."
)
try:
    grid = grid_picker()
    pressed = st.button(
        "Test the differences",
        type="primary",
        icon=":material/play_arrow:",
        help="Fits what Compare has not fitted yet, then resamples the pairs.",
    )
    job = comparison_jobs.comparison(grid) if pressed else comparison_jobs.find_comparison(grid)
except BertFlowError as error:
    problem(error)
    st.stop()
if job is None:
    st.info("Choose what Compare shall lay side by side, and press **Test the differences**.")
    st.stop()
if not follow(job):
    st.stop()

comparison = job.result.under(grid.protocol.aggregation)
rows = {str(row): row for row in comparison.grid.rows}
with st.container(horizontal=True):
    dataset = st.selectbox(
        "Data set",
        comparison.grid.datasets,
        key="tested",
        bind="query-params",
        help="Tests are made within one data set.",
    )
    baseline = st.selectbox(
        "Baseline",
        list(rows),
        key="baseline",
        bind="query-params",
        help="What every difference is taken to.",
    )
    n_draws = st.selectbox(
        "Resamples",
        DRAWS,
        index=DRAWS.index(2_000),
        key="n_draws",
        bind="query-params",
        help="To begin with: more are drawn, up to 20,000, where they could change a verdict.",
    )
try:
    tests = comparison_jobs.assessment(
        job, comparison, dataset, baseline=rows[baseline], n_draws=n_draws, again=pressed
    )
except BertFlowError as error:
    problem(error)
    st.stop()
if not follow(tests):
    st.stop()

assessment = tests.result
table = assessment.table()
command = comparison.grid.to_command(n_draws=n_draws, baseline=rows[baseline])
origin = Origin(" ".join(table.remarks), command)
records = assessment.records()
compared = [record for record in records if "difference" in record]
apart = [record for record in compared if record["told_apart"]]
st.subheader("Differences")
st.write(
    f"{len(apart)} of {len(compared)} rows can be told apart from the baseline "
    f"(Holm, 5 %). A hollow grey mark: it may be noise. The intervals are not adjusted for the "
    "number of rows, the verdicts are."
)
n_drawn = assessment.significance.draws.n_draws
if n_drawn > n_draws:
    st.write(f"Raised from {n_draws:,} to {n_drawn:,} resamples: fewer left a verdict open.")
chart(
    interval_forest(
        [record["row"] for record in compared],
        [record["difference"] for record in compared],
        [record["difference_low"] for record in compared],
        [record["difference_high"] for record in compared],
        title=f"change of rho x 100 against {baseline}",
        reference=0.0,
        apart=[record["told_apart"] for record in compared],
    ),
    key="differences",
    alt="Difference of each row to the baseline with its 95 % interval",
    origin=origin,
)
st.subheader("Each row")
chart(
    interval_forest(
        [record["row"] for record in records],
        [record["rho"] for record in records],
        [record["low"] for record in records],
        [record["high"] for record in records],
        title="Spearman's rho x 100",
        notes=[record["letters"] for record in records],
    ),
    key="intervals",
    alt="Rho of each row with its 95 % interval and its letters",
    origin=origin,
)
st.dataframe(
    [dict(zip(table.header, line, strict=True)) for line in table.rows],
    hide_index=True,
    alt="Rho, interval, letters, difference and p of each row",
)
caption(origin.caption)
exports(
    {
        "CSV": (lambda: assessment.to_csv(), "significance.csv"),
        "LaTeX": (table.to_latex, "significance.tex"),
        "Markdown": (table.to_markdown, "significance.md"),
        "JSON": (assessment.to_json, "significance.json"),
    }
)
st.code(command, language="shell", wrap_lines=True)
