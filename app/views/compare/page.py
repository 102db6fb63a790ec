"""Compare: encoders and calibrators down, data sets across, beside what was published."""

import streamlit as st
from bertflow_app.parts import comparison_jobs
from bertflow_app.parts.components import follow, problem
from bertflow_app.parts.exports import Origin, chart, exports
from bertflow_app.parts.grid_picker import grid_picker
from bertflow_app.views.compare.panels import cell_details, comparison_grid, published_table

from bertflow_core.errors import BertFlowError
from bertflow_core.figures import rho_by_dataset
from bertflow_core.studies.comparison.report import WRITERS, wide

st.title("Compare")
st.write(
    "Lay encoders, layers and calibrators side by side on several data sets, under one protocol. "
    "Press a cell to see what is behind its number. The switch between all, mean and wmean is in "
    "the sidebar, under More; it needs no new fit."
)
try:
    grid = grid_picker()
    pressed = st.button(
        "Compare",
        type="primary",
        icon=":material/play_arrow:",
        help="Embed what is not stored yet, fit every calibrator, and score.",
    )
    job = comparison_jobs.comparison(grid) if pressed else comparison_jobs.find_comparison(grid)
except BertFlowError as error:
    problem(error)
    st.stop()
if job is None:
    st.info(
        "Choose rows and columns and press **Compare**. A stored embedding is read, not computed; "
        "a fit that was done before is not done again."
    )
    st.stop()
if not follow(job):
    st.stop()

comparison = job.result.under(grid.protocol.aggregation)
st.subheader("Spearman's rho x 100")
place = comparison_grid(comparison)
rows, datasets = comparison.grid.rows, comparison.grid.datasets
chart(
    rho_by_dataset(
        {
            str(row): [comparison.rho(row, name) for name in comparison.grid.datasets]
            for row in rows
        },
        comparison.grid.datasets,
        [row.calibrator for row in rows],
    ),
    key="by-dataset",
    alt="Spearman's rho of each row on each data set; the table above has the numbers",
    origin=Origin(" ".join(wide(comparison).remarks), comparison.grid.to_command()),
)
exports(
    {
        "CSV": (lambda: WRITERS["csv"](comparison), "comparison.csv"),
        "LaTeX": (lambda: WRITERS["latex"](comparison), "comparison.tex"),
        "Markdown": (lambda: WRITERS["markdown"](comparison), "comparison.md"),
        "JSON": (lambda: WRITERS["json"](comparison), "comparison.json"),
    }
)
st.code(comparison.grid.to_command(), language="shell", wrap_lines=True)
cell_details(comparison, place)

st.subheader("Published numbers")
published_table(comparison)
