"""Calibrate: choose calibrators, press once, and see what each does to similarity."""

from functools import partial

import streamlit as st
from bertflow_app import services, state
from bertflow_app.parts.components import ask, comparison_table, take_home_panel
from bertflow_app.parts.exports import chart
from bertflow_app.parts.grid_picker import calibrator_picker

from bertflow_core.figures import cosine_histograms, gold_against_cosine, rho_bars

COMPARED = "Two calibrators whose cosines are compared below."
recipe = state.current_recipe()

st.title("Calibrate")
st.write(
    "Sentence vectors of BERT-like encoders lie in a narrow cone, so cosine says little. A "
    "calibrator mends that without labels. Compare them here against the untouched vectors."
)
chosen = calibrator_picker()
specs = ("identity", *chosen)
results = ask(
    "Calibrate",
    partial(services.evaluation, recipe, specs),
    invitation="Press **Calibrate** to embed the sentences, fit the calibrators and compare them.",
    help="Embed, fit and score.",
)
reading = services.reading_of(recipe)
st.header("Before and after")
comparison_table(results)
pairs = results[0].prepared.pairs
if pairs.gold is not None:
    chart(
        rho_bars([r.spec for r in results], [r.rho for r in results]),
        key="bars",
        alt="Bars of Spearman's rho by calibrator, with the baseline as a dashed line",
    )
if reading is not None and reading.refused:
    n_refused = len(reading.refused)
    st.text(f"Rows of the table that were refused: {n_refused:,} (see Data & models).")
for note in [f"{r.spec}: {note}." for r in results for note in r.calibrator.notes_]:
    st.text(note)

st.header("What changed, pair by pair")
by_spec = {result.spec: result for result in results}
before, after = st.columns(2)
first = before.selectbox("Before", list(by_spec), key="before", bind="query-params", help=COMPARED)
second = after.selectbox(
    "After", list(by_spec), index=len(by_spec) - 1, key="after", bind="query-params", help=COMPARED
)
cosines = {spec: by_spec[spec].similarity for spec in dict.fromkeys((first, second))}
if pairs.gold is not None:
    low, high = pairs.scale
    chart(
        gold_against_cosine(pairs.gold, cosines, gold_label=f"gold score ({low:g} to {high:g})"),
        key="scatter",
        alt="Gold score against cosine of every pair, a panel a calibrator",
    )
if not pairs.is_paired:
    st.write("Each sentence is paired with another one, drawn at random.")
chart(cosine_histograms(cosines), key="histogram", alt="Distribution of the pairs' cosines")
st.write(
    "Calibration moves and stretches the cosines: a threshold that was tuned on the old ones no "
    "longer holds and must be chosen again."
)

st.header("Take it home")
take_home_panel(results, by_spec[second])
st.write("The same numbers on the command line:")
st.code(services.named(recipe).to_command(specs), language="shell", wrap_lines=True)
