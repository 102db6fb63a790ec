"""Which pairs?: what a calibrator does to every pair, and the sentences behind it."""

import streamlit as st
from bertflow_app import state
from bertflow_app.parts.components import follow, problem
from bertflow_app.parts.exports import Origin, chart, record_exports
from bertflow_app.views.ledger import jobs
from bertflow_app.views.ledger.panels import filtered_rows, pair_table, selected_rows

from bertflow_core.calibrators.catalog import offered_specs
from bertflow_core.errors import BertFlowError
from bertflow_core.figures import rank_changes

SHOWN = 10
recipe = state.current_recipe()

st.title("Which pairs?")
st.write(
    "Spearman's rho compares two orders of the pairs: by gold score and by cosine. A calibrator "
    "moves pairs towards their gold rank (mended) or away from it (broken); their shares add up "
    "to the difference in rho. Rho weighs a pair by how far its gold rank lies from the middle, so "
    "a mended pair in the middle can still cost a little."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    specs = list(dict.fromkeys(("identity", *offered_specs(), *state.chosen("calibrators"))))
    before = st.selectbox(
        "Before",
        specs,
        key="ledger_before",
        bind="query-params",
        accept_new_options=True,
        help="The order to begin with; any calibrator can be typed.",
    )
    after = st.selectbox(
        "After",
        specs,
        index=specs.index("flow"),
        key="ledger_after",
        bind="query-params",
        accept_new_options=True,
        help="The order that is compared with it.",
    )
    pressed = st.button(
        "Account for every pair",
        type="primary",
        icon=":material/play_arrow:",
        help="Embed, fit both calibrators, and rank.",
    )
try:
    job = jobs.ledger(recipe, before, after, start=pressed)
except BertFlowError as error:
    problem(error)
    st.stop()
if job is None:
    st.info("Choose two calibrators and press **Account for every pair**.")
    st.stop()
if not follow(job):
    st.stop()

found = job.result
ledger = found.ledger
with st.container(horizontal=True):
    st.metric("rho x 100 before", f"{100 * ledger.rho_before:.2f}", border=True)
    gain = f"{100 * found.gain:+.2f}"
    st.metric("rho x 100 after", f"{100 * ledger.rho_after:.2f}", gain, border=True)
    n_mended, n_broken = found.counts
    st.metric("Pairs mended", f"{n_mended:,}", border=True)
    st.metric("Pairs broken", f"{n_broken:,}", border=True)
st.text(found.caption())

st.subheader("Filter")
rows = filtered_rows(found)
st.write(
    f"{len(rows):,} of {len(ledger):,} pairs, with {100 * found.gain_of(rows):+.2f} of the "
    f"{gain} points."
)
st.subheader("Every pair")
event = chart(
    rank_changes(
        ledger.error_before[rows],
        ledger.error_after[rows],
        ledger.gold[rows],
        names=(before, after),
        rows=rows,
    ),
    key="ranks",
    alt="Ranks off gold before and after; the tables below have the pairs",
    origin=Origin(found.caption(), found.command()),
    on_select="rerun",
    selection_mode=("points", "box", "lasso"),
)
picked = selected_rows(event, rows)
if len(picked):
    st.subheader("Selected pairs")
    pair_table(found, picked, alt="The pairs that are selected above")
else:
    st.write("Draw a box or a lasso in the picture to list its pairs here.")
st.subheader("The two ends")
mended, broken = st.tabs(["Mended most", "Broken most"])
with mended:
    pair_table(found, found.rows("mended", SHOWN, rows), alt="Pairs that were mended most")
with broken:
    pair_table(found, found.rows("broken", SHOWN, rows), alt="Pairs that were broken most")
shown = picked if len(picked) else rows
st.write(f"{len(shown):,} pairs:")
record_exports(lambda: found.records(shown), found.after, "pairs")
st.code(found.command(), language="shell", wrap_lines=True)
